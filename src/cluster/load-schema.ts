/** Loads the schema of the release that the build made. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { CompiledValidators } from '../semantics/validation/validation.ts';
import { readModel } from './read-model.ts';

/** The messages of the API, and the validators of all kinds. */
export async function loadSchema(buildDir: string): Promise<[SchemaModel, CompiledValidators]> {
  const model = readModel(buildDir);
  const url = pathToFileURL(join(buildDir, 'validators.js')).href;
  const { VALIDATORS } = (await import(url)) as { VALIDATORS: CompiledValidators };
  return [model, VALIDATORS];
}
