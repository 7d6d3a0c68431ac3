/** All kinds that are served: a new kind is its message in `proto/`, its file, and a line here. */
import { groupResourceText } from '../semantics/status.ts';
import { CONTROLLER_REVISION } from './apps/controller-revision.ts';
import { CRON_JOB } from './batch/cron-job.ts';
import { LEASE } from './coordination/lease.ts';
import { CONFIG_MAP } from './core/config-map.ts';
import { NAMESPACE } from './core/namespace.ts';
import { PERSISTENT_VOLUME } from './core/persistent-volume.ts';
import { SECRET } from './core/secret.ts';
import type { KindDefinition } from './kind.ts';
import { CSI_STORAGE_CAPACITY } from './storage/csi-storage-capacity.ts';
import { STORAGE_CLASS } from './storage/storage-class.ts';
import { VOLUME_ATTACHMENT } from './storage/volume-attachment.ts';

export const KINDS: readonly KindDefinition[] = [
  NAMESPACE,
  CONFIG_MAP,
  SECRET,
  PERSISTENT_VOLUME,
  CRON_JOB,
  CSI_STORAGE_CAPACITY,
  STORAGE_CLASS,
  VOLUME_ATTACHMENT,
  CONTROLLER_REVISION,
  LEASE,
];

/** The name of a resource type in the process: `configmaps`, `leases.coordination.cluster.io`. */
export function resourceKey({ group, plural }: Pick<KindDefinition, 'group' | 'plural'>): string {
  return groupResourceText({ group, resource: plural });
}
