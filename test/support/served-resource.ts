/** A served resource as tests use it: its path, its scope, its subresources. */
import { SERVED_ROWS } from './served-rows.ts';

export interface ServedResource {
  readonly groupVersion: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Subresources with their verbs. */
  readonly subresources: ReadonlyMap<string, readonly string[]>;
}

/** The served resource of a kind, with its subresources. Throws when there is none. */
export function servedResource(groupVersion: string, kind: string): ServedResource {
  const row = SERVED_ROWS.find(
    ([version, resource, name]) =>
      version === groupVersion && name === kind && !resource.includes('/'),
  );
  if (row === undefined) throw new Error(`${groupVersion} ${kind} is not served`);
  const [, plural, , scope] = row;
  const subresources = new Map<string, readonly string[]>();
  for (const [version, resource, , , verbs] of SERVED_ROWS) {
    const [of, subresource] = resource.split('/');
    if (version !== groupVersion || of !== plural || subresource === undefined) continue;
    subresources.set(subresource, verbs.split(','));
  }
  return { groupVersion, plural, kind, namespaced: scope === 'namespaced', subresources };
}

/** Path of the collection in which objects are made and listed. */
export function servedPath(
  { groupVersion, plural, namespaced }: ServedResource,
  namespace = 'default',
): string {
  const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
  return namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}
