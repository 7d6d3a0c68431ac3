/** Custom types on a running server. */
import type { Members } from './kinds.ts';
import { until } from './owned-objects.ts';
import type { Answer, Server } from './server.ts';

export const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

/** A schema that says nothing of what objects have. */
export const ANYTHING: Members = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export type CustomDefinition = Members & { readonly metadata: Members & { name: string } };

/** A version of a definition: `v1` is the stored one, unless `more` says otherwise. */
export function definedVersion(name: string, more: Members = {}): Members {
  const schema = { openAPIV3Schema: ANYTHING };
  return { name, served: true, storage: name === 'v1', schema, ...more };
}

/** Several of them, one of which is stored. */
export function versionsOf(names: readonly string[], stored: string, more: object = {}): Members[] {
  return names.map((name) => definedVersion(name, { storage: name === stored, ...more }));
}

/**
 * A definition of `kind`, whose plural is its name in lower case with an s; `spec` is laid over.
 */
export function customDefinition(
  group: string,
  kind: string,
  versions: readonly Members[] = [definedVersion('v1')],
  { names = {}, ...spec }: { names?: Members; scope?: string } & Members = {},
): CustomDefinition {
  const singular = kind.toLowerCase();
  const plural = (names['plural'] as string | undefined) ?? `${singular}s`;
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', versions, names: { plural, kind, ...names }, ...spec },
  };
}

/** Resolves when the next request for its objects is served. */
export async function established(server: Server, definition: CustomDefinition): Promise<Answer> {
  const created = await server.post(DEFINITIONS, definition);
  if (created.status !== 201) throw new Error(created.text);
  await until(async () => {
    const { json } = await server.get(`${DEFINITIONS}/${definition.metadata.name}`);
    const conditions: { type: string; status: string }[] = json.status?.conditions ?? [];
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  });
  return created;
}
