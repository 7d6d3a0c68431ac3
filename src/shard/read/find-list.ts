/**
 * Finds the answer to a list request, for list and deletecollection: which objects in which
 * versions, as of which version, and the token for the rest (../README.md#lists).
 */
import { expired } from '../../semantics/errors/status.ts';
import type { ContinueToken } from '../state/continue-token.ts';
import { checkMatch, listVersion } from './list-version.ts';
import type { ListVersion } from './list-version.ts';
import { newestView, viewAt } from './read-view.ts';
import type { ReadView } from './read-view.ts';
import { checkIssued, whenNotOlderThan } from './resource-version.ts';
import { countObjects, findObjects } from './select-objects.ts';
import type { SelectedObjects } from './select-objects.ts';
import { Selection } from '../table/selection.ts';
import type { Shard } from '../state/shard.ts';
import type { ListRequest } from '../../protocol/shard-protocol.ts';
import type { ListMeta } from '../representation/representation.ts';

export interface FoundList extends ListMeta {
  /** Key and version of each object, side by side. */
  readonly keys: readonly string[];
  readonly rvs: readonly number[];
  /** The number of objects of the table that were looked at. */
  readonly lookedAt: number;
}

/** Where a page begins, and in which list. */
interface Page {
  readonly start: string;
  /** Objects from `start` on, if that was counted before. */
  readonly remaining?: number | undefined;
  /** When the first page of this list was made. */
  readonly timeMs: number;
}

const LIST_EXPIRED = 'The resourceVersion for the provided list is too old.';
const TOKEN_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start ' +
  'a new list without the continue parameter, or use the continue token in this response to ' +
  'retrieve the remainder of the results. Continuing with the provided token results in an ' +
  'inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

/** A request that may be answered: parsed once, as it is to be looked for. */
export interface ListQuery {
  readonly request: ListRequest;
  readonly selection: Selection;
  readonly version: ListVersion;
  readonly token: ContinueToken | undefined;
}

/** Throws StatusError 400, 422 or 504 for what cannot be listed. */
export function parseListRequest(shard: Shard, request: ListRequest): ListQuery {
  const selection = new Selection(shard.kind, request, () => checkMatch(request));
  const version = listVersion(request);
  checkIssued(shard, request.resourceVersion);
  if (request.at !== undefined) checkIssued(shard, String(request.at));
  const isFirst = request.continue === '';
  const token = isFirst
    ? undefined
    : shard.continueTokens.parse(request.continue, keyPrefix(request));
  return { request, selection, version, token };
}

/**
 * Calls `then` within the turn in which the last of the state was looked at, or `fail` with
 * StatusError 410: at once, or when the version asked for is committed, or found.
 */
export function findList(
  shard: Shard,
  query: ListQuery,
  then: (found: FoundList) => void,
  fail: (error: Error) => void,
): void {
  const { request, selection, token } = query;
  const most = request.limit > 0 ? request.limit : Infinity;
  const gone = (): void => {
    fail(isAtVersion(token) ? tokenExpired(shard, request, token) : expired(LIST_EXPIRED));
  };
  withView(shard, query, (view) => {
    if (view === undefined) {
      gone();
      return;
    }
    const { start = '' } = token ?? {};
    const page: Page = isAtVersion(token) ? token : { start, timeMs: shard.nowMs() };
    findObjects(
      shard,
      { selection, view, start, most },
      (selected) => then(foundPage(shard, query, page, view, selected)),
      gone,
      fail,
    );
  });
}

/** Calls `then` with the view that a list is of; with undefined when it is no longer known. */
function withView(
  shard: Shard,
  { request, version, token }: ListQuery,
  then: (view: ReadView | undefined) => void,
): void {
  if (isAtVersion(token)) {
    if (isTooOld(shard, token)) then(undefined);
    else viewAt(shard, token.rv, then);
  } else if (token !== undefined) {
    then(newestView(shard));
  } else {
    const asked = request.at === undefined ? request.resourceVersion : String(request.at);
    whenNotOlderThan(shard, asked, (newest) => {
      if (version.is === 'newest') then(newest);
      else viewAt(shard, version.rv, then);
    });
  }
}

/** Whether there is a token that goes on in the list that it was given with. */
function isAtVersion(token: ContinueToken | undefined): token is ContinueToken {
  return token !== undefined && token.rv >= 0;
}

function foundPage(
  shard: Shard,
  { request, selection }: ListQuery,
  { start, timeMs, remaining: known }: Page,
  view: ReadView,
  { keys, rvs, next, lookedAt }: SelectedObjects,
): FoundList {
  const { rv } = view;
  if (next === undefined) return { rv, keys, rvs, lookedAt, continueToken: '', remaining: 0 };
  let remaining: number | undefined;
  let counted = 0;
  if (selection.selectsAll) {
    // At an old version all objects are looked at for it.
    if (view.isPast && known === undefined) counted = shard.table.count(selection.range);
    remaining = (known ?? countObjects(view, selection, start)) - keys.length;
  }
  const token = { rv, start: next, remaining, timeMs };
  const continueToken = shard.continueTokens.issue(token, keyPrefix(request));
  const looked = lookedAt + counted;
  return { rv, keys, rvs, lookedAt: looked, continueToken, remaining: remaining ?? 0 };
}

/** The prefix of all keys of the collection. */
function keyPrefix({ namespace }: ListRequest): string {
  return namespace === '' ? '' : `${namespace}/`;
}

/** A token expires with the history window, even if nothing has changed. */
function isTooOld(shard: Shard, { timeMs }: ContinueToken): boolean {
  return shard.nowMs() - timeMs > shard.history.windowMs;
}

/** The client gets a token with which it can go on at the newest version. */
function tokenExpired(shard: Shard, request: ListRequest, { start }: ContinueToken): Error {
  const error = expired(TOKEN_EXPIRED);
  const token = { rv: -1, start, timeMs: shard.nowMs() };
  error.status.metadata.continue = shard.continueTokens.issue(token, keyPrefix(request));
  return error;
}
