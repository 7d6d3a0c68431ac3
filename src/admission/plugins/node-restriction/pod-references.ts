/** The first thing of the API that a pod refers to, as refusals of mirror pods name it. */
import type { Pod } from '#messages/core.v1';
import { referredNames } from '../../../auth/node/object-references.ts';
import { ownRelease } from '../../../release/release.ts';

interface Source {
  readonly clusterTrustBundle?: object;
  readonly podCertificate?: object;
  readonly configMap?: object;
  readonly secret?: object;
  readonly serviceAccountToken?: object;
}

const NAMES_RESOURCES = ownRelease().has('mirrorsWithoutReferences');
const LOOKS_AT_CLAIMS = ownRelease().has('mirrorsWithoutClaims');

/** Undefined for a pod that refers to nothing. */
export function referredIn(pod: Pod): string | undefined {
  const { serviceaccounts, secrets, configmaps } = referredNames(pod);
  if (serviceaccounts.length > 0) return NAMES_RESOURCES ? 'serviceaccounts' : 'a service account';
  if (secrets.length > 0) return 'secrets';
  if (configmaps.length > 0) return 'configmaps';
  const { volumes = [], resourceClaims = [] } = (pod.spec ?? {}) as NonNullable<Pod['spec']> & {
    readonly resourceClaims?: readonly object[];
  };
  const hasClaims = LOOKS_AT_CLAIMS && resourceClaims.length > 0;
  if (NAMES_RESOURCES) {
    return hasClaims ? 'resourceclaims' : volumes.map(ofVolume).find((what) => what !== undefined);
  }
  const sources: Source[] = volumes.flatMap((volume) => volume.projected?.sources ?? []);
  if (sources.some((source) => source.clusterTrustBundle !== undefined)) {
    return 'clustertrustbundles';
  }
  const hasVolumeClaim = volumes.some((volume) => volume.persistentVolumeClaim !== undefined);
  if (hasVolumeClaim) return 'persistentvolumeclaims';
  return hasClaims ? 'resourceclaims' : undefined;
}

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

function ofVolume(volume: Volume): string | undefined {
  if (volume.configMap !== undefined) return 'configmaps (via configmap volumes)';
  if (volume.secret !== undefined) return 'secrets (via secret volumes)';
  if (volume.csi !== undefined) return 'csidrivers (via CSI volumes)';
  if (volume.glusterfs !== undefined) return 'endpoints (via glusterFS volumes)';
  if (volume.persistentVolumeClaim !== undefined) return 'persistentvolumeclaims';
  if (volume.ephemeral !== undefined) return 'persistentvolumeclaims (via ephemeral volumes)';
  if (volume.azureFile !== undefined) return 'secrets (via azureFile volumes)';
  return volume.projected?.sources?.map(ofSource).find((what) => what !== undefined);
}

function ofSource(source: Source): string | undefined {
  if (source.configMap !== undefined) return 'configmaps (via projected volumes)';
  if (source.secret !== undefined) return 'secrets (via projected volumes)';
  if (source.serviceAccountToken !== undefined) return 'serviceaccounts (via projected volumes)';
  if (source.clusterTrustBundle !== undefined) return 'clustertrustbundles';
  return source.podCertificate === undefined ? undefined : 'podcertificates';
}
