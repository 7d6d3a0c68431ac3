/** Loads the schema of the release that the build made, and built-in types with it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { BuiltInKind, KindSettings } from '../resources/kind.ts';
import { KINDS, resourceKey } from '../resources/registry.ts';
import type { CompiledValidators } from '../semantics/validation/validation.ts';
import { builtInType } from '../types/built-in/built-in-type.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { readModel } from './read-model.ts';

type Schema = readonly [SchemaModel, CompiledValidators];

/** The messages of the API, unless they are read already, and the validators of all kinds. */
export async function loadSchema(buildDir: string, model = readModel(buildDir)): Promise<Schema> {
  const url = pathToFileURL(join(buildDir, 'validators.js')).href;
  const { VALIDATORS } = (await import(url)) as { VALIDATORS: CompiledValidators };
  return [model, VALIDATORS];
}

/** Loads a type outside of the threads that have shards. */
export async function loadType(
  buildDir: string,
  resource: string,
  gates: FeatureGates,
): Promise<ResourceType> {
  return builtInType(builtInKind(resource), ...(await loadSchema(buildDir)), gates);
}

/** The type of a shard, by its name, as the server is set up. */
export function configuredType(
  resource: string,
  [model, validators]: Schema,
  { featureGates, kindSettings }: ConfiguredBy,
): ResourceType {
  const definition = builtInKind(resource);
  const configured = definition.configured?.(kindSettings) ?? definition;
  return builtInType(configured, model, validators, featureGates);
}

interface ConfiguredBy {
  readonly featureGates: FeatureGates;
  readonly kindSettings: KindSettings;
}

/** The kind of a shard. Throws Error for a name that no built-in kind has. */
export function builtInKind(resource: string): BuiltInKind {
  const kind = KINDS.find((one) => resourceKey(one) === resource);
  if (kind === undefined) throw new Error(`unknown resource type ${resource}`);
  return kind;
}
