/**
 * Reads of the past: `?at=VERSION` or `?at=TIME`, and the same below `/shardplane/at/…`
 * (src/laboratory/README.md#the-past).
 */
import { isVersion, READS } from '../../laboratory/lab-request.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import type { RequestHead } from '../http.ts';
import type { PointInTime, RequestContext } from '../request-context.ts';
import type { ShardVersions } from './shard-versions.ts';

const BELOW = /^\/shardplane\/at\/([^/]+)(\/.*)?$/;

/** The request that a path below `/shardplane/at/` stands for; others as they are. */
export function headInPast(head: RequestHead): RequestHead {
  const [, at, path = '/'] = BELOW.exec(head.path) ?? [];
  if (at === undefined) return head;
  const asOf = `at=${encodeURIComponent(at)}`;
  const query = head.query === undefined || head.query === '' ? asOf : `${head.query}&${asOf}`;
  return Object.create(head, {
    path: { value: path },
    query: { value: query },
    url: { value: `${encodeURI(path)}?${query}` },
  }) as RequestHead;
}

/** Has a request that says `at` answered as of then. Throws StatusError, or rejects with it. */
export function readPast(
  context: RequestContext,
  shard: string,
  versions: ShardVersions,
): void | Promise<void> {
  const { exchange, attributes } = context;
  const at = exchange.query.text('at');
  if (at === '') return;
  if (!READS.has(attributes.verb)) throw badRequest('at: the past can be read, and not changed');
  if (isVersion(at)) {
    context.past = standing(Number(at));
    return;
  }
  const untilMs = Date.parse(at);
  if (Number.isNaN(untilMs)) {
    throw badRequest(`at is "${at}": give a version, or a time such as 2026-01-02T03:04:05Z`);
  }
  return versions.of(shard, { untilMs }).then((version) => {
    context.past = standing(version);
  });
}

/** A version that does not move. */
function standing(version: number): PointInTime {
  return { version, whenMoved: () => () => undefined };
}
