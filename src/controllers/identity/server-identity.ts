/**
 * The lease by which a server says that it lives, and under whose name it tells what it stores
 * (src/controllers/README.md#identity-and-storage-versions).
 */
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Lease } from '#messages/coordination.v1';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { utcMicros } from '../../base/time/utc-time.ts';
import { IDENTITY_LEASE_RENEW_MS, IDENTITY_LEASE_SECONDS } from '../../limits.ts';
import { ownRelease } from '../../release/release.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { ownName, ownNamespace } from '../../semantics/dialect/own-names.ts';
import { SERVER_MANAGER } from '../../protocol/shard-protocol.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

const LEASES = 'leases.coordination.cluster.io';

export interface IdentityOptions {
  readonly serverId: string;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** Holds the lease until it is told to stop. Ports: `control`, and that of the shard of leases. */
export async function holdIdentity(
  ports: Ports,
  { serverId, nowMs, logError }: IdentityOptions,
): Promise<void> {
  const leases = new ShardObjects(LEASES, portOf(ports, LEASES));
  const at = { namespace: ownNamespace('cluster-system'), name: serverId };
  const labels = identityLabels();
  const holderIdentity = ownRelease().has('hashedServerIds')
    ? `${serverId}_${randomUUID()}`
    : serverId;
  const queue = new WorkQueue({
    name: 'identity_lease',
    work: async (key) => {
      const spec = {
        holderIdentity,
        leaseDurationSeconds: IDENTITY_LEASE_SECONDS,
        renewTime: utcMicros(nowMs()),
      };
      const held = await leases.get<Lease>(at);
      if (held === undefined) await leases.create(at, { metadata: { ...at, labels }, spec });
      else await leases.update(at, { ...held, spec: { ...held.spec, ...spec } });
      queue.addAfter(key, IDENTITY_LEASE_RENEW_MS, SERVER_TIMERS);
    },
    timers: SYSTEM_TIMERS,
    logError,
  });
  queue.add(`lease ${serverId}`);
  await queue.whenIdle();
  await runController(ports, { begin: () => undefined, stop: () => queue.stop() });
  leases.close();
}

function identityLabels(): Readonly<Record<string, string>> {
  const release = ownRelease();
  const key = release.has('serverIdentityLabel')
    ? ownName('apiserver.cluster.io/identity')
    : ownName('cluster.io/component');
  return {
    [key]: SERVER_MANAGER,
    ...(release.has('hashedServerIds') && { [ownName('cluster.io/hostname')]: hostname() }),
  };
}
