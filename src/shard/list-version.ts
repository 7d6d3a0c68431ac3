/**
 * Which version a list is of: one row per cell of the table in SPEC Resource version semantics,
 * and what is refused (API-FACTS 7.1 and 7.2).
 */
import type { FieldError } from '../semantics/field-error.ts';
import { fieldForbidden, invalidObject, notSupported } from '../semantics/field-error.ts';
import { badRequest } from '../semantics/status.ts';
import { parseResourceVersion } from './resource-version.ts';
import type { ListRequest } from './shard-protocol.ts';

/**
 * What the table calls Exact; and Any, Most Recent and Not older than, which are one here. A token
 * says by itself which version it goes on with.
 */
export type ListVersion = { readonly is: 'newest' } | { readonly is: 'exact'; readonly rv: number };

const ZERO = /^0+$/;
const MATCHES = ['Exact', 'NotOlderThan'];

/** Throws StatusError 400 or 422 for the cells that are invalid. */
export function listVersion(request: ListRequest): ListVersion {
  const { resourceVersion, resourceVersionMatch: match, limit } = request;
  checkMatch(request);
  const asked = parseResourceVersion(resourceVersion);
  if (request.continue !== '') {
    if (asked === 0) return { is: 'newest' };
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const isExact = match === 'Exact' || (match === '' && limit > 0);
  if (asked === 0 || !isExact) return { is: 'newest' };
  return { is: 'exact', rv: asked };
}

/** The combinations of ListOptions that are refused. */
function checkMatch(request: ListRequest): void {
  const { resourceVersion, resourceVersionMatch: match } = request;
  if (match === '') return;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  const forbid = (detail: string): void => void errors.push(fieldForbidden(field, detail));
  if (resourceVersion === '') {
    forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  if (request.continue !== '') {
    forbid('resourceVersionMatch is forbidden when continue is provided');
  }
  if (!MATCHES.includes(match)) errors.push(notSupported(field, match, [...MATCHES, '']));
  if (match === 'Exact' && ZERO.test(resourceVersion)) {
    forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (errors.length > 0) throw invalidObject('meta.cluster.io', 'ListOptions', '', errors);
}
