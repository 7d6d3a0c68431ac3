/** Checks of the sources from which a pod of the restricted level may have its files. */
import type { Volume } from '#messages/core.v1';
import type { SourceMember } from '../../../resources/core/volumes/volume-sources.ts';
import { counted, distinctSorted, inQuotes, named } from '../pod-check.ts';
import type { CheckedPod, Violation } from '../pod-check.ts';

const ALLOWED: readonly SourceMember[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

const RESTRICTED: readonly SourceMember[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

export function restrictedVolumes({ spec = {} }: CheckedPod): Violation | undefined {
  const volumes = (spec.volumes ?? []).filter((volume) => !has(volume, ALLOWED));
  if (volumes.length === 0) return undefined;
  const names = volumes.map(({ name = '' }) => name);
  const types = distinctSorted(volumes.map((volume) => has(volume, RESTRICTED) ?? 'unknown'));
  const verb = volumes.length === 1 ? 'uses' : 'use';
  const what = `${counted('restricted volume type', types)} ${inQuotes(types)}`;
  return {
    reason: 'restricted volume types',
    detail: `${named('volume', names)} ${verb} ${what}`,
  };
}

/** The first of these sources that the volume has. */
function has(volume: Volume, sources: readonly SourceMember[]): SourceMember | undefined {
  return sources.find((source) => volume[source] !== undefined);
}
