/** Finds the labels of a request: the reference's words for verbs and scopes. */
import { dryRunError } from '../../semantics/options/dry-run.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from './route.ts';
import type { CountedRequest, RequestKindMetrics } from '../metrics/request-metrics.ts';

const BY_METHOD: Readonly<Record<string, CountedRequest['verb']>> = {
  get: 'GET',
  head: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};
/** Subresources whose requests go on for as long as the client likes. */
const LONG_SUBRESOURCES = ['attach', 'exec', 'log', 'portforward', 'proxy'];
const APPLY_TYPE = 'application/apply-patch+yaml';

/** The cells of a request that was routed. */
export function countedAs(route: Route, { head, query }: Exchange): RequestKindMetrics {
  const { name, namespace, subresource, metrics } = route;
  const verb = verbOf(route, head);
  const isOne = name !== '' || verb === 'POST';
  return metrics.of({
    verb,
    scope: isOne ? 'resource' : namespace === '' ? 'cluster' : 'namespace',
    subresource,
    dryRun: head.query?.includes('dryRun') === true ? dryRunText(query.all('dryRun')) : '',
    isLong: verb === 'WATCH' || LONG_SUBRESOURCES.includes(subresource),
  });
}

function verbOf(
  { verb }: Route,
  { method, contentType }: Exchange['head'],
): CountedRequest['verb'] {
  if (verb === 'list') return 'LIST';
  if (verb === 'watch') return 'WATCH';
  if (verb === 'patch' && contentType === APPLY_TYPE) return 'APPLY';
  return BY_METHOD[method] ?? 'other';
}

function dryRunText(values: readonly string[]): string {
  const given = [...new Set(values)];
  return dryRunError(given) === undefined ? given.sort().join(',') : 'invalid';
}
