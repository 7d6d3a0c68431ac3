/** The health checks of a server (src/front/README.md#health). */
import type { Cluster } from './cluster/cluster.ts';
import type { Membership } from './cluster/membership.ts';
import type { HealthCheck } from './front/documents/health.ts';
import type { StartSteps } from './front/documents/start-steps.ts';
import { ownRelease } from './release/release.ts';
import type { Store } from './storage/store.ts';

export interface ServerParts {
  readonly store: Store;
  readonly cluster: () => Cluster;
  /** Absent where no other server shares the store. */
  readonly membership: Membership | undefined;
  readonly steps: StartSteps;
  readonly isStopping: () => boolean;
}

export function serverChecks(parts: ServerParts): readonly HealthCheck[] {
  const { store, cluster, membership, steps, isStopping } = parts;
  const isFollower = (): boolean => membership?.isOwner === false;
  const storage = (): Promise<void> => membership?.check() ?? cluster().checkStorage();
  return [
    { name: 'ping', run: () => Promise.resolve() },
    {
      name: 'log',
      run: () =>
        process.stderr.writable
          ? Promise.resolve()
          : Promise.reject(new Error('stderr takes nothing')),
    },
    { name: 'etcd', run: (path) => (path === 'livez' ? readStore(store) : storage()) },
    ...(ownRelease().has('readinessOfStore') ? [storeReadiness(storage)] : []),
    {
      name: 'sequencer',
      // The versions are the owner's.
      run: () => (isFollower() ? Promise.resolve() : cluster().checkSequencer()),
    },
    { name: 'shards', notIn: ['livez'], run: () => cluster().checkShards() },
    ...steps.checks,
    {
      name: 'shutdown',
      notIn: ['livez', 'healthz'],
      run: () => (isStopping() ? Promise.reject(new Error('stopping')) : Promise.resolve()),
    },
  ];
}

/** Newer releases tell it besides: whether requests may come, and not whether to restart. */
function storeReadiness(storage: () => Promise<void>): HealthCheck {
  return { name: 'etcd-readiness', notIn: ['livez', 'healthz'], run: storage };
}

/** The store is there and can be read: what is said without asking who commits. */
async function readStore(store: Store): Promise<void> {
  store.notedLogs();
}
