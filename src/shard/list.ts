/**
 * list: pages assembled from stored bytes. A list is a snapshot of version numbers taken in one
 * turn, so that all its pages are of one version whatever is written meanwhile, and costs eight
 * bytes per object until the client has read it (SPEC Resource version semantics; API-FACTS 7).
 */
import type { Answer } from '../actors/link.ts';
import { PAGE_BYTES_TARGET } from '../limits.ts';
import { badRequest, expired } from '../semantics/status.ts';
import { fieldForbidden, invalidObject, notSupported } from '../semantics/field-error.ts';
import type { FieldError } from '../semantics/field-error.ts';
import { parseResourceVersion, whenNotOlderThan } from './resource-version.ts';
import { Selection } from './selection.ts';
import type { Shard } from './shard.ts';
import type { ListPage, ListRequest } from './shard-protocol.ts';
import { COMMA, LIST_SUFFIX, OPEN_BRACE, listPrefix } from './wire.ts';

const LAST_PAGE: ListPage = {};

/** Versions of the selected objects in the order of lists, as of this turn. */
export function snapshot(shard: Shard, selection: Selection): Float64Array {
  const rvs: number[] = [];
  const all = selection.selectsAll;
  if (
    selection.name !== undefined &&
    (selection.namespace !== '' || !shard.kind.definition.namespaced)
  ) {
    const entry = shard.table.get(shard.keyOf(selection.namespace, selection.name));
    if (entry !== undefined && selection.matchesSelectors(entry)) rvs.push(entry.rv);
    return Float64Array.from(rvs);
  }
  shard.table.scan(selection.namespace, (entry) => {
    if (all || selection.matchesSelectors(entry)) rvs.push(entry.rv);
  });
  return Float64Array.from(rvs);
}

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
    const shard = this.#shard;
    checkVersionMatch(request);
    const selection = new Selection(shard.kind, request);
    whenNotOlderThan(shard, request.resourceVersion, () => {
      const rv = shard.pipeline.listVersion();
      if (request.resourceVersionMatch === 'Exact') {
        if (parseResourceVersion(request.resourceVersion) !== rv) {
          answer.fail(expired('The resourceVersion for the provided list is too old.'));
          return;
        }
      }
      const open = { rvs: snapshot(shard, selection), position: 0 };
      this.#reply(open, undefined, [listPrefix(shard.kind, rv)], answer);
    });
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

/** The combinations that are refused (API-FACTS 7.2). */
function checkVersionMatch({ resourceVersion, resourceVersionMatch }: ListRequest): void {
  if (resourceVersionMatch === '') return;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (resourceVersion === '') {
    const detail = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
    errors.push(fieldForbidden(field, detail));
  } else if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan') {
    errors.push(notSupported(field, resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
  } else if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    const detail = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
    errors.push(fieldForbidden(field, detail));
  }
  if (errors.length > 0) throw invalidObject('meta.cluster.io', 'ListOptions', '', errors);
}
