/** The files by which the programs of a pod use the API as its account. */
import type { PodSpec, ProjectedVolumeSource } from '#messages/core.v1';
import { RANDOMNESS } from '../../../base/randomness.ts';
import { ROOT_CERTIFICATES } from '../../../resources/core/config-map.ts';
import { ownDomain } from '../../../semantics/dialect/own-names.ts';
import { POD_TOKEN_SECONDS } from '../../../semantics/options/token-seconds.ts';
import { generatedName } from '../../../types/generated-name.ts';

const NAME_PREFIX = 'kube-api-access-';
const MOUNT_PATH = `/var/run/secrets/${ownDomain('cluster.io')}/serviceaccount`;
const FILE_MODE = 0o644;

/** Mounts them in each container that has nothing else at their place. */
export function mountToken(spec: PodSpec): void {
  const { volumes = [], initContainers = [], containers = [] } = spec;
  const present = volumes.find(({ name = '' }) => name.startsWith(NAME_PREFIX));
  const name = present?.name ?? generatedName(NAME_PREFIX, RANDOMNESS);
  let isMounted = false;
  for (const container of [...initContainers, ...containers]) {
    const mounts = (container.volumeMounts ??= []);
    if (mounts.some(({ mountPath }) => mountPath === MOUNT_PATH)) continue;
    mounts.push({ name, readOnly: true, mountPath: MOUNT_PATH });
    isMounted = true;
  }
  if (present !== undefined || !isMounted) return;
  spec.volumes = [...volumes, { name, projected: tokenFiles() }];
}

function tokenFiles(): ProjectedVolumeSource {
  const namespace = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: POD_TOKEN_SECONDS, path: 'token' } },
      { configMap: { name: ROOT_CERTIFICATES, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: namespace }] } },
    ],
    defaultMode: FILE_MODE,
  };
}
