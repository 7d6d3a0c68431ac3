/** Reads the folder `proto/` for `loadSchemaModel`, which itself takes text only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';

/** Messages of documents, which are no objects. */
const DOCUMENTS = 'openapi/';

/** The files of objects below `dir`: path relative to it (with `/`) to text. */
export function readProtoFolder(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = entry.replaceAll('\\', '/');
    if (path.endsWith('.proto') && !path.startsWith(DOCUMENTS)) {
      files[path] = readFileSync(join(dir, entry), 'utf8');
    }
  }
  return files;
}

/** The messages of OpenAPI documents of version 2, as protobufjs keeps them in JSON. */
export function readDocumentMessages(dir: string): protobuf.INamespace {
  const text = readFileSync(join(dir, DOCUMENTS, 'v2.proto'), 'utf8');
  return protobuf.parse(text, new protobuf.Root()).root.toJSON();
}
