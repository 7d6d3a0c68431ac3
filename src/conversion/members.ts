/** Looks into documents that anybody may have written: absent members are left alone. */

export type Members = Record<string, unknown>;

const SCHEMA = 'openAPIV3Schema';

/** Whether a value is an object of JSON. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a path of members, if there is one. */
export function objectAt(object: Members, ...path: readonly string[]): Members | undefined {
  let found: unknown = object;
  for (const name of path) found = isMembers(found) ? found[name] : undefined;
  return isMembers(found) ? found : undefined;
}

/** The objects in the list at a path, with their places: `spec.rules[0]`. */
export function itemsAt(object: Members, ...path: readonly string[]): [Members, string][] {
  const name = path.at(-1) ?? '';
  const list = objectAt(object, ...path.slice(0, -1))?.[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index): [Members, string][] =>
    isMembers(item) ? [[item, `${path.join('.')}[${index}]`]] : [],
  );
}

/** The text of an annotation. */
export function annotation(object: Members, name: string): string | undefined {
  const text = objectAt(object, 'metadata', 'annotations')?.[name];
  return typeof text === 'string' ? text : undefined;
}

/** Sets an annotation, or removes it, and with the last one the map. */
export function setAnnotation(object: Members, name: string, text: string | undefined): void {
  const metadata = objectAt(object, 'metadata');
  const annotations = objectAt(object, 'metadata', 'annotations');
  if (text !== undefined) {
    object['metadata'] = { ...metadata, annotations: { ...annotations, [name]: text } };
  } else if (annotations !== undefined && metadata !== undefined) {
    delete annotations[name];
    if (Object.keys(annotations).length === 0) delete metadata['annotations'];
  }
}

/** The name of a member that was called otherwise. */
export function rename(object: Members, from: string, to: string): void {
  if (object[from] === undefined) return;
  object[to] = object[from];
  delete object[from];
}

/**
 * A copy of a value of JSON without members that are null, which count as absent; null items of
 * lists count as an object without members. In schemas null is a value: they stay as they are.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item ?? {}));
  if (!isMembers(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    present.map(([name, member]) => [
      name,
      name === SCHEMA ? structuredClone(member) : withoutNulls(member),
    ]),
  );
}
