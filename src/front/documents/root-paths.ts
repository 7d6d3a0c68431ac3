/** The list of paths at `/` (src/front/README.md#other-documents). */
import { countsIn } from './health.ts';
import type { HealthCheck, HealthPath } from './health.ts';

export interface RootPaths {
  readonly paths: readonly string[];
}

const HEALTH_PATHS: readonly HealthPath[] = ['healthz', 'livez', 'readyz'];

/**
 * All of them, sorted: those of discovery documents, the health checks, and `otherPaths` such as
 * `/version`.
 */
export function rootPaths(
  discoveryPaths: Iterable<string>,
  checks: readonly Pick<HealthCheck, 'name' | 'notIn'>[],
  otherPaths: readonly string[],
): RootPaths {
  const health = HEALTH_PATHS.flatMap((path) => [
    `/${path}`,
    ...checks.filter((check) => countsIn(check, path)).map(({ name }) => `/${path}/${name}`),
  ]);
  return { paths: [...new Set([...discoveryPaths, '/apis/', ...health, ...otherPaths])].sort() };
}
