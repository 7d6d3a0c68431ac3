/**
 * list: pages assembled from stored bytes. A list is a snapshot of version numbers taken in one
 * turn, so that all of it is of one version whatever is written meanwhile, and costs eight bytes
 * per object until the client has read it. `find-list.ts` says which versions.
 */
import type { Answer } from '../actors/link.ts';
import { PAGE_BYTES_TARGET } from '../limits.ts';
import { badRequest, expired } from '../semantics/status.ts';
import { findList } from './find-list.ts';
import type { Shard } from './shard.ts';
import type { ListPage, ListRequest } from './shard-protocol.ts';
import { COMMA, LIST_SUFFIX, OPEN_BRACE, listPrefix } from './wire.ts';

const LAST_PAGE: ListPage = {};

interface OpenList {
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

  /** Throws StatusError 400, 410, 422 or 504 for what cannot be listed. */
  list(request: ListRequest, answer: Answer<ListPage>): void {
    const { kind } = this.#shard;
    findList(
      this.#shard,
      request,
      (found) => {
        const open = { rvs: Float64Array.from(found.rvs), position: 0 };
        this.#reply(open, undefined, [listPrefix(kind, found)], answer);
      },
      (error) => answer.fail(error),
    );
  }

  more(listId: number, answer: Answer<ListPage>): void {
    const open = this.#open.get(listId);
    if (open === undefined) answer.fail(badRequest(`list ${listId} is not open`));
    else this.#reply(open, listId, [], answer);
  }

  close(listId: number): void {
    this.#open.delete(listId);
  }

  #reply(
    open: OpenList,
    listId: number | undefined,
    head: Uint8Array[],
    answer: Answer<ListPage>,
  ): void {
    const { page } = this.#shard;
    page.clear();
    for (const part of head) page.add(part);
    const { rvs } = open;
    while (open.position < rvs.length && page.length < PAGE_BYTES_TARGET) {
      const wire = this.#shard.historicWireAt(rvs[open.position] ?? 0);
      if (wire === undefined) {
        if (listId !== undefined) this.#open.delete(listId);
        answer.fail(expired('The list was read so slowly that its versions are gone.'));
        return;
      }
      if (open.position > 0) page.add(COMMA);
      page.add(OPEN_BRACE);
      page.add(wire);
      open.position++;
    }
    if (open.position === rvs.length) {
      page.add(LIST_SUFFIX);
      if (listId !== undefined) this.#open.delete(listId);
      answer.reply(LAST_PAGE, page.bytes());
      return;
    }
    const id = listId ?? this.#nextId++;
    this.#open.set(id, open);
    answer.reply({ listId: id }, page.bytes());
  }
}
