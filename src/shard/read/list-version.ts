/** Which version a list is of, and what is refused: one row per cell of ../README.md#lists. */
import { invalidObject } from '../../semantics/errors/field-error.ts';
import { versionMatchErrors } from '../../semantics/options/list-options.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import { parseResourceVersion } from './resource-version.ts';
import type { ListRequest } from '../../protocol/shard-protocol.ts';

/**
 * `exact` is the table's exact. Any, newest and not older are one here, because all reads see the
 * newest committed state. A token carries its own version.
 */
export type ListVersion = { readonly is: 'newest' } | { readonly is: 'exact'; readonly rv: number };

/** Throws StatusError 400 or 422 for the cells that are invalid. */
export function listVersion(request: ListRequest): ListVersion {
  const { resourceVersion, resourceVersionMatch: match, limit, at } = request;
  const asked = parseResourceVersion(resourceVersion);
  if (request.continue !== '') {
    if (asked === 0) return { is: 'newest' };
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (at !== undefined) return { is: 'exact', rv: at };
  const isExact = match === 'Exact' || (match === '' && limit > 0);
  if (asked === 0 || !isExact) return { is: 'newest' };
  return { is: 'exact', rv: asked };
}

/** Throws StatusError 422 for the combinations of ListOptions that are refused. */
export function checkMatch(request: ListRequest): void {
  const errors = versionMatchErrors(request);
  if (errors.length > 0) throw invalidObject(META_GROUP, 'ListOptions', '', errors);
}
