/** The collections of stored objects, in every version that serves them. */
import { SERVED_ROWS } from '../../test/support/served-rows.ts';
import { servedPath, servedResource } from '../../test/support/served-resource.ts';

export interface Collection {
  readonly kind: string;
  readonly groupVersion: string;
  readonly namespaced: boolean;
  /** In the neutral names. */
  readonly path: string;
  readonly subresources: readonly string[];
  readonly deletable: boolean;
}

export function collections(
  namespace: string,
  includes: (kind: string) => boolean = () => true,
): Collection[] {
  return SERVED_ROWS.flatMap(([groupVersion, resource, kind, , verbs]): Collection[] => {
    const isStored = verbs === 'all' || (verbs.includes('create') && verbs.includes('list'));
    if (resource.includes('/') || !isStored || !includes(kind)) return [];
    const served = servedResource(groupVersion, kind);
    const readable = [...served.subresources].filter(([, of]) => of.includes('patch'));
    return [
      {
        kind,
        groupVersion,
        namespaced: served.namespaced,
        path: servedPath(served, namespace),
        subresources: readable.map(([name]) => name),
        deletable: verbs === 'all' || verbs.includes('deletecollection'),
      },
    ];
  });
}
