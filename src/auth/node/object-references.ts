/** What pods and volumes name of other objects, so that a node agent has to read them. */
import type { ApiObject } from '../../resources/kind.ts';
import { MIRROR_ANNOTATION } from '../../resources/core/pod-annotations.ts';

const REFERRED_TYPES = [
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'serviceaccounts',
] as const;

/** Types of which nodes are let see what their pods use. */
export type ReferredType = (typeof REFERRED_TYPES)[number];

/** The type, namespace and name of an object in one text. */
export function reference(type: ReferredType, namespace: string, name: string): string {
  return `${type} ${namespace}/${name}`;
}

interface Named {
  readonly name?: string;
  readonly namespace?: string;
}

interface Container {
  readonly envFrom?: readonly { readonly secretRef?: Named; readonly configMapRef?: Named }[];
  readonly env?: readonly {
    readonly valueFrom?: { readonly secretKeyRef?: Named; readonly configMapKeyRef?: Named };
  }[];
}

interface SecretSource {
  readonly secretRef?: Named;
}

interface PodVolume {
  readonly name?: string;
  readonly azureFile?: { readonly secretName?: string };
  readonly cephfs?: SecretSource;
  readonly cinder?: SecretSource;
  readonly flexVolume?: SecretSource;
  readonly rbd?: SecretSource;
  readonly scaleIO?: SecretSource;
  readonly iscsi?: SecretSource;
  readonly storageos?: SecretSource;
  readonly csi?: { readonly nodePublishSecretRef?: Named };
  readonly secret?: { readonly secretName?: string };
  readonly configMap?: Named;
  readonly projected?: {
    readonly sources?: readonly { readonly secret?: Named; readonly configMap?: Named }[];
  };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly ephemeral?: object;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly serviceAccountName?: string;
  readonly imagePullSecrets?: readonly Named[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly PodVolume[];
}

type Names = (string | undefined)[];

/** What a node is let see for a pod that it has, each once. */
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
  };
}

function given(names: Names): string[] {
  return names.flatMap((name) => name || []);
}

function secretsOfVolume(volume: PodVolume): Names {
  return [
    volume.azureFile?.secretName,
    volume.secret?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...secretSources(volume).map(({ secretRef }) => secretRef?.name),
    volume.storageos?.secretRef?.name,
  ];
}

interface Sources {
  readonly cephfs?: SecretSource;
  readonly cinder?: SecretSource;
  readonly flexVolume?: SecretSource;
  readonly rbd?: SecretSource;
  readonly scaleIO?: SecretSource;
  readonly iscsi?: SecretSource;
}

function secretSources(of: Sources): SecretSource[] {
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi } = of;
  return [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi].flatMap((source) => source ?? []);
}

interface AzureFile {
  readonly secretName?: string;
  readonly secretNamespace?: string;
}

export interface VolumeSpec extends Sources {
  readonly claimRef?: Named;
  readonly azureFile?: AzureFile;
  readonly storageos?: SecretSource;
  readonly csi?: { readonly nodePublishSecretRef?: Named; readonly nodeStageSecretRef?: Named };
}

/** The secrets that a node needs for a volume: in the namespace of its claim where none is said. */
export function volumeSecrets(spec: VolumeSpec): string[] {
  const { azureFile, csi, storageos, claimRef } = spec;
  const home = claimRef?.namespace ?? '';
  const secrets: (Named | undefined)[] = [
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

function secretOfAzure({ secretName = '', secretNamespace = '' }: AzureFile): Named {
  return { name: secretName, namespace: secretNamespace };
}
