/** The references of pods and volumes to other objects, which a node agent has to read. */
import type {
  AzureFilePersistentVolumeSource,
  PersistentVolumeSource,
  PersistentVolumeSpec,
  PodSpec,
  SecretReference,
  Volume,
  VolumeSource,
} from '#messages/core.v1';
import type { ApiObject } from '../../resources/kind.ts';
import { ownRelease } from '../../release/release.ts';
import { MIRROR_ANNOTATION } from '../../resources/core/pods/pod-annotations.ts';

const REFERRED_TYPES = [
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'serviceaccounts',
  'resourceclaims',
] as const;

/** Types of which nodes are let see what their pods use. */
export type ReferredType = (typeof REFERRED_TYPES)[number];

/** The type, namespace and name of an object in one text. */
export function reference(type: ReferredType, namespace: string, name: string): string {
  return `${type} ${namespace}/${name}`;
}

interface SecretSource {
  readonly secretRef?: SecretReference;
}

type Names = (string | undefined)[];

/** References to the objects that a node may see for a pod that it has, each once. */
export function podReferences(pod: ApiObject): string[] {
  // A node could make such pods by itself, and must not let itself see more by them.
  if (pod.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined) return [];
  const names = referredNames(pod);
  const { namespace = '' } = pod.metadata;
  const all = REFERRED_TYPES.flatMap((type) =>
    names[type].map((name) => reference(type, namespace, name)),
  );
  return [...new Set(all)];
}

/** The names of all that a pod refers to in its namespace. */
export function referredNames({
  metadata,
  ...rest
}: ApiObject): Readonly<Record<ReferredType, readonly string[]>> {
  const { name: podName = '' } = metadata;
  const spec = (rest as { readonly spec?: PodSpec }).spec ?? {};
  const { imagePullSecrets = [], initContainers = [], containers = [], volumes = [] } = spec;
  const all = [...initContainers, ...containers, ...(spec.ephemeralContainers ?? [])];
  const env = all.flatMap((container) => container.env ?? []);
  const envFrom = all.flatMap((container) => container.envFrom ?? []);
  const projected = volumes.flatMap((volume) => volume.projected?.sources ?? []);
  const secrets: Names = [
    ...imagePullSecrets.map(({ name }) => name),
    ...envFrom.map(({ secretRef }) => secretRef?.name),
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...projected.map(({ secret }) => secret?.name),
    ...volumes.flatMap(secretsOfVolume),
  ];
  const configMaps: Names = [
    ...envFrom.map(({ configMapRef }) => configMapRef?.name),
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ...projected.map(({ configMap }) => configMap?.name),
    ...volumes.map(({ configMap }) => configMap?.name),
  ];
  const claims: Names = volumes.map((volume) => {
    const { persistentVolumeClaim, ephemeral, name = '' } = volume;
    if (persistentVolumeClaim !== undefined) return persistentVolumeClaim.claimName;
    // A volume of the pod's own has a claim that is named after both.
    return ephemeral === undefined ? undefined : `${podName}-${name}`;
  });
  return {
    secrets: given(secrets),
    configmaps: given(configMaps),
    persistentvolumeclaims: given(claims),
    serviceaccounts: given([spec.serviceAccountName]),
    resourceclaims: given(claimsOf(rest as PodWithClaims)),
  };
}

/** As far as a pod says which devices it has claimed. */
interface PodWithClaims {
  readonly spec?: {
    readonly resourceClaims?: readonly {
      readonly name?: string;
      readonly resourceClaimName?: string;
      /** Where older releases have it. */
      readonly source?: { readonly resourceClaimName?: string };
    }[];
  };
  readonly status?: {
    readonly resourceClaimStatuses?: readonly {
      readonly name?: string;
      readonly resourceClaimName?: string;
    }[];
    readonly extendedResourceClaimStatus?: { readonly resourceClaimName?: string };
  };
}

function claimsOf({ spec = {}, status = {} }: PodWithClaims): Names {
  const { resourceClaims = [] } = spec;
  const { resourceClaimStatuses = [], extendedResourceClaimStatus } = status;
  const made = ({ name }: { readonly name?: string }) =>
    resourceClaimStatuses.find((one) => one.name === name)?.resourceClaimName;
  const named = resourceClaims.map((claim) => {
    return claim.resourceClaimName ?? claim.source?.resourceClaimName ?? made(claim);
  });
  return [...named, extendedResourceClaimStatus?.resourceClaimName];
}

const SEES_EPHEMERAL = ownRelease().has('ephemeralReferences');

/** Says how far the references of a pod have grown since it has its node; '' for not at all. */
export function growthOf(pod: ApiObject): string {
  const { spec, status } = pod as PodWithClaims & { readonly spec?: PodSpec };
  const ephemeral = SEES_EPHEMERAL ? (spec?.ephemeralContainers?.length ?? 0) : 0;
  const { resourceClaimStatuses: claims, extendedResourceClaimStatus: extended } = status ?? {};
  if (ephemeral === 0 && claims === undefined && extended === undefined) return '';
  return JSON.stringify([ephemeral, claims, extended]);
}

function given(names: Names): string[] {
  return names.flatMap((name) => name || []);
}

function secretsOfVolume(volume: Volume): Names {
  return [
    volume.azureFile?.secretName,
    volume.secret?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...secretSources(volume).map(({ secretRef }) => secretRef?.name),
    volume.storageos?.secretRef?.name,
  ];
}

function secretSources(of: VolumeSource | PersistentVolumeSource): SecretSource[] {
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi } = of;
  return [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi].flatMap((source) => source ?? []);
}

/** The secrets that a node needs for a volume: in the namespace of its claim where none is said. */
export function volumeSecrets(spec: PersistentVolumeSpec): string[] {
  const { azureFile, csi, storageos, claimRef } = spec;
  const home = claimRef?.namespace ?? '';
  const secrets: (SecretReference | undefined)[] = [
    azureFile === undefined ? undefined : secretOfAzure(azureFile),
    ...secretSources(spec).map(({ secretRef }) => secretRef),
    storageos?.secretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
  ];
  return secrets.flatMap((secret) =>
    secret?.name ? [reference('secrets', secret.namespace || home, secret.name)] : [],
  );
}

function secretOfAzure({
  secretName = '',
  secretNamespace = '',
}: AzureFilePersistentVolumeSource): SecretReference {
  return { name: secretName, namespace: secretNamespace };
}
