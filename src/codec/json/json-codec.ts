/**
 * JSON of built-in kinds: text to objects and back, compiled from the schema model.
 *
 * Objects have the shape of their JSON: members in declaration order, those of inline messages in
 * the place of the message. Differences from JSON:
 * - Absent members are absent, never null. A zero value ('', 0, false, an empty list or map) is
 *   absent too, unless presence is tracked; an always written list may be empty.
 * - Messages that are not optional (`metadata`, `spec`, `resources`) are always there.
 * - Maps have no prototype: any key is safe.
 * - bytes are canonical base64, Time, MicroTime, Duration and Quantity canonical text; int64 is a
 *   bigint when it does not fit a number; RawExtension and FieldsV1 are `RawJson`, but what
 *   `SCHEMA_VARIANTS` names is a schema as decoded, or a list or a boolean in its place.
 * - `kind` and `apiVersion` are not members: they come beside the object.
 */
import { DefaultsCompiler } from '../model/defaults.ts';
import { DecodeError, fieldMismatch, goTypeName, valueKind, valueMismatch } from './go-errors.ts';
import { DecoderCompiler } from './json-decode.ts';
import type { MessageDecoder } from './json-decode.ts';
import { NEEDS_NUMBER_TEXT } from './json-decode-leaf.ts';
import type { DecodeContext } from './json-decode-leaf.ts';
import { EncoderCompiler, type EmptyList } from './json-encode.ts';
import { parseExactly } from './json-exact.ts';
import { jsonSyntaxError, nestsTooDeep, TOO_DEEP } from './json-syntax.ts';
import { fillRawJson } from './raw-json.ts';
import type { RawJsonFields } from './raw-json.ts';
import { compileRawJsonFields } from './raw-json-fields.ts';
import type { Members, SchemaModel } from '../model/schema-model.ts';

export interface DecodedObject {
  readonly object: Record<string, unknown>;
  /** '' when the document has none. */
  readonly kind: string;
  readonly apiVersion: string;
  /** Whether no number of the text lost digits when it was parsed. */
  readonly isExact: boolean;
  /**
   * How many members of the document were read, those of nested objects too; undefined where that
   * is not known. A text with no more of them has none that is unknown or repeats.
   */
  readonly membersRead?: number | undefined;
}

export interface JsonCodec {
  /** Unknown members are dropped. Throws `DecodeError` with the reference's text. */
  decode(text: string): DecodedObject;
  /**
   * Decodes text that is parsed already. `textOf` writes it down where that is needed; numbers in
   * `document` that have lost digits are then not seen.
   */
  decodeDocument(document: unknown, textOf: () => string): DecodedObject;
  /** From the first member on: `"metadata":{…}}`, the form that is stored. */
  encode(object: object): string;
  /** Sets the schema's defaults in place; see `defaults.ts`. */
  applyDefaults(object: object, isUpdate?: boolean): void;
}

/**
 * The codec of a root message such as `core.v1.ConfigMap`; nested ones compile on first use. In
 * stored objects an empty list cannot be told from an absent one: it shows as `null`.
 */
export function compileJsonCodec(
  model: SchemaModel,
  rootMessageName: string,
  emptyList: EmptyList = '[]',
): JsonCodec {
  const decoder = new DecoderCompiler(model).message(rootMessageName);
  const encode = new EncoderCompiler(model, emptyList).message(rootMessageName);
  const applyDefaults = new DefaultsCompiler(model).message(rootMessageName);
  let rawPlan: RawJsonFields | undefined;
  const root: Root = {
    decoder,
    rawPlan: () => (rawPlan ??= compileRawJsonFields(model, rootMessageName)),
    type: goTypeName(rootMessageName),
    parseExactly: (text) => parseExactly(model, rootMessageName, text),
  };
  return {
    decode: (text) => decodeText(text, root),
    decodeDocument: (document, textOf) => decodeParsed(document, textOf, root),
    encode,
    applyDefaults,
  };
}

/** The parts of the root message that decoding needs. */
interface Root {
  readonly decoder: MessageDecoder;
  /** Compiled when text is kept for the first time. */
  readonly rawPlan: () => RawJsonFields;
  /** `v1.ConfigMap`, for errors. */
  readonly type: string;
  readonly parseExactly: (text: string) => unknown;
}

function decodeText(text: string, root: Root): DecodedObject {
  if (nestsTooDeep(text)) throw new DecodeError(TOO_DEEP);
  return decodeParsed(parseJson(text), () => text, root);
}

function decodeParsed(document: unknown, textOf: () => string, root: Root): DecodedObject {
  try {
    return decodeDocument(document, textOf, root, false);
  } catch (error) {
    if (error !== NEEDS_NUMBER_TEXT) throw error;
    return decodeDocument(root.parseExactly(textOf()), textOf, root, true);
  }
}

/** Throws `DecodeError` for text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DecodeError(jsonSyntaxError(text) || 'invalid JSON', true);
  }
}

function decodeDocument(
  document: unknown,
  textOf: () => string,
  { decoder, rawPlan, type }: Root,
  exact: boolean,
): DecodedObject {
  // The reference takes null for an object that mentions nothing.
  if (document === null) {
    return { object: decoder.empty(), kind: '', apiVersion: '', isExact: true };
  }
  const found = valueKind(document);
  if (found !== 'object') throw valueMismatch(found, type);
  const members = document as Members;
  const kind = typeMember(members, 'kind', type);
  const apiVersion = typeMember(members, 'apiVersion', type);
  const context: DecodeContext = {
    path: [],
    outerField: undefined,
    exact,
    rawPending: false,
    membersRead: Number('kind' in members) + Number('apiVersion' in members),
  };
  const object = decoder.decode(members, context);
  if (context.rawPending) fillRawJson(textOf(), rawPlan(), object);
  const isExact = !exact && !context.rawPending;
  return {
    object,
    kind,
    apiVersion,
    isExact,
    membersRead: isExact ? context.membersRead : undefined,
  };
}

function typeMember(members: Members, name: string, type: string): string {
  const value = members[name];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const struct = type.slice(type.indexOf('.') + 1);
  throw fieldMismatch(valueKind(value), `${struct}.${name}`, 'string');
}
