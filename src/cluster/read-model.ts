/** Reads the schema model of the chosen release, which the build has made of `proto/`. */
import { modelFile, readBuilt } from '../base/built-files.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import { ownRelease } from '../release/release.ts';

export function readModel(buildDir: string): SchemaModel {
  return readBuilt<SchemaModel>(buildDir, modelFile(ownRelease().minor));
}
