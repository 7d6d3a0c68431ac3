/**
 * The front's side of watches, per shard. A channel's frames arrive once and stand in one ring;
 * each live watch is a cursor into it. A watch is
 *
 * - catchingUp: the shard sends it pages, the next one when the socket has taken the last;
 * - live: it gets what its channel's ring holds after its cursor, a turn's frames in one write;
 * - slow: its socket takes nothing and its cursor stands still. When the ring has moved past it,
 *   it catches up from history again, with the last version it was sent.
 *
 * Tables: a channel's frames leave out the columns, which the first event of a watch has to tell.
 * A live watch to which no event was sent yet holds them until the first one.
 */
import { RingBuffer } from '../../base/ring-buffer.ts';
import { TaskLimiter } from '../../base/turns/task-limiter.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { Timers } from '../../base/time/timers.ts';
import type { Link } from '../../actors/link.ts';
import { WATCH_WRITE_BYTES_MAX } from '../../limits.ts';
import {
  CHANNEL_RING_BYTES_MAX,
  CHANNEL_RING_FRAMES_MAX,
  WATCHES_OPENED_AT_ONCE,
  WATCHES_TO_OPEN_MAX,
} from '../limits.ts';
import { ownDialect } from '../../semantics/dialect/own-names.ts';
import { StatusError, tooManyRequests } from '../../semantics/errors/status.ts';
import type {
  ShardCalls,
  ShardEvents,
  WatchPage,
  WatchRequest,
} from '../../protocol/shard-protocol.ts';
import { FanoutMetrics } from './fanout-metrics.ts';
import { WatchBookmarks } from './watch-bookmarks.ts';
import { newWatch, type Channel, type Watch, type WatchOptions } from './watch-records.ts';
import { WatchRounds } from './watch-rounds.ts';
import type { WatchStream } from './watch-stream.ts';
import { WatchViews, withColumns } from './watch-views.ts';

type ShardLink = Pick<Link<ShardCalls, ShardEvents>, 'ask' | 'tell'>;

const GONE = 410;
/** Nobody waits for it any more. */
const isLive = (): void => undefined;

export class WatchFanout {
  readonly #shard: ShardLink;
  readonly #channels = new Map<number, Channel>();
  readonly #rounds = new WatchRounds<Watch, Channel>((watch) => {
    if (watch.population === 'live') this.#pump(watch);
  });
  readonly #watches = new Set<Watch>();
  readonly #views = new WatchViews();
  readonly #timers: Timers;
  readonly #opening = new TaskLimiter(WATCHES_OPENED_AT_ONCE, setImmediate);
  readonly #bookmarks: WatchBookmarks;
  #nextWatchId = 1;

  readonly #toOpenMax: number;
  readonly #metrics: FanoutMetrics;

  /** Where `toOpenMax` watches wait to be opened, one more is refused. */
  constructor(
    shard: ShardLink,
    timers: Timers = SYSTEM_TIMERS,
    random = Math.random,
    toOpenMax = WATCHES_TO_OPEN_MAX,
    metrics = new FanoutMetrics(''),
  ) {
    this.#metrics = metrics;
    this.#shard = shard;
    this.#toOpenMax = toOpenMax;
    this.#timers = timers;
    this.#bookmarks = new WatchBookmarks({
      shard,
      timers,
      random,
      isOpen: (watch) => this.#watches.has(watch),
      isSentAll: (watch) => this.#isSentAll(watch),
      send: (watch, rv, event) => this.#sendBookmark(watch, rv, event),
      missed: (watch) => this.#missed(watch),
    });
  }

  /**
   * Answers a watch request: 200 and a stream, or the Status that the shard refuses it with. Throws
   * StatusError 429 when too many wait.
   */
  open(exchange: WatchStream, request: Omit<WatchRequest, 'watchId'>, options: WatchOptions): void {
    const { timeoutMs, isTimeoutAsked, metrics } = options;
    const watchId = this.#nextWatchId++;
    const view = this.#views.of(request);
    const watch = newWatch(exchange, { ...request, watchId }, view, options);
    if (this.#opening.waitingCount >= this.#toOpenMax) throw tooManyRequests();
    this.#watches.add(watch);
    metrics.registered.add(1);
    this.#startTimers(watch, timeoutMs, isTimeoutAsked);
    exchange.onAborted(() => this.#forget(watch));
    this.#opening.begin((opened) => this.#askToOpen(watch, opened));
  }

  #askToOpen(watch: Watch, opened: () => void): void {
    if (!this.#watches.has(watch)) return opened();
    try {
      this.#shard.ask('watch', watch.request, undefined, (error, page, body) => {
        opened();
        this.#onPage(watch, error, page, body);
      });
    } catch {
      opened();
      this.#fail(watch, tooManyRequests());
    }
  }

  #startTimers(watch: Watch, timeoutMs: number, isTimeoutAsked: boolean): void {
    watch.cancelTimer = this.#timers.after(timeoutMs, () => {
      const isFree = !watch.bookmarks && !isTimeoutAsked && watch.exchange.hasBegunNext;
      // Nobody waits for this end, and with an event it is a cleaner one.
      if (isFree) watch.endsWith = 'event';
      else void this.#close(watch);
    });
    if (watch.bookmarks) this.#bookmarks.schedule(watch);
  }

  /** One change for some channels; the frame is copied, since its buffer holds a whole turn. */
  published({ channels, rv }: { channels: number[]; rv: number }, frame: Uint8Array): void {
    const kept = frame.slice();
    for (const id of channels) {
      const channel = this.#channels.get(id);
      // A channel whose last watch just left may still be told of a change.
      if (channel === undefined) continue;
      channel.ring.push(kept, rv);
      if (this.#rounds.touch(channel)) channel.turnRv = rv;
    }
  }

  /** Ends the watches of channels whose events cannot be shown. */
  ended({ channels }: { channels: number[] }): void {
    for (const id of channels) {
      for (const watch of this.#channels.get(id)?.watches ?? []) void this.#close(watch);
    }
  }

  /** Writes what this turn brought: one write per watch, however many changes it was. */
  turnEnd(): void {
    this.#rounds.turnEnd();
  }

  /**
   * Resolves when all watches that are open have been sent what was published up to now, or have
   * ended; after `msMax` in any case.
   */
  whenSentAll(msMax: number): Promise<void> {
    return this.#bookmarks.whenSentAll(this.#watches, msMax);
  }

  /**
   * Ends streams cleanly: all of them, or those in a version that is not served any more. Resolves
   * when they have ended.
   */
  async endAll(isServed = (_version: number): boolean => false): Promise<void> {
    const ending = [...this.#watches].filter(({ request }) => !isServed(request.version ?? 0));
    await Promise.all(ending.map((watch) => this.#close(watch)));
  }

  /** Tells how things are, beside how many requests wait for the shard. */
  sample(requests: number): void {
    this.#metrics.sample(requests, this.#watches);
  }

  #onPage(watch: Watch, error: Error | undefined, page: WatchPage, body: Uint8Array): void {
    if (!this.#watches.has(watch)) return;
    watch.asking = false;
    if (error !== undefined) {
      this.#fail(watch, error);
      return;
    }
    const first = !watch.started;
    if (first) this.#start(watch);
    if (first) watch.exchange.onWritable(() => this.#onWritable(watch));
    watch.rv = page.rv;
    watch.columns = page.columns;
    if (page.channel !== undefined) this.#goLive(watch, page.channel);
    watch.metrics.sentPage(body, watch.request.form?.encoding ?? 'json');
    // A page has its columns already.
    const accepted =
      body.length > 0 ? this.#send(watch, body) : !first || watch.exchange.flushHead();
    if (page.isAtEnd === true) this.#waitForMore(watch);
    else if (!accepted) watch.population = watch.channel === undefined ? 'catchingUp' : 'slow';
    else if (watch.channel === undefined) this.#askMore(watch);
  }

  #start(watch: Watch): void {
    watch.started = true;
    watch.exchange.beginStream('watch', watch.request.form?.encoding ?? 'json');
  }

  #goLive(watch: Watch, id: number): void {
    let channel = this.#channels.get(id);
    if (channel === undefined) {
      const ring = new RingBuffer(CHANNEL_RING_FRAMES_MAX, CHANNEL_RING_BYTES_MAX);
      channel = { id, ring, watches: new Set(), turnRv: 0 };
      this.#channels.set(id, channel);
    }
    channel.watches.add(watch);
    watch.channel = channel;
    watch.cursor = channel.ring.nextSeq;
    watch.population = 'live';
    watch.onLive();
    watch.onLive = isLive;
  }

  /** It has been sent all that it may see of the past. */
  #waitForMore(watch: Watch): void {
    watch.onLive();
    watch.onLive = isLive;
    watch.stopsWaiting();
    watch.stopsWaiting = watch.past?.whenMoved(() => this.#askMore(watch)) ?? watch.stopsWaiting;
  }

  #askMore(watch: Watch): void {
    if (watch.asking) return;
    watch.asking = true;
    const { past } = watch;
    this.#ask(watch, 'watchMore', { watchId: watch.watchId, ...(past && { at: past.version }) });
  }

  /** A full mailbox ends a stream that has begun: the client resumes from its last version. */
  #ask<V extends 'watch' | 'watchMore'>(
    watch: Watch,
    verb: V,
    request: ShardCalls[V]['request'],
  ): void {
    try {
      this.#shard.ask(verb, request, undefined, (error, page, body) => {
        this.#onPage(watch, error, page, body);
      });
    } catch {
      this.#end(watch);
    }
  }

  #onWritable(watch: Watch): void {
    const { population, channel } = watch;
    if (population === 'slow') this.#pump(watch);
    else if (population === 'catchingUp' && channel === undefined) this.#askMore(watch);
  }

  /** Sends what the ring has after the cursor, as far as the socket takes it. */
  #pump(watch: Watch): void {
    const { channel } = watch;
    if (channel === undefined) return;
    const { ring } = channel;
    if (watch.cursor < ring.firstSeq) {
      // A live one had been sent all there was before these frames, and may have been quiet for so
      // long that history has lost its last version.
      if (watch.population === 'live') watch.rv = Math.max(watch.rv, channel.turnRv - 1);
      this.#catchUpAgain(watch);
      return;
    }
    // A watch from a version that is yet to come gets nothing up to it.
    while (watch.cursor < ring.nextSeq && ring.tagAt(watch.cursor) <= watch.rv) watch.cursor++;
    while (watch.cursor < ring.nextSeq) {
      const slice = ring.concat(watch.cursor, ring.nextSeq, WATCH_WRITE_BYTES_MAX);
      for (let seq = watch.cursor; seq < slice.nextSeq; seq++) {
        watch.metrics.sent(ring.get(seq)?.length ?? 0);
      }
      watch.cursor = slice.nextSeq;
      watch.rv = ring.tagAt(slice.nextSeq - 1);
      if (!this.#write(watch, slice.bytes)) {
        watch.population = 'slow';
        return;
      }
      if (!this.#watches.has(watch)) return;
    }
    watch.population = 'live';
  }

  /** Sends events of the channel, which say nothing of columns. */
  #write(watch: Watch, events: Uint8Array): boolean {
    const { columns } = watch;
    if (columns === undefined) return this.#send(watch, events);
    watch.columns = undefined;
    return this.#send(watch, withColumns(events, columns));
  }

  #send(watch: Watch, events: Uint8Array): boolean {
    if (watch.endsWith !== 'event') return watch.exchange.write(events);
    this.#forget(watch);
    watch.exchange.endStream(events);
    return true;
  }

  #catchUpAgain(watch: Watch): void {
    this.#metrics.overflowed(watch);
    this.#leaveShard(watch);
    watch.watchId = this.#nextWatchId++;
    watch.population = 'catchingUp';
    watch.asking = true;
    const request = {
      ...watch.request,
      watchId: watch.watchId,
      resourceVersion: String(watch.rv),
      initialEvents: '' as const,
      ...(watch.request.form?.as === 'Table' && { columnsTold: watch.columns === undefined }),
    };
    this.#ask(watch, 'watch', request);
  }

  /**
   * Writes the events of this turn now rather than at its end; false if the watch is no longer
   * live.
   */
  #isSentAll(watch: Watch): boolean {
    if (watch.population === 'live') this.#pump(watch);
    return watch.population === 'live' && this.#watches.has(watch);
  }

  #sendBookmark(watch: Watch, rv: number, event: Uint8Array): void {
    // A watch from a version that is yet to come has nothing to be told before.
    if (rv < watch.rv) return this.#missed(watch);
    watch.rv = rv;
    watch.metrics.sent(event.length);
    if (watch.endsWith === 'bookmark') watch.endsWith = 'event';
    if (!this.#write(watch, event)) watch.population = 'slow';
  }

  #missed(watch: Watch): void {
    if (watch.endsWith === 'bookmark') this.#end(watch);
  }

  #fail(watch: Watch, error: Error): void {
    const { exchange } = watch;
    const status =
      error instanceof StatusError ? error : new StatusError(500, 'InternalError', error.message);
    this.#forget(watch);
    const isStreamed = status.code === GONE && ownDialect().expiredWatch === 'streamed';
    if (!watch.started && isStreamed) this.#start(watch);
    if (watch.started) exchange.endWithError(status);
    else exchange.sendStatus(status);
  }

  /** Ends a stream, with a bookmark where it may have one. Resolves when it has ended. */
  async #close(watch: Watch): Promise<void> {
    if (!watch.bookmarks || !watch.started) return this.#end(watch);
    watch.cancelTimer();
    await new Promise<void>((resolve) => {
      watch.onEnded = resolve;
      watch.endsWith = 'bookmark';
      this.#bookmarks.askNow(watch);
    });
  }

  #end(watch: Watch): void {
    this.#forget(watch);
    if (!watch.started) this.#start(watch);
    watch.exchange.endStream();
  }

  #forget(watch: Watch): void {
    if (!this.#watches.delete(watch)) return;
    watch.metrics.registered.add(-1);
    watch.cancelTimer();
    watch.stopsWaiting();
    this.#bookmarks.forget(watch);
    this.#leaveShard(watch);
    watch.onEnded();
  }

  #leaveShard(watch: Watch): void {
    this.#shard.tell('watchClosed', { watchId: watch.watchId });
    const { channel } = watch;
    if (channel === undefined) return;
    watch.channel = undefined;
    channel.watches.delete(watch);
    if (channel.watches.size > 0) return;
    this.#channels.delete(channel.id);
    this.#rounds.forget(channel);
  }
}
