/**
 * The binary form of a document of version 2, which command-line clients ask for. The messages are
 * those of `proto/openapi/v2.proto`; what JSON has in another form than they is put into theirs:
 * names are members of lists, values of extensions are YAML, and choices have a message each.
 */
import protobuf from 'protobufjs/light.js';
import { SCHEMA_LEVELS_MAX } from './custom-schemas.ts';

/** As the build compiles `proto/openapi/v2.proto`. */
export type DocumentMessages = protobuf.INamespace;

type Message = Record<string, unknown>;

/** Schemas of custom types nest deeper than the library allows unasked: by three for each level. */
(protobuf.util as { recursionLimit?: number }).recursionLimit = 3 * SCHEMA_LEVELS_MAX + 10;

/**
 * Makes the bytes of documents, or of parts of one. They throw an Error for a member that the
 * messages do not have.
 */
export function documentEncoder(messages: DocumentMessages): (document: object) => Uint8Array {
  const root = protobuf.Root.fromJSON(messages);
  root.resolveAll();
  const type = root.lookupType('openapi.v2.Document');
  return (document) => type.encode(messageOf(type, document)).finish();
}

function messageOf(type: protobuf.Type, value: unknown): Message {
  switch (type.name) {
    case 'Any':
      // JSON is YAML as well.
      return { yaml: JSON.stringify(value) };
    case 'StringArray':
    case 'TypeItem':
      return { value: [value].flat() };
    default:
      break;
  }
  const [only, ...others] = type.fieldsArray;
  if (type.oneofsArray.length > 0) {
    const field = others.length === 0 ? only : chosenField(type, value);
    return field === undefined ? {} : { [field.name]: contentOf(field, value) };
  }
  if (type.name === 'ItemsItem' && only !== undefined)
    return { [only.name]: contentOf(only, [value]) };
  const isMap = only !== undefined && others.length === 0 && isNamed(only);
  return isMap ? { [only.name]: namedList(only, value) } : membersOf(type, value);
}

/** A parameter is of one message or another by where it stands. */
function chosenField(type: protobuf.Type, value: unknown): protobuf.Field | undefined {
  if (typeof value === 'boolean') return type.fields['boolean'];
  if (type.name === 'AdditionalPropertiesItem') return type.fields['schema'];
  const { in: place } = value as { readonly in: string };
  const name =
    type.name === 'NonBodyParameter'
      ? `${place}ParameterSubSchema`
      : `${place === 'body' ? 'body' : 'nonBody'}Parameter`;
  const field = type.fields[name];
  if (field === undefined) throw new Error(`a parameter in ${place} has no place`);
  return field;
}

/** A list of names and values: an object in JSON. */
function isNamed(field: protobuf.Field): boolean {
  return field.repeated && field.resolvedType?.name.startsWith('Named') === true;
}

function namedList(field: protobuf.Field, value: unknown): Message[] {
  const { resolvedType } = field;
  const content = resolvedType instanceof protobuf.Type ? resolvedType.fields['value'] : undefined;
  if (content === undefined) throw new Error(`${field.fullName} has no values`);
  return Object.entries(value as object).map(([name, member]) => ({
    name,
    value: contentOf(content, member),
  }));
}

function membersOf(type: protobuf.Type, value: unknown): Message {
  const message: Message = {};
  const extensions: Message = {};
  for (const [name, member] of Object.entries(value as object)) {
    const field = type.fields[name === '$ref' ? '_ref' : name];
    if (field !== undefined) message[field.name] = contentOf(field, member);
    else if (name.startsWith('x-')) extensions[name] = member;
    else throw new Error(`${name} has no place in the binary form of documents`);
  }
  if (Object.keys(extensions).length > 0) {
    const { vendorExtension } = type.fields;
    if (vendorExtension === undefined) throw new Error(`${type.name} has no extensions`);
    message[vendorExtension.name] = namedList(vendorExtension, extensions);
  }
  return message;
}

function contentOf({ resolvedType, repeated }: protobuf.Field, value: unknown): unknown {
  if (!(resolvedType instanceof protobuf.Type)) return value;
  if (!repeated) return messageOf(resolvedType, value);
  return (value as readonly unknown[]).map((item) => messageOf(resolvedType, item));
}
