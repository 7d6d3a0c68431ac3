/**
 * Bodies of writes: from bytes to a decoded object of the shard's kind
 * (src/codec/README.md#bodies).
 */
import { assert } from '../base/assert.ts';
import { DecodeError, MissingKindError } from '../codec/json/go-errors.ts';
import type { DecodedObject } from '../codec/json/json-codec.ts';
import { countMembers } from '../codec/json/member-count.ts';
import { unwrapProtobuf } from '../codec/protobuf/protobuf-envelope.ts';
import { isJson, yamlRead, type ReadYaml } from '../codec/yaml/read-yaml.ts';
import { strictDecodingError } from '../codec/json/strict-check.ts';
import { decodeUntrusted, loneSurrogate } from '../codec/text-body.ts';
import type { YamlText } from '../codec/yaml/yaml-body.ts';
import { hasControlCharacter, YamlError } from '../codec/yaml/yaml-document.ts';
import type { ApiObject, KindDefinition } from '../resources/kind.ts';
import type { Served } from '../types/served-version.ts';
import { ownRelease } from '../release/release.ts';
import { refuseOtherNamespace } from '../types/prepare-object.ts';
import { invalidObject } from '../semantics/errors/field-error.ts';
import { badRequest } from '../semantics/errors/status.ts';
import type { BodyFormat, FieldValidation, Target } from '../protocol/shard-protocol.ts';

/** The parts of a type that turn bodies into objects. */
type BodyType = Pick<
  Served,
  | 'kind'
  | 'version'
  | 'groupVersion'
  | 'decode'
  | 'decodeProtobuf'
  | 'strictProblems'
  | 'typeErrors'
  | 'typeProblem'
>;

const SHOWN_BYTES = 30;

function shownBytes(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.subarray(0, SHOWN_BYTES));
  const text = start[0] === 0x7b ? start.toString() : start.toString('hex');
  return body.length > SHOWN_BYTES ? `${text} ...` : text;
}

/** The text of a body. Throws StatusError 400 for bytes that would not come back as they came. */
export function receivedText(body: Uint8Array): string {
  const text = decodeUntrusted(body);
  if (text === undefined) throw badRequest('the body is not valid UTF-8');
  return text;
}

/** JSON text of a client. Throws StatusError 400 when it escapes what is no character. */
export function receivedJson(text: string): string {
  const half = loneSurrogate(text);
  if (half === '') return text;
  throw badRequest(`the body is not valid Unicode: ${half} is half of a surrogate pair`);
}

/**
 * The JSON text of a body; throws StatusError 400 for what is no text, and for YAML that does not
 * parse. JSON is YAML too, and much faster to read as what it is: but strict checks speak of a
 * body as it is written.
 */
export function bodyText(
  kind: string,
  body: Uint8Array,
  { format, fieldValidation = 'Ignore', yaml }: BodyRequest,
): YamlText {
  const text = receivedText(body);
  const isStrict = fieldValidation !== 'Ignore';
  const isPlain = format === 'json' || (!isStrict && isJson(text) && !hasControlCharacter(text));
  if (isPlain) return { json: receivedJson(text), problems: NO_WARNINGS };
  try {
    const read = yamlRead(text, isStrict, yaml);
    receivedJson(read.json);
    return read;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw unrecognized(kind, body, error.message);
  }
}

/** As the reference, which looks for the type first, refuses text that is no JSON object. */
export function noType(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`;
}

function unrecognized(kind: string, body: Uint8Array, why: string): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${shownBytes(body)})`,
  );
}

/** A body as it is to be read. */
interface BodyRequest {
  readonly format: BodyFormat;
  readonly fieldValidation?: FieldValidation;
  /** Where it was read before. */
  readonly yaml?: ReadYaml;
}

export interface DecodedBody {
  readonly object: ApiObject;
  /** The warnings of `fieldValidation=Warn`. */
  readonly warnings: readonly string[];
}

/**
 * Decodes the object of a write. Throws StatusError 400 for bytes that are no such object, for a
 * kind or version that is not that of the URL (both may be absent), and with
 * `fieldValidation=Strict` for members that are unknown or come twice.
 */
export function decodeBody(
  bodyType: BodyType,
  body: Uint8Array,
  request: BodyRequest,
): DecodedBody {
  const { kind: expected, version } = bodyType;
  const { format, fieldValidation = 'Ignore' } = request;
  if (format === 'protobuf') return decodeBinary(bodyType, body);
  const { json, problems: inYaml } = bodyText(expected, body, request);
  const what = `${expected} in version "${version}"`;
  try {
    const decoded = bodyType.decode(json);
    const problem = bodyType.typeProblem(decoded);
    if (problem !== '') throw badRequest(problem);
    refuseOtherType(bodyType, decoded);
    const object = decoded.object as ApiObject;
    if (fieldValidation === 'Ignore') return { object, warnings: NO_WARNINGS };
    // Nearly all texts have no problems, and counting says so much sooner than looking for them.
    const isClean = decoded.membersRead === countMembers(json);
    const problems = isClean ? NO_WARNINGS : bodyType.strictProblems(json);
    if (fieldValidation === 'Warn') return { object, warnings: [...inYaml, ...problems] };
    if (inYaml.length + problems.length === 0) return { object, warnings: NO_WARNINGS };
    const why = strictDecodingError(inYaml, problems);
    throw badRequest(`${what} cannot be handled as a ${expected}: ${why}`);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error.isSyntax) throw unrecognized(expected, body, noType(error.message));
    if (KEEPS_TYPES && error instanceof MissingKindError) {
      throw unrecognized(expected, body, error.message);
    }
    throw badRequest(`${what} cannot be handled as a ${expected}: ${error.message}`);
  }
}

const KEEPS_TYPES = ownRelease().has('typesOfCustom');
const NO_WARNINGS: readonly string[] = Object.freeze([]);

/** Throws StatusError 422 for an object that says of itself to be of another type. */
export function refuseOtherType(
  bodyType: Pick<BodyType, 'typeErrors'>,
  { kind, apiVersion, object }: DecodedObject,
): void {
  const errors = bodyType.typeErrors?.({ kind, apiVersion }) ?? [];
  if (errors.length === 0) return;
  const { name = '' } = (object as ApiObject).metadata;
  throw invalidObject(apiVersion.split('/').slice(0, -1).join('/'), kind, name, errors);
}

/** Decodes the binary envelope of an object, whose unknown members are passed over. */
function decodeBinary(bodyType: BodyType, body: Uint8Array): DecodedBody {
  const { kind: expected, version } = bodyType;
  try {
    const { kind, apiVersion, raw } = unwrapProtobuf(body);
    const problem = bodyType.typeProblem({ kind, apiVersion });
    if (problem !== '') throw badRequest(problem);
    // Requests for what has no binary form are refused before they get here.
    assert(bodyType.decodeProtobuf !== undefined, `${expected} has no binary form`);
    return { object: bodyType.decodeProtobuf(raw), warnings: NO_WARNINGS };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error.isSyntax) throw badRequest(error.message);
    throw badRequest(
      `${expected} in version "${version}" cannot be handled as a ${expected}: ${error.message}`,
    );
  }
}

const NAMESPACES_FIRST = ownRelease().has('namespacesBeforeNames');

/** Where the release tells it first: an object names the namespace of its request, or none. */
export function checkSentNamespace(
  { namespaced }: KindDefinition,
  { metadata }: ApiObject,
  { namespace }: Target,
): void {
  if (NAMESPACES_FIRST) refuseOtherNamespace(metadata, namespaced ? namespace : '');
}

/** An update's object must be the one that the URL names; an absent namespace is filled in. */
export function checkIdentity(definition: KindDefinition, object: ApiObject, target: Target): void {
  const { metadata } = object;
  checkSentNamespace(definition, object, target);
  if (metadata.name === undefined || metadata.name === '') {
    throw badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: ` +
        'name must be provided',
    );
  }
  if (metadata.name !== target.name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match ` +
        `the name on the URL (${target.name})`,
    );
  }
  if (NAMESPACES_FIRST) return;
  // A namespace that is applied may be null.
  const namespace = metadata.namespace ?? '';
  // A namespace is in itself, as paths have it.
  const expected = definition.emptiesNamespace ? target.name : target.namespace;
  if (expected !== '' && namespace !== '' && namespace !== expected) {
    throw badRequest(
      `the namespace of the object (${namespace}) does not match ` +
        `the namespace on the request (${expected})`,
    );
  }
}
