/**
 * list: pages assembled from stored bytes. A list is a snapshot of version numbers taken in one
 * turn, so that all of it is of one version whatever is written meanwhile, and costs eight bytes
 * per object until the client has read it. `find-list.ts` says which versions.
 */
import type { GivingAnswer } from '../../actors/link.ts';
import {
  LIST_MADE_BYTES_MAX,
  LOOK_BYTES,
  PAGE_BYTES_MIN,
  PAGE_BYTES_TARGET,
  RUN_BYTES_MAX,
} from '../../limits.ts';
import { badRequest, expired } from '../../semantics/errors/status.ts';
import { ConversionNeeded, type Held } from '../../types/conversion.ts';
import { neededAhead } from './converting.ts';
import { findList, parseListRequest } from './find-list.ts';
import type { KeptRuns } from '../representation/kept-runs.ts';
import type { PageBuffer } from '../state/page-buffer.ts';
import type {
  ListMeta,
  Measuring,
  Representation,
  WireAt,
} from '../representation/representation.ts';
import type { Shard } from '../state/shard.ts';
import type { ListPage, ListRequest } from '../../protocol/shard-protocol.ts';

const LAST_PAGE: ListPage = {};

interface OpenList {
  readonly representation: Representation;
  readonly meta: ListMeta;
  readonly rvs: Float64Array;
  /** The length of the items together, as far as they were measured. */
  bytes: number;
  /** Items made to measure them, which nothing else keeps; those that are still to be sent. */
  readonly made: MadeItems[];
  position: number;
  /** Items up to here can be made; the rest needs a webhook first. */
  preparedTo: number;
  /** Conversions that were prepared for the items. */
  held: Held | undefined;
  isBegun: boolean;
}

/** Items of a list that follow each other, from the position of the first to behind the last. */
interface MadeItems {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The lists whose clients are still reading. */
export class Lists {
  readonly #shard: Shard;
  readonly #wireAt: WireAt;
  readonly #open = new Map<number, OpenList>();
  #nextId = 1;
  #madeBytes = 0;

  constructor(shard: Shard) {
    this.#shard = shard;
    this.#wireAt = (rv) => shard.historicWireAt(rv);
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** The bytes of all items that are made and not sent. */
  get madeBytes(): number {
    return this.#madeBytes;
  }

  /** Throws StatusError 400, 422 or 504 for what cannot be listed; what is gone fails with 410. */
  list(request: ListRequest, answer: GivingAnswer<ListPage>): void {
    const representation = this.#shard.representations.of(request);
    const query = parseListRequest(this.#shard, request);
    const fail = (error: Error): void => answer.fail(error);
    this.#shard.pageTurns.add(() => {
      let bytes = 0;
      findList(
        this.#shard,
        query,
        (found) => {
          const rvs = Float64Array.from(found.rvs);
          const { rv, continueToken } = found;
          const remaining = request.hidesRemaining === true ? 0 : found.remaining;
          const meta = { rv, continueToken, remaining };
          const open = newList(representation, meta, rvs);
          const { measuring } = representation.list;
          bytes = measuring
            ? this.#measure(open, measuring, answer)
            : this.#reply(open, undefined, answer);
          bytes += LOOK_BYTES * found.lookedAt;
        },
        fail,
      );
      return bytes;
    }, fail);
  }

  more(listId: number, answer: GivingAnswer<ListPage>): void {
    this.#shard.pageTurns.add(
      () => {
        const open = this.#open.get(listId);
        if (open !== undefined) return this.#reply(open, listId, answer);
        answer.fail(badRequest(`list ${listId} is not open`));
        return 0;
      },
      (error) => answer.fail(error),
    );
  }

  close(listId: number): void {
    const open = this.#open.get(listId);
    if (open !== undefined) this.#end(open, listId);
  }

  /**
   * Makes the items that are not kept, to know how long they are, some in each turn; then answers
   * with the first page. As much as there is room for is held until it is sent, and all others are
   * made once more.
   */
  #measure(open: OpenList, measuring: Measuring, answer: GivingAnswer<ListPage>): number {
    const { page } = this.#shard;
    const { rvs } = open;
    let start = open.position;
    let done = 0;
    const again = (): number => this.#measure(open, measuring, answer);
    const lookedAt = this.#prepares(open, undefined, answer, again);
    if (lookedAt !== undefined) return lookedAt;
    page.clear();
    for (; open.position < rvs.length && done < PAGE_BYTES_TARGET; open.position++) {
      const rv = rvs[open.position] ?? 0;
      const { length } = page;
      const kept = measuring.keptLength(rv);
      const item = kept ?? this.#prepared(open, () => measuring.make(page, rv, this.#wireAt));
      if (item === 'unprepared') break;
      if (item === undefined) {
        this.#end(open);
        answer.fail(expired(READ_TOO_SLOWLY));
        return done;
      }
      done += kept === undefined ? item : LOOK_BYTES;
      open.bytes += item;
      if (page.length > length) continue;
      this.#hold(open, start);
      start = open.position + 1;
    }
    this.#hold(open, start);
    if (open.position < rvs.length) {
      this.#shard.pageTurns.add(again, (error) => answer.fail(error));
      return done;
    }
    open.position = 0;
    if (open.preparedTo < Infinity) open.preparedTo = 0;
    return done + this.#reply(open, undefined, answer);
  }

  /** Takes the items in the page, from the one at `start` on, where there is room for them. */
  #hold(open: OpenList, start: number): void {
    const { page } = this.#shard;
    const { length } = page;
    if (length === 0) return;
    if (this.#madeBytes + length <= LIST_MADE_BYTES_MAX) {
      const bytes = page.isLong ? page.take() : Uint8Array.from(page.bytes());
      open.made.push({ start, end: open.position, bytes });
      this.#madeBytes += length;
    }
    page.clear();
  }

  /** At once: the garbage collector lets such memory grow by tens of megabytes. */
  #free({ bytes }: MadeItems): void {
    this.#madeBytes -= bytes.length;
    (bytes.buffer as ArrayBuffer).transfer(0);
  }

  /** Adds items to the page until it has so many bytes. False when one is gone. */
  #addItems(open: OpenList, bytes: number): boolean {
    const { page } = this.#shard;
    const { list } = open.representation;
    while (open.position < open.rvs.length && page.length < bytes) {
      const [made] = open.made;
      if (made?.start === open.position) {
        page.add(made.bytes);
        open.position = made.end;
        open.made.shift();
        this.#free(made);
        continue;
      }
      if (list.runs !== undefined) {
        if (!this.#addRun(open, list.runs, bytes)) return false;
        continue;
      }
      const rv = open.rvs[open.position] ?? 0;
      const isFirst = open.position === 0;
      const added = this.#prepared(open, () => list.addItem(page, rv, this.#wireAt, isFirst));
      if (added === 'unprepared') break;
      if (!added) return false;
      open.position++;
    }
    return true;
  }

  /** Adds a run of items, or the first of them where they are long. False when one is gone. */
  #addRun(open: OpenList, runs: KeptRuns, bytes: number): boolean {
    const { page } = this.#shard;
    const { list } = open.representation;
    const { rvs, position: start } = open;
    const end = runs.end(rvs, start);
    const kept = runs.get(rvs, start, end);
    if (kept !== undefined) {
      if (start > 0 && list.separator !== undefined) page.add(list.separator);
      page.add(kept);
      open.position = end;
      return true;
    }
    const from = page.length + (start > 0 ? (list.separator?.length ?? 0) : 0);
    for (; open.position < end; open.position++) {
      const isTooLong = page.length - from > RUN_BYTES_MAX;
      if (isTooLong && page.length >= bytes) return true;
      const rv = rvs[open.position] ?? 0;
      if (!list.addItem(page, rv, this.#wireAt, open.position === 0)) return false;
    }
    runs.offer(rvs, start, end, page.bytes().subarray(from));
    return true;
  }

  /** Makes an item; what is not prepared, or was and is not known any more, begins a new page. */
  #prepared<T>(open: OpenList, make: () => T): T | 'unprepared' {
    if (open.position >= open.preparedTo) return 'unprepared';
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      open.preparedTo = open.position;
      return 'unprepared';
    }
  }

  /**
   * Undefined when the next page can be made. Where it needs a webhook first, `again` makes it when
   * that has answered, and the size of what was looked at is returned. What is prepared is held
   * until the next page.
   */
  #prepares(
    open: OpenList,
    listId: number | undefined,
    answer: GivingAnswer<ListPage>,
    again: () => number,
  ): number | undefined {
    const { needed } = open.representation;
    if (needed === undefined || open.position < open.preparedTo) return undefined;
    open.held?.release();
    open.held = undefined;
    const ahead = neededAhead(needed, open.rvs, open.position, this.#wireAt);
    open.preparedTo = ahead.end;
    if (ahead.needed === undefined) return undefined;
    ahead.needed.prepare().then(
      (held) => {
        open.held = held;
        const isClosed = listId !== undefined && this.#open.get(listId) !== open;
        if (isClosed) this.#end(open, listId);
        else this.#shard.pageTurns.add(again, (error) => answer.fail(error));
      },
      (error: unknown) => {
        this.#end(open, listId);
        answer.fail(error);
      },
    );
    return ahead.bytes;
  }

  /** Answers with the next page; returns its size. */
  #reply(open: OpenList, listId: number | undefined, answer: GivingAnswer<ListPage>): number {
    const { page } = this.#shard;
    const again = (): number => this.#reply(open, listId, answer);
    const lookedAt = this.#prepares(open, listId, answer, again);
    if (lookedAt !== undefined) return lookedAt;
    page.clear();
    const { rvs, meta } = open;
    const { list } = open.representation;
    if (!open.isBegun) page.add(list.head(meta, { count: rvs.length, bytes: open.bytes }));
    open.isBegun = true;
    const bytes = Math.max(PAGE_BYTES_MIN, PAGE_BYTES_TARGET / Math.max(1, this.#open.size));
    if (!this.#addItems(open, bytes)) {
      this.#end(open, listId);
      answer.fail(expired(READ_TOO_SLOWLY));
      return page.length;
    }
    if (open.position === rvs.length) {
      page.add(list.tail(meta));
      this.#end(open, listId);
      return sendPage(page, LAST_PAGE, answer);
    }
    const id = listId ?? this.#nextId++;
    this.#open.set(id, open);
    return sendPage(page, { listId: id }, answer);
  }

  #end(open: OpenList, listId?: number): void {
    if (listId !== undefined) this.#open.delete(listId);
    for (const made of open.made.splice(0)) this.#free(made);
    open.held?.release();
    open.held = undefined;
  }
}

function newList(representation: Representation, meta: ListMeta, rvs: Float64Array): OpenList {
  const preparedTo = representation.needed === undefined ? Infinity : 0;
  const counts = { bytes: 0, position: 0, preparedTo, isBegun: false };
  return { representation, meta, rvs, made: [], held: undefined, ...counts };
}

/** Returns how long the page was. */
function sendPage(page: PageBuffer, header: ListPage, answer: GivingAnswer<ListPage>): number {
  const { length } = page;
  if (page.isLong) answer.replyGiven(header, page.take());
  else answer.reply(header, page.bytes());
  return length;
}

const READ_TOO_SLOWLY = 'The list was read so slowly that its versions are gone.';
