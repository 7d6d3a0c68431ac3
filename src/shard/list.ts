/**
 * list: pages assembled from stored bytes. A list is a snapshot of version numbers taken in one
 * turn, so that all of it is of one version whatever is written meanwhile, and costs eight bytes
 * per object until the client has read it. `find-list.ts` says which versions.
 */
import type { GivingAnswer } from '../actors/link.ts';
import { LOOK_BYTES, PAGE_BYTES_MIN, PAGE_BYTES_TARGET } from '../limits.ts';
import { badRequest, expired } from '../semantics/status.ts';
import { findList, parseListRequest } from './find-list.ts';
import type { PageBuffer } from './page-buffer.ts';
import type {
  ListMeta,
  ListWriter,
  Representation,
  WireAt,
} from './representation/representation.ts';
import type { Shard } from './shard.ts';
import type { ListPage, ListRequest } from './shard-protocol.ts';

const LAST_PAGE: ListPage = {};

type LengthOf = NonNullable<ListWriter['lengthOf']>;

interface OpenList {
  readonly representation: Representation;
  readonly meta: ListMeta;
  readonly rvs: Float64Array;
  /** How long the items are together, as far as they were measured. */
  bytes: number;
  position: number;
  isBegun: boolean;
}

/** The lists whose clients are still reading. */
export class Lists {
  readonly #shard: Shard;
  readonly #wireAt: WireAt;
  readonly #open = new Map<number, OpenList>();
  #nextId = 1;

  constructor(shard: Shard) {
    this.#shard = shard;
    this.#wireAt = (rv) => shard.historicWireAt(rv);
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Throws StatusError 400, 422 or 504 for what cannot be listed; what is gone fails with 410. */
  list(request: ListRequest, answer: GivingAnswer<ListPage>): void {
    const representation = this.#shard.representations.of(request);
    const query = parseListRequest(this.#shard, request);
    this.#shard.pageTurns.add(() => {
      let bytes = 0;
      findList(
        this.#shard,
        query,
        (found) => {
          const rvs = Float64Array.from(found.rvs);
          const { rv, continueToken, remaining } = found;
          const meta = { rv, continueToken, remaining };
          const open = { representation, meta, rvs, bytes: 0, position: 0, isBegun: false };
          bytes =
            representation.list.lengthOf === undefined
              ? this.#reply(open, undefined, answer)
              : this.#measure(open, representation.list.lengthOf, answer);
          bytes += LOOK_BYTES * found.lookedAt;
        },
        (error) => answer.fail(error),
      );
      return bytes;
    });
  }

  more(listId: number, answer: GivingAnswer<ListPage>): void {
    this.#shard.pageTurns.add(() => {
      const open = this.#open.get(listId);
      if (open !== undefined) return this.#reply(open, listId, answer);
      answer.fail(badRequest(`list ${listId} is not open`));
      return 0;
    });
  }

  close(listId: number): void {
    this.#open.delete(listId);
  }

  /** Adds up how long the items are, some in each turn; then answers with the first page. */
  #measure(open: OpenList, lengthOf: LengthOf, answer: GivingAnswer<ListPage>): number {
    const { rvs } = open;
    let looked = 0;
    while (open.position < rvs.length && looked < PAGE_BYTES_TARGET) {
      const length = lengthOf(rvs[open.position] ?? 0, this.#wireAt);
      if (length === undefined) {
        answer.fail(expired(READ_TOO_SLOWLY));
        return looked;
      }
      open.bytes += length;
      looked += length;
      open.position++;
    }
    if (open.position < rvs.length) {
      this.#shard.pageTurns.add(() => this.#measure(open, lengthOf, answer));
      return looked;
    }
    open.position = 0;
    return looked + this.#reply(open, undefined, answer);
  }

  /** Answers with the next page; returns its size. */
  #reply(open: OpenList, listId: number | undefined, answer: GivingAnswer<ListPage>): number {
    const { page } = this.#shard;
    page.clear();
    const { rvs, meta } = open;
    const { list } = open.representation;
    if (!open.isBegun) page.add(list.head(meta, { count: rvs.length, bytes: open.bytes }));
    open.isBegun = true;
    const bytes = Math.max(PAGE_BYTES_MIN, PAGE_BYTES_TARGET / Math.max(1, this.#open.size));
    while (open.position < rvs.length && page.length < bytes) {
      const rv = rvs[open.position] ?? 0;
      if (!list.addItem(page, rv, this.#wireAt, open.position === 0)) {
        if (listId !== undefined) this.#open.delete(listId);
        answer.fail(expired(READ_TOO_SLOWLY));
        return page.length;
      }
      open.position++;
    }
    if (open.position === rvs.length) {
      page.add(list.tail(meta));
      if (listId !== undefined) this.#open.delete(listId);
      return sendPage(page, LAST_PAGE, answer);
    }
    const id = listId ?? this.#nextId++;
    this.#open.set(id, open);
    return sendPage(page, { listId: id }, answer);
  }
}

/** Returns how long the page was. */
function sendPage(page: PageBuffer, header: ListPage, answer: GivingAnswer<ListPage>): number {
  const { length } = page;
  if (page.isLong) answer.replyGiven(header, page.take());
  else answer.reply(header, page.bytes());
  return length;
}

const READ_TOO_SLOWLY = 'The list was read so slowly that its versions are gone.';
