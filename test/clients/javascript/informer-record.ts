/** Records what informers of the client tell and hold, and finds what they should hold. */
import type {
  CoreV1Api,
  Informer,
  KubernetesObject,
  ObjectCache,
  V1ConfigMap,
} from '@kubernetes/client-node';

export type Told = readonly ['add' | 'update' | 'delete', name: string, version: number];

/** Notes the calls of an informer in their order. */
export function record<T extends KubernetesObject>(informer: Informer<T>) {
  const told: Told[] = [];
  const errors: unknown[] = [];
  const note = (verb: Told[0]) => (object: T) => {
    const { name = '', resourceVersion = '' } = object.metadata ?? {};
    told.push([verb, name, Number(resourceVersion)]);
  };
  let connections = 0;
  informer.on('add', note('add'));
  informer.on('update', note('update'));
  informer.on('delete', note('delete'));
  informer.on('connect', () => (connections += 1));
  informer.on('error', (error) => errors.push(error));
  return { told, errors, connections: () => connections };
}

/** Names of objects and their versions. */
export type Versions = Readonly<Record<string, string>>;

function versionsOf(objects: readonly V1ConfigMap[]): Versions {
  return Object.fromEntries(
    objects.map(({ metadata }) => [metadata?.name ?? '', metadata?.resourceVersion ?? '']),
  );
}

/** Gives the versions in an informer. */
export function cachedVersions(informer: ObjectCache<V1ConfigMap>): Versions {
  return versionsOf(informer.list());
}

/** Gives the versions on the server. */
export async function storedVersions(core: CoreV1Api, namespace: string): Promise<Versions> {
  return versionsOf((await core.listNamespacedConfigMap({ namespace })).items);
}

export function sameVersions(a: Versions, b: Versions): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
