/**
 * The shard's side of a watch until it is live. A watch *catches up* page by page, at the pace of
 * its reader: first the present state where it asked for it, then what history holds after its
 * version; it is *live* once it has seen everything committed, joined to a channel in the same
 * turn, so that nothing is missed or sent twice. A reader that fell off its channel's ring comes
 * back with the version it has seen (../README.md#watches). A streaming list is a watch whose state
 * ends with a bookmark of its version (../README.md#watches).
 */
import type { Answer } from '../../actors/link.ts';
import { LOOK_BYTES, WATCH_WRITE_BYTES_MAX } from '../../limits.ts';
import { badRequest, expired } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import { OPERATION } from '../../storage/record.ts';
import { INITIAL_EVENTS_END } from './bookmark.ts';
import { ConversionNeeded, type Held } from '../../types/conversion.ts';
import type { EventType } from '../../types/served-version.ts';
import { neededAhead } from '../read/converting.ts';
import type { PageBuffer } from '../state/page-buffer.ts';
import type { Representation } from '../representation/representation.ts';
import { newestView, viewAt, type ReadView } from '../read/read-view.ts';
import { parseResourceVersion, whenNotOlderThan } from '../read/resource-version.ts';
import { findObjects } from '../read/select-objects.ts';
import { Selection } from '../table/selection.ts';
import type { Shard } from '../state/shard.ts';
import type { WatchPage, WatchRequest } from '../../protocol/shard-protocol.ts';
import { eventWire, transition } from '../state/watch-hub.ts';
import type { Subscriber } from '../state/watch-hub.ts';

interface OpenWatch {
  readonly selection: Selection;
  readonly representation: Representation;
  /** The `columnDefinitions` of the next event, which only the first one has. */
  columns: string | undefined;
  /** Versions of the state that is still to be looked for, or sent from the position reached. */
  state: 'wanted' | Float64Array | undefined;
  position: number;
  /** Whether a bookmark marks the end of the state. */
  readonly endsState: boolean;
  /** Everything up to this version was sent, or was not asked for. */
  rv: number;
  /** It is shown nothing above this version; Infinity for all. */
  at: number;
  /** The conversion that the next event needs. */
  needed?: ConversionNeeded | undefined;
  /** Conversions that were prepared for the events that are being sent. */
  held?: Held | undefined;
  /** Set once live. */
  channel?: number;
}

/** To read a character of a selector takes as long as to copy so many bytes of a page. */
const SELECTOR_TURN_BYTES = 32;

function notOpen(watchId: number): StatusError {
  return badRequest(`watch ${watchId} is not open`);
}

/** The watches of one subscriber. */
export class Watches {
  readonly #shard: Shard;
  readonly #subscriber: Subscriber;
  readonly #open = new Map<number, OpenWatch>();
  /** Ids of those that wait for their turn to be opened. */
  readonly #toOpen = new Set<number>();
  /** The bytes of history that were read for the page that is being made. */
  #lookedAtBytes = 0;

  constructor(shard: Shard, subscriber: Subscriber) {
    this.#shard = shard;
    this.#subscriber = subscriber;
  }

  /**
   * Fails with StatusError 400 for a bad selector or version, 410 when history is gone, 504 for a
   * state at a version that was never issued. Its front closes what is refused as well. Long
   * selectors take their turns: as long as one front has more to ask, this thread's loop would look
   * at no other port.
   */
  open(request: WatchRequest, answer: Answer<WatchPage>): void {
    const { watchId, labelSelector, fieldSelector } = request;
    this.#toOpen.add(watchId);
    this.#shard.pageTurns.add(
      () => {
        if (this.#toOpen.delete(watchId)) this.#openNow(request, answer);
        else answer.fail(notOpen(watchId));
        return SELECTOR_TURN_BYTES * (labelSelector.length + fieldSelector.length);
      },
      (error) => answer.fail(error),
    );
  }

  #openNow(request: WatchRequest, answer: Answer<WatchPage>): void {
    const shard = this.#shard;
    const selection = new Selection(shard.kind, request);
    const asked = parseResourceVersion(request.resourceVersion);
    const { watchId, initialEvents } = request;
    const endsState = initialEvents === 'true';
    const state = endsState || (asked === 0 && initialEvents === '') ? 'wanted' : undefined;
    const representation = shard.representations.of(request);
    const watch: OpenWatch = {
      selection,
      representation,
      columns: request.columnsTold === true ? undefined : representation.columns,
      state,
      position: 0,
      endsState,
      rv: asked,
      at: request.at ?? Infinity,
    };
    if (endsState) {
      this.#open.set(watchId, watch);
      whenNotOlderThan(shard, request.resourceVersion, () => {
        if (this.#open.get(watchId) === watch) this.#reply(watchId, watch, answer);
        else answer.fail(notOpen(watchId));
      });
      return;
    }
    if (asked !== 0 && asked < shard.history.horizon()) throw this.#tooOld(watch);
    if (asked === 0) watch.rv = Math.min(shard.pipeline.listVersion(), watch.at);
    this.#open.set(watchId, watch);
    this.#reply(watchId, watch, answer);
  }

  /** `at` is the version that a watch of the past is shown from now on. */
  more(
    { watchId, at }: { readonly watchId: number; readonly at?: number },
    answer: Answer<WatchPage>,
  ): void {
    const watch = this.#open.get(watchId);
    if (watch === undefined) return answer.fail(notOpen(watchId));
    if (at !== undefined) watch.at = at;
    this.#reply(watchId, watch, answer);
  }

  close(watchId: number): void {
    this.#toOpen.delete(watchId);
    const watch = this.#open.get(watchId);
    if (watch === undefined) return;
    this.#open.delete(watchId);
    watch.held?.release();
    if (watch.channel !== undefined) this.#shard.hub.unsubscribe(watch.channel);
  }

  /** Nobody is there to be told of anything. */
  closeAll(): void {
    for (const watchId of this.#open.keys()) this.close(watchId);
  }

  #tooOld({ rv }: OpenWatch): StatusError {
    return expired(`too old resource version: ${rv} (${this.#shard.history.horizon()})`);
  }

  /** Answers with the next page when it is its turn. */
  #reply(watchId: number, watch: OpenWatch, answer: Answer<WatchPage>): void {
    this.#shard.pageTurns.add(
      () => {
        if (this.#open.get(watchId) !== watch) {
          answer.fail(notOpen(watchId));
          return 0;
        }
        this.#lookedAtBytes = 0;
        if (watch.state === 'wanted') this.#findState(watchId, watch, answer);
        else this.#answerPage(watchId, watch, answer);
        return this.#shard.page.length + this.#lookedAtBytes;
      },
      (error) => answer.fail(error),
    );
  }

  /** Looks for the state that it begins with, in this turn or until a later one; then answers. */
  #findState(watchId: number, watch: OpenWatch, answer: Answer<WatchPage>): void {
    const shard = this.#shard;
    if (watch.at === Infinity) return this.#findStateIn(newestView(shard), watchId, watch, answer);
    viewAt(shard, Math.min(watch.at, shard.pipeline.listVersion()), (view) => {
      if (view === undefined) answer.fail(this.#tooOld(watch));
      else this.#findStateIn(view, watchId, watch, answer);
    });
  }

  #findStateIn(view: ReadView, watchId: number, watch: OpenWatch, answer: Answer<WatchPage>): void {
    const { selection } = watch;
    watch.rv = view.rv;
    let isLater = false;
    findObjects(
      this.#shard,
      { selection, view, start: '', most: Infinity },
      ({ rvs, lookedAt }) => {
        watch.state = Float64Array.from(rvs);
        if (isLater) {
          this.#reply(watchId, watch, answer);
          return;
        }
        this.#lookedAtBytes += LOOK_BYTES * lookedAt;
        this.#answerPage(watchId, watch, answer);
      },
      () => answer.fail(this.#tooOld(watch)),
      (error) => answer.fail(error),
    );
    isLater = true;
  }

  #answerPage(watchId: number, watch: OpenWatch, answer: Answer<WatchPage>): void {
    const { page, history } = this.#shard;
    page.clear();
    watch.needed = undefined;
    if (watch.rv < history.horizon() || !this.#addState(watch, page)) {
      answer.fail(this.#tooOld(watch));
      return;
    }
    const caughtUp = watch.state === undefined && this.#addHistory(watch, page);
    if (watch.needed !== undefined && page.length === 0) {
      this.#prepare(watchId, watch, watch.needed, answer);
      return;
    }
    if (caughtUp && watch.at !== Infinity) {
      answer.reply({ rv: watch.rv, isAtEnd: true }, page.bytes());
    } else if (caughtUp) {
      const { selection, representation, columns, rv } = watch;
      watch.held?.release();
      watch.held = undefined;
      watch.channel = this.#shard.hub.subscribe(this.#subscriber, selection, representation);
      const live = { rv, channel: watch.channel };
      answer.reply(columns === undefined ? live : { ...live, columns }, page.bytes());
    } else {
      answer.reply({ rv: watch.rv }, page.bytes());
    }
  }

  /** Answers with the next page when a webhook has said what its events show. */
  #prepare(
    watchId: number,
    watch: OpenWatch,
    needed: ConversionNeeded,
    answer: Answer<WatchPage>,
  ): void {
    needed.prepare().then(
      (held) => {
        watch.held?.release();
        watch.held = held;
        this.#reply(watchId, watch, answer);
        if (this.#open.get(watchId) !== watch) held.release();
      },
      (error: unknown) => answer.fail(error),
    );
  }

  /** Adds present state; false when it was read so slowly that some of it is gone. */
  #addState(watch: OpenWatch, page: PageBuffer): boolean {
    const { state } = watch;
    if (state === undefined || state === 'wanted') return true;
    while (watch.position < state.length && page.length < WATCH_WRITE_BYTES_MAX) {
      const rv = state[watch.position] ?? 0;
      const wire = this.#shard.historicWireAt(rv);
      if (wire === undefined) return false;
      const isAdded = this.#addEvent(watch, page, 'ADDED', { wire, rv });
      if (!isAdded) {
        this.#lookAhead(watch, state, watch.position);
        return true;
      }
      watch.position++;
    }
    if (watch.position === state.length) {
      watch.state = undefined;
      if (watch.endsState) {
        const { representation, columns, rv } = watch;
        watch.columns = undefined;
        const end = representation.bookmark(rv, { [INITIAL_EVENTS_END]: 'true' }, columns);
        for (const part of end) page.add(part);
      }
    }
    return true;
  }

  /** Adds committed events after the watch's version; true once all of them are in the page. */
  #addHistory(watch: OpenWatch, page: PageBuffer): boolean {
    const shard = this.#shard;
    // The log may already hold a commit that is not applied yet: that one will be published.
    const appliedRv = Math.min(shard.pipeline.appliedRv, watch.at);
    const missed: number[] = [];
    if (watch.rv >= appliedRv) return true;
    // No more than about a page is looked at: the next page begins where this one ends.
    let isAll = true;
    shard.log.scan(watch.rv, (rv, value) => {
      if (rv > appliedRv) return false;
      isAll = this.#lookedAtBytes < WATCH_WRITE_BYTES_MAX;
      this.#lookedAtBytes += value.length;
      if (isAll) missed.push(rv);
      return isAll;
    });
    for (const [at, rv] of missed.entries()) {
      if (page.length >= WATCH_WRITE_BYTES_MAX) return false;
      if (!this.#addChange(watch, rv, page)) {
        this.#lookAhead(watch, missed, at);
        return false;
      }
      watch.rv = rv;
    }
    if (!isAll) return false;
    watch.rv = Math.max(watch.rv, appliedRv);
    return true;
  }

  /** With what the next event needs of a webhook, what those after it are going to need. */
  #lookAhead(watch: OpenWatch, rvs: ArrayLike<number>, start: number): void {
    const { needed } = watch.representation;
    if (needed === undefined || watch.needed === undefined) return;
    const ahead = neededAhead(needed, rvs, start, (rv) => this.#shard.historicWireAt(rv));
    if (ahead.needed !== undefined) watch.needed = watch.needed.with([ahead.needed]);
  }

  /** False when a webhook is needed first. */
  #addChange(watch: OpenWatch, rv: number, page: PageBuffer): boolean {
    const { headers } = this.#shard;
    const header = headers.at(rv);
    if (header === undefined) return true;
    const { operation, previousRv, key } = header;
    const before = previousRv === 0 ? undefined : headers.at(previousRv);
    const after = operation === OPERATION.deleted ? undefined : header;
    const type = transition(watch.selection, before, after);
    if (type === undefined) return true;
    const wire = this.#shard.wireAt(rv);
    const previousWire = (): Uint8Array => this.#shard.wireAt(previousRv);
    const change = { rv, key, before, after, wire, previousWire };
    return this.#addEvent(watch, page, type, eventWire(change, type));
  }

  /** False, and nothing is added, when a webhook is needed first. */
  #addEvent(
    watch: OpenWatch,
    page: PageBuffer,
    type: EventType,
    { wire, rv }: { readonly wire: Uint8Array; readonly rv: number },
  ): boolean {
    const { representation, columns } = watch;
    try {
      const parts = representation.event(type, wire, rv, columns);
      watch.columns = undefined;
      for (const part of parts) page.add(part);
      return true;
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      watch.needed = error;
      return false;
    }
  }
}
