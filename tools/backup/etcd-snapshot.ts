/** The objects of a cluster in a snapshot of its etcd. */
import { join } from 'node:path';
import { modelFile, readBuilt } from '../../src/base/built-files.ts';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { compileMessage, type MessageCodecs } from '../../src/codec/message-codecs.ts';
import type { SchemaModel } from '../../src/codec/model/schema-model.ts';
import { memberChecks } from '../../src/conversion/check-members.ts';
import { convertObject, type CheckMembers } from '../../src/conversion/convert.ts';
import { DEFAULT_RELEASE, NEWEST_MINOR } from '../../src/release/release.ts';
import { BoltFile } from './bolt-file.ts';
import { isMembers, type ApiObject } from './objects.ts';

const BUILD_DIR = join(import.meta.dirname, '../../.build');
const REVISION_BYTES = 17;
const TOMBSTONE = 't'.charCodeAt(0);
const PROTOBUF = Buffer.from('k8s\0');
const ENCRYPTED = Buffer.from('k8s:enc:');
const BRACE = '{'.charCodeAt(0);
/** Of the server that it was of, and of moments that are over. */
const LEFT_OUT = new Set([
  'APIService',
  'Event',
  'IPAddress',
  'Lease',
  'RangeAllocation',
  'StorageVersion',
]);
/** Numbers of the members of what etcd stores. */
const KEY_FIELD = 1;
const VALUE_FIELD = 5;

export interface SnapshotContent {
  readonly objects: ApiObject[];
  /** The keys of values that cannot be read, with why. */
  readonly unread: readonly (readonly [key: string, why: string])[];
}

/**
 * Reads a file of `etcdctl snapshot save`, or the file `member/snap/db` of an etcd that does not
 * run: of each key its newest value. Throws ToolError for another file.
 */
export function snapshotContent(file: string): SnapshotContent {
  const values = new Map<string, Buffer>();
  const bolt = new BoltFile(file);
  try {
    // Revisions are in their order.
    for (const { key: revision, value: stored } of bolt.entries('key')) {
      const { key, value } = keyAndValue(stored);
      if (revision.length > REVISION_BYTES && revision[REVISION_BYTES] === TOMBSTONE) {
        values.delete(key);
      } else values.set(key, value);
    }
  } finally {
    bolt.close();
  }
  const reader = new ObjectReader();
  const objects: ApiObject[] = [];
  const unread: (readonly [string, string])[] = [];
  for (const [key, value] of values) {
    try {
      const object = reader.read(value);
      if (object !== undefined && !LEFT_OUT.has(object.kind)) objects.push(object);
    } catch (error) {
      unread.push([key, (error as Error).message]);
    }
  }
  return { objects, unread };
}

/** In a version that is served: definitions, above all, are stored in one that is not. */
function asServed(object: ApiObject, check: CheckMembers): ApiObject {
  const converted = convertObject(object, { outputVersion: '', dialect: 'k8s.io', check });
  if (converted === undefined) return object;
  const { problems } = converted;
  if (problems.length > 0) throw new Error(`in ${object.apiVersion}: ${problems.join(', ')}`);
  return converted.object as ApiObject;
}

class ObjectReader {
  readonly #codecs = new Map<string, MessageCodecs>();
  /** Later releases know what earlier ones had. */
  readonly #model = modelOf(NEWEST_MINOR);
  readonly #check = memberChecks(modelOf(DEFAULT_RELEASE.minor));

  /** Undefined for what is no object. Throws an error that says why it cannot be read. */
  read(value: Buffer): ApiObject | undefined {
    const object = this.#stored(value);
    return object && asServed(object, this.#check);
  }

  #stored(value: Buffer): ApiObject | undefined {
    if (value.subarray(0, ENCRYPTED.length).equals(ENCRYPTED)) {
      throw new Error('it is encrypted');
    }
    if (value[0] === BRACE) return objectOf(JSON.parse(value.toString()));
    if (!value.subarray(0, PROTOBUF.length).equals(PROTOBUF)) return undefined;
    const { apiVersion, kind, raw } = unwrapProtobuf(value);
    const codecs = this.#codecsOf(apiVersion, kind);
    if (codecs === undefined) {
      if (LEFT_OUT.has(kind)) return undefined;
      throw new Error(`${kind} in ${apiVersion} is not known`);
    }
    const { json, protobuf } = codecs;
    const members = JSON.parse(`{${json.encode(protobuf.decode(raw))}`) as object;
    return objectOf({ apiVersion, kind, ...members });
  }

  /** The message of `rbac.authorization.k8s.io/v1` is in the package `rbac.v1`. */
  #codecsOf(apiVersion: string, kind: string): MessageCodecs | undefined {
    const [group = '', version] = apiVersion.includes('/')
      ? apiVersion.split('/')
      : ['core', apiVersion];
    const name = `${group.split('.')[0]}.${version}.${kind}`;
    if (this.#model.messages[name] === undefined) return undefined;
    const codecs = this.#codecs.get(name) ?? compileMessage(this.#model, name);
    this.#codecs.set(name, codecs);
    return codecs;
  }
}

function modelOf(minor: number): SchemaModel {
  return readBuilt<SchemaModel>(BUILD_DIR, modelFile(minor));
}

function objectOf(value: unknown): ApiObject | undefined {
  if (!isMembers(value) || !isMembers(value['metadata'])) return undefined;
  const texts = [value['apiVersion'], value['kind'], value['metadata']['name']];
  return texts.every((text) => typeof text === 'string') ? (value as ApiObject) : undefined;
}

/** The members of a `KeyValue` that count; empty where there is none. */
function keyAndValue(message: Buffer): { readonly key: string; readonly value: Buffer } {
  let key = '';
  let value: Buffer = Buffer.alloc(0);
  for (let at = 0; at < message.length;) {
    const [tag, afterTag] = varint(message, at);
    const [length, afterLength] = varint(message, afterTag);
    at = afterLength;
    // All others are numbers.
    if ((tag & 7) !== 2) continue;
    const bytes = message.subarray(at, at + length);
    at += length;
    if (tag >> 3 === KEY_FIELD) key = bytes.toString();
    if (tag >> 3 === VALUE_FIELD) value = bytes;
  }
  return { key, value };
}

/** A number, and where it ends. */
function varint(bytes: Buffer, start: number): readonly [number: number, end: number] {
  let number = 0;
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at] ?? 0;
    number += (byte & 127) * scale;
    if (byte < 128) return [number, at + 1];
  }
}
