/** The kinds as a client sees them: where they live and one valid object of each. */
import { readFileSync } from 'node:fs';

export interface KindUnderTest {
  readonly kind: string;
  readonly apiVersion: string;
  /** As errors name it: `leases.coordination.cluster.io`. */
  readonly resource: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  /** File in `test/manifests`. */
  readonly manifest: string;
}

function kindUnderTest(
  kind: string,
  plural: string,
  apiVersion: string,
  namespaced: boolean,
  hasStatus = false,
): KindUnderTest {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const resource = group === '' ? plural : `${plural}.${group}`;
  const manifest = `${kind.toLowerCase()}.yaml`;
  return { kind, apiVersion, resource, plural, namespaced, hasStatus, manifest };
}

/** In an order in which they can be created: Namespace first. */
export const KINDS: readonly KindUnderTest[] = [
  kindUnderTest('Namespace', 'namespaces', 'v1', false),
  kindUnderTest('ConfigMap', 'configmaps', 'v1', true),
  kindUnderTest('Secret', 'secrets', 'v1', true),
  kindUnderTest('PersistentVolume', 'persistentvolumes', 'v1', false, true),
  kindUnderTest('StorageClass', 'storageclasses', 'storage.cluster.io/v1', false),
  kindUnderTest('VolumeAttachment', 'volumeattachments', 'storage.cluster.io/v1', false, true),
  kindUnderTest('CronJob', 'cronjobs', 'batch/v1', true, true),
  kindUnderTest('CSIStorageCapacity', 'csistoragecapacities', 'storage.cluster.io/v1beta1', true),
  kindUnderTest('ControllerRevision', 'controllerrevisions', 'apps/v1', true),
  kindUnderTest('Lease', 'leases', 'coordination.cluster.io/v1', true),
];

export function kindNamed(name: string): KindUnderTest {
  const found = KINDS.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
}

/** Path of the whole collection: `/api/v1/configmaps`. */
export function collectionPath({ apiVersion, plural }: KindUnderTest): string {
  return `${apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`}/${plural}`;
}

/** Where objects are created and listed: in `namespace` when the kind has namespaces. */
export function typePath(kind: KindUnderTest, namespace = 'default'): string {
  if (!kind.namespaced) return collectionPath(kind);
  const root = kind.apiVersion === 'v1' ? '/api/v1' : `/apis/${kind.apiVersion}`;
  return `${root}/namespaces/${namespace}/${kind.plural}`;
}

export function objectPath(kind: KindUnderTest, name: string, namespace?: string): string {
  return `${typePath(kind, namespace)}/${name}`;
}

export function manifestText({ manifest }: KindUnderTest): string {
  return readFileSync(new URL(`../manifests/${manifest}`, import.meta.url), 'utf8');
}

/** A test may put these into an object beside its name. */
export type Members = Record<string, unknown>;

const JOB_TEMPLATE = {
  spec: {
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'example.com/a:1' }] },
    },
  },
};

const MINIMAL_MEMBERS: Readonly<Record<string, Members>> = {
  Namespace: {},
  ConfigMap: { data: { key: 'value' } },
  Secret: { data: { key: 'dmFsdWU=' } },
  PersistentVolume: {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      nfs: { server: '10.0.0.1', path: '/a' },
    },
  },
  StorageClass: { provisioner: 'csi.example.com' },
  VolumeAttachment: {
    spec: {
      attacher: 'csi.example.com',
      nodeName: 'node-1',
      source: { persistentVolumeName: 'pv-1' },
    },
  },
  CronJob: { spec: { schedule: '*/5 * * * *', jobTemplate: JOB_TEMPLATE } },
  CSIStorageCapacity: { storageClassName: 'fast', capacity: '10Gi' },
  ControllerRevision: { revision: 1, data: { a: 1 } },
  Lease: { spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } },
};

// oxlint-disable-next-line no-explicit-any -- tests reach into objects of every kind
export type TestObject = any;

/** A small valid object; `metadata` and `members` are laid over it. */
export function minimalObject(
  kind: KindUnderTest,
  name: string,
  members: Members = {},
  metadata: Members = {},
): TestObject {
  const base = structuredClone(MINIMAL_MEMBERS[kind.kind]);
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name, ...metadata },
    ...base,
    ...members,
  };
}

export function configMap(
  name: string,
  data: Record<string, string> = { key: 'value' },
  metadata: Members = {},
): TestObject {
  return minimalObject(kindNamed('ConfigMap'), name, { data }, metadata);
}

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
