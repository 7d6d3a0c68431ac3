/** Loads a built-in type outside of the threads that have shards. */
import type { FeatureGates } from '../release/feature-gates.ts';
import type { BuiltInKind } from '../resources/kind.ts';
import { KINDS, resourceKey } from '../resources/registry.ts';
import { builtInType } from '../types/built-in/built-in-type.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { loadSchema } from './load-schema.ts';

export async function loadType(
  buildDir: string,
  resource: string,
  gates: FeatureGates,
): Promise<ResourceType> {
  return builtInType(builtInKind(resource), ...(await loadSchema(buildDir)), gates);
}

/** The kind of a shard. Throws Error for a name that no built-in kind has. */
export function builtInKind(resource: string): BuiltInKind {
  const kind = KINDS.find((one) => resourceKey(one) === resource);
  if (kind === undefined) throw new Error(`unknown resource type ${resource}`);
  return kind;
}
