/**
 * Tells in StorageVersions in which version this server stores the objects of each built-in type
 * (src/controllers/README.md#identity-and-storage-versions).
 */
import type { StorageVersion, StorageVersionStatus } from '#messages/apiserverinternal.v1alpha1';
import { deepEqual } from '../../base/deep-equal.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { STORAGE_VERSIONS_INTERVAL_MS } from '../../limits.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { STORAGE_VERSION } from '../../resources/apiserverinternal/storage-version.ts';
import { groupVersionOf, type KindDefinition } from '../../resources/kind.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { enabledApi } from '../../types/runtime-config.ts';
import type { IdentityOptions } from './server-identity.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

const STORAGE_VERSIONS = 'storageversions.internal.apiserver.cluster.io';
const AGREED = 'AllEncodingVersionsEqual';

export interface StorageVersionOptions extends IdentityOptions {
  readonly runtimeConfig: string;
  readonly featureGates: FeatureGates;
}

/**
 * Tells them, and mends them from time to time, until it is told to stop. Ports: `control`, and
 * that of the shard of StorageVersions; where these are not served there is nobody to tell.
 */
export async function tellStorageVersions(
  ports: Ports,
  { serverId, runtimeConfig, featureGates, nowMs, logError }: StorageVersionOptions,
): Promise<void> {
  const served = enabledApi({ runtimeConfig, featureGates }).types;
  const stored = new Map(
    served.map(({ definition: kind }) => [storageVersionName(kind), kind] as const),
  );
  if (!served.some(({ definition }) => definition === STORAGE_VERSION)) {
    logError(`StorageVersionAPI: ${groupVersionOf(STORAGE_VERSION)} is not in --runtime-config`);
    await runController(ports, { begin: () => undefined, stop: () => undefined });
    return;
  }
  const shard = new ShardObjects(STORAGE_VERSIONS, portOf(ports, STORAGE_VERSIONS));
  let objectsMade = 0;
  const queue = new WorkQueue({
    name: 'storage_versions',
    work: async (name) => {
      const definition = stored.get(name);
      if (definition === undefined) return;
      const at = { namespace: '', name };
      let object = await shard.get<StorageVersion>(at);
      if (object === undefined) {
        await shard.create(at, { metadata: { name }, spec: {} });
        objectsMade++;
        object = await shard.get<StorageVersion>(at);
      }
      const told = object?.status;
      const status = toldStatus(told, serverId, definition, utcSeconds(nowMs()));
      if (!deepEqual(status, told)) await shard.update(at, { ...object, status }, 'status');
      queue.addAfter(name, STORAGE_VERSIONS_INTERVAL_MS);
    },
    timers: SYSTEM_TIMERS,
    logError,
  });
  for (const name of stored.keys()) queue.add(name);
  await queue.whenIdle();
  await runController(ports, { begin: () => undefined, stop: () => queue.stop(), objectsMade });
  shard.close();
}

/** `core.pods`, `apps.deployments`. */
function storageVersionName({ group, plural }: KindDefinition): string {
  return `${group === '' ? 'core' : group}.${plural}`;
}

/**
 * The status that is to be stored. There is one server: entries of others, or of this one under
 * another name, do not count any more.
 */
export function toldStatus(
  told: StorageVersionStatus | undefined,
  apiServerID: string,
  definition: KindDefinition,
  now: string,
): StorageVersionStatus {
  const { group, otherVersions = [] } = definition;
  const encodingVersion = groupVersionOf(definition);
  const others = otherVersions.map((other) => groupVersionOf({ group, ...other }));
  const { conditions = [], commonEncodingVersion } = told ?? {};
  const before = conditions.find(({ type }) => type === AGREED);
  const hasMoved = before?.status !== 'True' || commonEncodingVersion !== encodingVersion;
  return {
    storageVersions: [
      { apiServerID, encodingVersion, decodableVersions: [encodingVersion, ...others] },
    ],
    commonEncodingVersion: encodingVersion,
    conditions: [
      ...conditions.filter((condition) => condition !== before),
      {
        type: AGREED,
        status: 'True',
        lastTransitionTime: (hasMoved ? undefined : before.lastTransitionTime) ?? now,
        reason: 'CommonEncodingVersionSet',
        message: 'Common encoding version set',
      },
    ],
  };
}
