/** Reads the folder `proto/` for `loadSchemaModel`, which itself takes text only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';

/** Messages that are no objects. */
const OTHERS = { documents: 'openapi/', etcd: 'etcd/' };

/** The files of objects below `dir`: path relative to it (with `/`) to text. */
export function readProtoFolder(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = entry.replaceAll('\\', '/');
    const isOther = Object.values(OTHERS).some((folder) => path.startsWith(folder));
    if (path.endsWith('.proto') && !isOther) {
      files[path] = readFileSync(join(dir, entry), 'utf8');
    }
  }
  return files;
}

/** The messages of OpenAPI documents of version 2, as protobufjs keeps them in JSON. */
export function readDocumentMessages(dir: string): protobuf.INamespace {
  return readMessages(join(dir, OTHERS.documents, 'v2.proto'));
}

/** The messages between a client and etcd, likewise. */
export function readEtcdMessages(dir: string): protobuf.INamespace {
  return readMessages(join(dir, OTHERS.etcd, 'rpc.proto'));
}

function readMessages(file: string): protobuf.INamespace {
  return protobuf.parse(readFileSync(file, 'utf8'), new protobuf.Root()).root.toJSON();
}
