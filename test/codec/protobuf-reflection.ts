/** A second encoder of decoded objects, by protobufjs's reflection over the files of `proto/`. */
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { RawJson } from '../../src/codec/json/raw-json.ts';
import type { FieldSchema } from '../../src/codec/model/schema-model.ts';
import { messageNamed } from '../../src/codec/model/schema-walk.ts';
import { readProtoFolder } from '../../tools/read-proto.ts';
import { model } from './proto-model.ts';

type Members = Record<string, unknown>;

const FILES = readProtoFolder(join(import.meta.dirname, '../../proto'));
const ROOT = new protobuf.Root();
for (const [path, text] of Object.entries(FILES)) {
  // Its extended message is not there; the options themselves are read without it.
  if (path !== 'options.proto') protobuf.parse(text, ROOT, { keepCase: true });
}
ROOT.resolveAll();

/** Map keys must not look like integers: plain objects have those first. */
export function encodeByReflection(messageName: string, object: object): Uint8Array {
  const type = ROOT.lookupType(messageName);
  return type.encode(plainMessage(type, object as Members)).finish();
}

/** The message with every zero that the reference writes. */
function plainMessage(type: protobuf.Type, object: Members): Members {
  const plain: Members = {};
  for (const field of type.fieldsArray) {
    const value = released(field) && plainField(field, object);
    if (value !== undefined) plain[field.name] = value;
  }
  return plain;
}

/** Gives the field as the release has it; undefined where it has none. */
function released({ id, parent }: protobuf.Field): FieldSchema | undefined {
  const { fields } = messageNamed(model, parent?.fullName.slice(1) ?? '');
  return fields.find(({ number }) => number === id);
}

function plainField(field: protobuf.Field, object: Members): unknown {
  const option = (name: string): unknown => (field.options as Members | undefined)?.[name];
  if (option('(inline)') === true) return plainMessage(field.resolvedType as protobuf.Type, object);
  const jsonName = option('json_name') as string | undefined;
  const value = object[jsonName ?? field.name];
  if (field.map) return plainMap(field, (value ?? {}) as Members);
  if (field.repeated) return ((value ?? []) as unknown[]).map((item) => plainItem(field, item));
  if (value !== undefined) return plainItem(field, value);
  if (released(field)?.presence === true || field.type === 'bytes') return undefined;
  return plainItem(field, undefined);
}

function plainMap(field: protobuf.Field, map: Members): Members {
  const keys = Object.keys(map).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const plain = Object.create(null) as Members;
  for (const key of keys) plain[key] = plainItem(field, map[key]);
  return plain;
}

/** undefined is zero. */
function plainItem(field: protobuf.Field, value: unknown): unknown {
  const message = field.resolvedType;
  if (message instanceof protobuf.Type) {
    const leaf = LEAF_MESSAGES[message.fullName];
    if (leaf !== undefined) return leaf(value);
    return plainMessage(ROOT.lookupType(released(field)?.type ?? ''), (value ?? {}) as Members);
  }
  if (field.type === 'bytes') return Buffer.from(value as string, 'base64');
  if (typeof value === 'bigint') return String(value);
  return value ?? { string: '', bool: false }[field.type] ?? 0;
}

const LEAF_MESSAGES: Readonly<Record<string, (value: unknown) => object>> = {
  '.meta.v1.Time': timestamp,
  '.meta.v1.MicroTime': timestamp,
  '.meta.v1.Quantity': (value) => ({ string: value ?? '0' }),
  '.meta.v1.IntOrString': (value) => ({
    type: typeof value === 'string' ? 1 : 0,
    intVal: typeof value === 'string' ? 0 : (value ?? 0),
    strVal: typeof value === 'string' ? value : '',
  }),
  '.meta.v1.RawExtension': (value) => (value instanceof RawJson ? { raw: bytesOf(value) } : {}),
  '.meta.v1.FieldsV1': (value) => (value instanceof RawJson ? { Raw: bytesOf(value) } : {}),
};

function bytesOf({ text }: RawJson): Uint8Array {
  return Buffer.from(text);
}

function timestamp(value: unknown): object {
  if (typeof value !== 'string') return {};
  const [, seconds = '', micros = '0'] = /^([^.]*?)(?:\.(\d{6}))?Z$/.exec(value) ?? [];
  return { seconds: new Date(`${seconds}Z`).getTime() / 1_000, nanos: Number(micros) * 1_000 };
}
