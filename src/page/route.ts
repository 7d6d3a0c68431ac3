/** Which view is shown: the part of the address after `#`. */

export interface Route {
  readonly view: 'overview' | 'objects';
  /** '' where none is chosen; so are the others. */
  readonly type: string;
  /** Of the list. */
  readonly namespace: string;
  readonly objectNamespace: string;
  readonly name: string;
  /** A manifest is being written. */
  readonly isNew: boolean;
}

/** Reads `#objects?type=pods&namespace=shop&name=web`. */
export function readRoute(hash: string): Route {
  const [view, query = ''] = hash.replace(/^#/, '').split('?', 2);
  const values = new URLSearchParams(query);
  return {
    view: view === 'objects' ? 'objects' : 'overview',
    type: values.get('type') ?? '',
    namespace: values.get('namespace') ?? '',
    objectNamespace: values.get('in') ?? '',
    name: values.get('name') ?? '',
    isNew: values.has('new'),
  };
}

/** The address of a view of objects. */
export function address(route: Partial<Route>): string {
  const { type = '', namespace = '', objectNamespace = '', name = '', isNew = false } = route;
  const values = { type, namespace, in: objectNamespace, name, new: isNew ? '1' : '' };
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''));
  return `#objects?${query}`;
}
