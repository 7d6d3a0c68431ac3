/**
 * Bookmarks of the watches of a shard. The shard is asked once for all watches whose turn it is, in
 * each of their views. Its answer comes after everything that was published up to its version, so
 * it is true of each watch that has been sent the whole ring; one that lags, or whose view was not
 * asked for, has its turn again soon.
 */
import type { Link } from '../../actors/link.ts';
import { SecondsWheel } from '../../base/time/seconds-wheel.ts';
import type { Timers } from '../../base/time/timers.ts';
import type { ShardCalls, ShardEvents } from '../../protocol/shard-protocol.ts';
import type { Watch } from './watch-records.ts';
import { partsByView } from './watch-views.ts';

/** A bookmark about once a minute (src/shard/README.md#watches). */
const SECONDS_MIN = 50;
const SECONDS_MAX = 60;
const RETRY_SECONDS = 1;
/** The time between two looks at whether late watches are still late. */
const LATE_MS = 50;

export interface BookmarkOptions {
  readonly shard: Pick<Link<ShardCalls, ShardEvents>, 'ask'>;
  readonly timers: Timers;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly isOpen: (watch: Watch) => boolean;
  /** Sends a watch what there is for it: whether that is all that was published. */
  readonly isSentAll: (watch: Watch) => boolean;
  /** To one that was sent all up to this version. */
  readonly send: (watch: Watch, rv: number, event: Uint8Array) => void;
  /** To one that cannot be told now. */
  readonly missed: (watch: Watch) => void;
}

/** The shard's bookmark for a watch; undefined where it has none for its view. */
type EventOf = (watch: Watch) => Uint8Array | undefined;

export class WatchBookmarks {
  readonly #options: BookmarkOptions;
  readonly #wheel: SecondsWheel<Watch>;
  /** Those that the shard is to be asked for next. */
  #due = new Set<Watch>();
  #isAsking = false;

  constructor(options: BookmarkOptions) {
    this.#options = options;
    this.#wheel = new SecondsWheel(options.timers, (watches) => this.#askForDue(watches));
  }

  /** The next one about a minute from now. */
  schedule(watch: Watch): void {
    const span = SECONDS_MAX - SECONDS_MIN + 1;
    const seconds = SECONDS_MIN + Math.floor(this.#options.random() * span);
    watch.bookmarkSlot = this.#wheel.add(watch, seconds);
  }

  /** The next one now. */
  askNow(watch: Watch): void {
    this.#wheel.remove(watch, watch.bookmarkSlot);
    this.#askForDue([watch]);
  }

  forget(watch: Watch): void {
    if (watch.bookmarks) this.#wheel.remove(watch, watch.bookmarkSlot);
    this.#due.delete(watch);
  }

  /**
   * Resolves when each of these watches has been sent all that was published up to now, or has
   * ended; after `msMax` in any case.
   */
  whenSentAll(watches: Iterable<Watch>, msMax: number): Promise<void> {
    const { timers, isOpen, isSentAll } = this.#options;
    const late = new Set(watches);
    return new Promise((resolve) => {
      const look = (msLeft: number): void => {
        for (const watch of late) if (!isOpen(watch)) late.delete(watch);
        if (late.size === 0 || msLeft <= 0) return resolve();
        this.#ask(late, (_rv, eventOf) => {
          for (const watch of late) {
            if (eventOf(watch) !== undefined && isSentAll(watch)) late.delete(watch);
          }
          if (late.size === 0) resolve();
          else timers.after(LATE_MS, () => look(msLeft - LATE_MS));
        });
      };
      look(msMax);
    });
  }

  /**
   * One question for all. Those that come due meanwhile get its answer too, where their view was
   * asked for; the others are the next one.
   */
  #askForDue(watches: Iterable<Watch>): void {
    for (const watch of watches) this.#due.add(watch);
    if (this.#isAsking || this.#due.size === 0) return;
    this.#isAsking = true;
    const asked = this.#due;
    this.#due = new Set();
    this.#ask(asked, (rv, eventOf) => {
      this.#isAsking = false;
      for (const watch of asked) this.#settle(watch, rv, eventOf(watch));
      const told = [...this.#due].filter((watch) => eventOf(watch) !== undefined);
      for (const watch of told) {
        this.#due.delete(watch);
        this.#settle(watch, rv, eventOf(watch));
      }
      this.#askForDue([]);
    });
  }

  #settle(watch: Watch, rv: number, event: Uint8Array | undefined): void {
    const { isOpen, isSentAll, send, missed } = this.#options;
    if (!isOpen(watch)) return;
    const isTrue = event !== undefined && isSentAll(watch);
    if (isTrue) send(watch, rv, event);
    else missed(watch);
    // It may have ended, now or while others had their turn.
    if (!isOpen(watch)) return;
    if (isTrue) this.schedule(watch);
    else watch.bookmarkSlot = this.#wheel.add(watch, RETRY_SECONDS);
  }

  /** Tells of no events where the shard cannot be asked. */
  #ask(watches: Iterable<Watch>, told: (rv: number, eventOf: EventOf) => void): void {
    const views = [...new Set(Array.from(watches, ({ view }) => view))];
    try {
      this.#options.shard.ask('bookmark', { views }, undefined, (error, reply, body) => {
        if (error !== undefined) return told(0, () => undefined);
        const events = partsByView(views, reply.lengths, body);
        told(reply.rv, ({ view }) => {
          const event = events.get(view);
          return event?.length === 0 ? undefined : event;
        });
      });
    } catch {
      told(0, () => undefined);
    }
  }
}
