/** The committed schema, loaded once for the codec tests. */
import { join } from 'node:path';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { readProtoFolder } from '../../tools/read-proto.ts';

export const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../../proto')));

/** Full names of the messages with the metadata of an object. */
export const KIND_NAMES: readonly string[] = Object.values(model.messages)
  .filter(({ fields }) =>
    fields.some(({ name, type }) => name === 'metadata' && type === 'meta.v1.ObjectMeta'),
  )
  .map(({ name }) => name);
