/** Requests one after the other, and what admission makes of each. */

export interface AdmissionRow {
  readonly what: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** The whole message of a refusal. */
  readonly message?: string;
  /** Members that the answer has, with regular expressions where a part is open. */
  readonly has?: object;
  /** Paths of members that it has not. */
  readonly lacks?: readonly string[];
}

type Expected = Pick<AdmissionRow, 'has' | 'lacks'>;

export const CONTAINER = { name: 'c', image: 'i' };

/** A namespace, in which the rows after it work. */
export function namespaceRow(name: string): AdmissionRow {
  const body = { metadata: { name } };
  return {
    what: `namespace ${name}`,
    method: 'POST',
    path: '/api/v1/namespaces',
    body,
    status: 201,
  };
}

/** Something that is made for the rows after it, or to see what becomes of it. */
export function made(
  what: string,
  path: string,
  body: object,
  { has, lacks = [] }: Expected = {},
): AdmissionRow {
  return { what, method: 'POST', path, body, status: 201, lacks, ...(has && { has }) };
}

/** Refused by a plugin: the message is what follows `is forbidden: `. */
export function refusedRow(
  what: string,
  path: string,
  body: { readonly metadata: { readonly name?: string; readonly generateName?: string } },
  why: string,
  group = '',
): AdmissionRow {
  const { name, generateName } = body.metadata;
  const plural = path.slice(path.lastIndexOf('/') + 1);
  const message = `${plural}${group} "${name ?? generateName ?? 'Unknown'}" is forbidden: ${why}`;
  return { what, method: 'POST', path, body, status: 403, message };
}

/** A merge patch. */
export function patched(
  what: string,
  path: string,
  body: object,
  { has, lacks = [] }: Expected = {},
): AdmissionRow {
  return { what, method: 'PATCH', path, body, status: 200, lacks, ...(has && { has }) };
}

export function removed(path: string): AdmissionRow {
  return { what: `without ${path}`, method: 'DELETE', path, status: 200 };
}

/** A pod with one container, unless the members of its specification say otherwise. */
export function pod(name: string, spec: object = {}, metadata: object = {}) {
  return { metadata: { name, ...metadata }, spec: { containers: [CONTAINER], ...spec } };
}

/** Members on a path in a document: `spec.containers.0.name`. */
export function memberAt(document: unknown, path: string): unknown {
  let value = document;
  for (const step of path.split('.'))
    value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}
