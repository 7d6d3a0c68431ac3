/**
 * Objects of custom types and their JSON (src/schema/README.md#values): the metadata is that of all
 * objects, every other member is a plain value. Stored text begins with the metadata; the other
 * members follow by name.
 */
import { setMember } from '../../base/set-member.ts';
import { DecodeError, valueKind, valueMismatch } from '../../codec/json/go-errors.ts';
import { compileJsonCodec, parseJson } from '../../codec/json/json-codec.ts';
import type { DecodedObject, JsonCodec } from '../../codec/json/json-codec.ts';
import { nestsTooDeep, TOO_DEEP } from '../../codec/json/json-syntax.ts';
import type { Members, SchemaModel } from '../../codec/model/schema-model.ts';
import { canonicalTime } from '../../codec/leaves/time-text.ts';
import { membersText, parseUnstructured } from '../../schema/unstructured.ts';
import { holdsLongNumbers, isMembers, memberOf } from '../../semantics/patch/document.ts';

/** The message that has the metadata of any object, and nothing else. */
const METADATA_MESSAGE = 'meta.v1.PartialObjectMetadata';
const METADATA_ALONE = 'meta.v1.ObjectMeta';
const codecs = new WeakMap<SchemaModel, CustomCodec>();

export interface CustomCodec extends JsonCodec {
  /** `decodeDocument` of one that holds no number that a double does not. */
  decodePlain(document: unknown, textOf: () => string): DecodedObject;
}

/** The codec of all custom types: it knows no schema, and keeps members that one would drop. */
export function customCodec(model: SchemaModel): CustomCodec {
  let codec = codecs.get(model);
  if (codec === undefined) {
    codec = newCodec(compileJsonCodec(model, METADATA_MESSAGE), () =>
      compileJsonCodec(model, METADATA_ALONE),
    );
    codecs.set(model, codec);
  }
  return codec;
}

/** `alone` reads what is wrong with metadata: errors of custom objects say where in it. */
function newCodec(metadata: JsonCodec, alone: () => JsonCodec): CustomCodec {
  const decodedMetadata = (document: unknown, textOf: () => string): DecodedObject => {
    try {
      return metadata.decodeDocument(document, textOf);
    } catch (error) {
      const its = isMembers(document) ? memberOf(document, 'metadata') : undefined;
      if (its !== undefined) alone().decode(JSON.stringify(its));
      throw error;
    }
  };
  const decoded = (document: unknown, plain: unknown, textOf: () => string): DecodedObject => {
    const ofMetadata = decodedMetadata(document, textOf);
    const { object } = ofMetadata;
    for (const [name, value] of Object.entries(plain ?? {})) {
      if (!OWN_MEMBERS.has(name)) setMember(object, name, value);
    }
    return { ...ofMetadata, isExact: ofMetadata.isExact && plain === document };
  };
  return {
    decode(text) {
      if (nestsTooDeep(text)) throw new DecodeError(TOO_DEEP);
      const document = parseJson(text);
      checkIsObject(document);
      const plain = holdsLongNumbers(text) ? parseUnstructured(text) : document;
      return decoded(document, plain, () => text);
    },
    decodeDocument(document, textOf) {
      checkIsObject(document);
      const text = textOf();
      const plain = holdsLongNumbers(text) ? parseUnstructured(text) : document;
      return decoded(document, plain, () => text);
    },
    decodePlain(document, textOf) {
      checkIsObject(document);
      return decoded(document, document, textOf);
    },
    encode(object: { metadata?: unknown } & Members) {
      const first = metadata.encode({ metadata: object.metadata });
      const others = membersText(object, 'metadata');
      return others === '' ? first : `${first.slice(0, -1)},${others}}`;
    },
    applyDefaults: () => undefined,
  };
}

/** Who applies a time that is none has said nothing of it: what these say is for the server. */
export function withoutWrongTimes(document: unknown): unknown {
  const metadata = isMembers(document) ? memberOf(document, 'metadata') : undefined;
  if (!isMembers(metadata)) return document;
  const wrong = TIMES.filter((name) => !isTime(memberOf(metadata, name)));
  if (wrong.length === 0) return document;
  const kept = Object.entries(metadata).filter(([name]) => !wrong.includes(name));
  return { ...(document as Members), metadata: Object.fromEntries(kept) };
}

const TIMES = ['creationTimestamp', 'deletionTimestamp'];

function isTime(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'string') return false;
  try {
    return canonicalTime(value) !== '';
  } catch {
    return false;
  }
}

const OWN_MEMBERS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

function checkIsObject(document: unknown): void {
  const found = valueKind(document);
  if (document !== null && found !== 'object') {
    throw valueMismatch(found, 'map[string]interface {}');
  }
}
