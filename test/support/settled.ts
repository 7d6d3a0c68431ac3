/** Finds the stored object once controllers have written what they write. */
import { isDeepStrictEqual } from 'node:util';
import type { TestObject } from './kinds.ts';
import { until } from './owned-objects.ts';
import type { Answer, Server } from './server.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
}

/**
 * The answer to a write, or where controllers then write to the object too, what is stored when
 * they have. It is at `path`.
 */
export async function settled(server: Server, path: string, made: Answer): Promise<Answer> {
  const { kind, metadata } = made.json ?? {};
  // A refused object has no version, and neither has one of a dry run.
  const isStored = metadata?.resourceVersion !== undefined;
  if (kind !== 'CustomResourceDefinition' || !isStored) return made;
  let read = made;
  await until(async () => {
    read = await server.get(path);
    return read.status === 404 || hasItsNames(read.json);
  });
  return { ...made, text: read.text, json: read.json };
}

/** Or was refused them. */
function hasItsNames({ spec, status = {} }: TestObject): boolean {
  const conditions: Condition[] = status.conditions ?? [];
  const names = conditions.find(({ type }) => type === 'NamesAccepted');
  return names?.status === 'False' || isDeepStrictEqual(status.acceptedNames, spec.names);
}
