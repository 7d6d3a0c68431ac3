/** The committed schema, loaded once for the codec tests. */
import { join } from 'node:path';
import { loadSchemaModel } from '../../src/codec/proto-schema.ts';
import { readProtoFolder } from '../../tools/read-proto.ts';

export const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../../proto')));
