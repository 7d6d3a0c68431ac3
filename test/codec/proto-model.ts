/** The committed schema, loaded once for the codec tests. */
import { join } from 'node:path';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { releaseModel } from '../../src/codec/model/release-model.ts';
import { ownRelease } from '../../src/release/release.ts';
import { readProtoFolder } from '../../tools/read-proto.ts';

/** The model of all releases. */
export const WHOLE_MODEL = loadSchemaModel(
  readProtoFolder(join(import.meta.dirname, '../../proto')),
);

/** The model of the release. */
export const model = releaseModel(WHOLE_MODEL, ownRelease().minor);

/** Full names of the messages with the metadata of an object. */
export const KIND_NAMES: readonly string[] = Object.values(model.messages)
  .filter(({ fields }) =>
    fields.some(({ name, type }) => name === 'metadata' && type === 'meta.v1.ObjectMeta'),
  )
  .map(({ name }) => name);
