/**
 * What a list request is answered with, for list and deletecollection: which objects in which
 * versions, as of which version, and the token for the rest (SPEC Resource version semantics,
 * Limits; API-FACTS 7).
 */
import { expired } from '../semantics/status.ts';
import type { ContinueToken } from './continue-token.ts';
import { listVersion } from './list-version.ts';
import type { PastState } from './past-states.ts';
import { whenNotOlderThan } from './resource-version.ts';
import { countObjects, selectObjects } from './select-objects.ts';
import { Selection } from './selection.ts';
import type { Shard } from './shard.ts';
import type { ListRequest } from './shard-protocol.ts';
import type { ListMeta } from './wire.ts';

export interface FoundList extends ListMeta {
  /** Key and version of each object, side by side. */
  readonly keys: readonly string[];
  readonly rvs: readonly number[];
}

interface Page {
  readonly rv: number;
  readonly past: PastState | undefined;
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

/**
 * Calls `then` within the turn in which the state was looked at, or `fail` with StatusError 410 or
 * 504 if that comes later. Throws StatusError 400, 410, 422 or 504 for what cannot be listed.
 */
export function findList(
  shard: Shard,
  request: ListRequest,
  then: (found: FoundList) => void,
  fail: (error: Error) => void,
): void {
  const version = listVersion(request);
  const selection = new Selection(shard.kind, request);
  const newest = (start: string): void => {
    const page = { rv: shard.pipeline.listVersion(), past: undefined, start };
    then(findPage(shard, request, selection, { ...page, timeMs: shard.nowMs() }));
  };
  const exact = (page: Omit<Page, 'past'>, gone: () => Error): void => {
    // The version of a token was issued; any other stands in the request.
    whenNotOlderThan(shard, request.resourceVersion, () => {
      shard.past.at(page.rv, (past) => {
        if (past === undefined) fail(gone());
        else then(findPage(shard, request, selection, { ...page, past }));
      });
    });
  };
  switch (version.is) {
    case 'newest':
      whenNotOlderThan(shard, request.resourceVersion, () => newest(''));
      break;
    case 'exact': {
      const page = { rv: version.rv, start: '', timeMs: shard.nowMs() };
      exact(page, () => expired(LIST_EXPIRED));
      break;
    }
    case 'continued': {
      const token = shard.continueTokens.parse(request.continue, keyPrefix(request));
      if (token.rv < 0) newest(token.start);
      else if (isTooOld(shard, token)) fail(tokenExpired(shard, request, token));
      else exact(token, () => tokenExpired(shard, request, token));
      break;
    }
  }
}

function findPage(shard: Shard, request: ListRequest, selection: Selection, page: Page): FoundList {
  const { rv, past, start, timeMs } = page;
  const { keys, rvs, next } = selectObjects(shard, {
    selection,
    start,
    limit: request.limit,
    past,
  });
  if (next === undefined) return { rv, keys, rvs, continueToken: '', remaining: 0 };
  let remaining: number | undefined;
  if (selection.selectsAll) {
    remaining = (page.remaining ?? countObjects(shard, selection, start, past)) - keys.length;
  }
  const token = { rv, start: next, remaining, timeMs };
  const continueToken = shard.continueTokens.issue(token, keyPrefix(request));
  return { rv, keys, rvs, continueToken, remaining: remaining ?? 0 };
}

/** What all keys of the collection begin with. */
function keyPrefix({ namespace }: ListRequest): string {
  return namespace === '' ? '' : `${namespace}/`;
}

/** A token lives as long as history does, even where nothing has changed since. */
function isTooOld(shard: Shard, { timeMs }: ContinueToken): boolean {
  return shard.nowMs() - timeMs > shard.history.windowMs;
}

/** Whoever holds the token may go on with another one, at the newest version. */
function tokenExpired(shard: Shard, request: ListRequest, { start }: ContinueToken): Error {
  const error = expired(TOKEN_EXPIRED);
  const token = { rv: -1, start, timeMs: shard.nowMs() };
  error.status.metadata.continue = shard.continueTokens.issue(token, keyPrefix(request));
  return error;
}
