// The facts of each kind that are data: API-FACTS 3.4, 3.5, 3.7, 4.3, 6.7 and RESOURCES.md.
import t from 'tap';
import type { KindDefinition } from '../../src/resources/kind.ts';
import { KINDS, resourceKey } from '../../src/resources/registry.ts';
import { MODEL } from './kind-rules.ts';

const kindsWith = (filter: (kind: KindDefinition) => boolean): string =>
  KINDS.filter(filter)
    .map(({ kind }) => kind)
    .sort()
    .join(' ');

t.same(
  KINDS.map(resourceKey).sort(),
  [
    'configmaps',
    'controllerrevisions.apps',
    'cronjobs.batch',
    'csistoragecapacities.storage.cluster.io',
    'leases.coordination.cluster.io',
    'namespaces',
    'persistentvolumes',
    'secrets',
    'storageclasses.storage.cluster.io',
    'volumeattachments.storage.cluster.io',
  ],
  'resource types',
);

t.equal(
  kindsWith((kind) => !kind.namespaced),
  'Namespace PersistentVolume StorageClass VolumeAttachment',
  'cluster-scoped kinds',
);
t.equal(
  kindsWith((kind) => !kind.unconditionalUpdate),
  'CSIStorageCapacity Lease VolumeAttachment',
  '3.4: no update without a version',
);
t.equal(
  kindsWith((kind) => kind.putCreates),
  'Lease',
  '3.4: PUT creates',
);
t.equal(
  kindsWith((kind) => kind.tracksGeneration),
  'CronJob',
  '3.5: generation',
);
t.equal(
  kindsWith((kind) => kind.deleteReturns === 'object'),
  'Namespace PersistentVolume StorageClass VolumeAttachment',
  '4.3: an immediate delete returns the object',
);
t.equal(
  kindsWith((kind) => kind.statusSubresource !== undefined),
  'CronJob Namespace PersistentVolume VolumeAttachment',
  'kinds with /status',
);
t.equal(
  kindsWith((kind) => kind.statusSubresource?.metadataWritable === false),
  'VolumeAttachment',
  '6.7: metadata is not writable through /status',
);
t.equal(
  kindsWith((kind) => !kind.checksFinalizerNames),
  'Lease',
  '3.7: any finalizer name',
);
t.equal(
  kindsWith((kind) => kind.nameRule !== 'dnsSubdomain'),
  'Namespace',
  '3.7: name rules',
);

t.test('each kind has its message in proto/', async (t) => {
  for (const { kind, message } of KINDS) t.ok(MODEL.messages[message], kind);
});
