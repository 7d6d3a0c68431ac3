/**
 * list: pages assembled from stored bytes. A list is a snapshot of version numbers taken in one
 * turn, so that all of it is of one version whatever is written meanwhile, and costs eight bytes
 * per object until the client has read it. `find-list.ts` says which versions.
 */
import type { Answer } from '../actors/link.ts';
import { LOOK_BYTES, PAGE_BYTES_MIN, PAGE_BYTES_TARGET } from '../limits.ts';
import type { ServedVersion } from '../resources/served-version.ts';
import { badRequest, expired } from '../semantics/status.ts';
import { findList, parseListRequest } from './find-list.ts';
import type { Shard } from './shard.ts';
import type { ListPage, ListRequest } from './shard-protocol.ts';
import { COMMA, LIST_SUFFIX, OPEN_BRACE, listPrefix } from './wire.ts';

const LAST_PAGE: ListPage = {};
const NO_BYTES = new Uint8Array(0);

interface OpenList {
  readonly version: ServedVersion;
  readonly rvs: Float64Array;
  position: number;
}

/** The lists whose clients are still reading. */
export class Lists {
  readonly #shard: Shard;
  readonly #open = new Map<number, OpenList>();
  #nextId = 1;

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Throws StatusError 400, 422 or 504 for what cannot be listed; what is gone fails with 410. */
  list(request: ListRequest, answer: Answer<ListPage>): void {
    const version = this.#shard.kind.version(request.version);
    const query = parseListRequest(this.#shard, request);
    this.#shard.pageTurns.add(() => {
      let bytes = 0;
      findList(
        this.#shard,
        query,
        (found) => {
          const open = { version, rvs: Float64Array.from(found.rvs), position: 0 };
          bytes = this.#reply(open, undefined, listPrefix(version, found), answer);
          bytes += LOOK_BYTES * found.lookedAt;
        },
        (error) => answer.fail(error),
      );
      return bytes;
    });
  }

  more(listId: number, answer: Answer<ListPage>): void {
    this.#shard.pageTurns.add(() => {
      const open = this.#open.get(listId);
      if (open !== undefined) return this.#reply(open, listId, NO_BYTES, answer);
      answer.fail(badRequest(`list ${listId} is not open`));
      return 0;
    });
  }

  close(listId: number): void {
    this.#open.delete(listId);
  }

  /** Answers with the next page; returns its size. */
  #reply(
    open: OpenList,
    listId: number | undefined,
    head: Uint8Array,
    answer: Answer<ListPage>,
  ): number {
    const { page } = this.#shard;
    page.clear();
    page.add(head);
    const { rvs, version } = open;
    const bytes = Math.max(PAGE_BYTES_MIN, PAGE_BYTES_TARGET / Math.max(1, this.#open.size));
    while (open.position < rvs.length && page.length < bytes) {
      const wire = this.#shard.historicWireAt(rvs[open.position] ?? 0);
      if (wire === undefined) {
        if (listId !== undefined) this.#open.delete(listId);
        answer.fail(expired('The list was read so slowly that its versions are gone.'));
        return page.length;
      }
      if (open.position > 0) page.add(COMMA);
      page.add(OPEN_BRACE);
      page.add(version.members(wire));
      open.position++;
    }
    if (open.position === rvs.length) {
      page.add(LIST_SUFFIX);
      if (listId !== undefined) this.#open.delete(listId);
      answer.reply(LAST_PAGE, page.bytes());
      return page.length;
    }
    const id = listId ?? this.#nextId++;
    this.#open.set(id, open);
    answer.reply({ listId: id }, page.bytes());
    return page.length;
  }
}
