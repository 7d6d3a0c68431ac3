/** Media types of requests and answers (../README.md#content-negotiation). */
import { TRUE_TEXTS } from '../../base/text/truth-texts.ts';
import { goInternalTypeName } from '../../codec/json/go-errors.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { PLAIN_JSON } from '../../semantics/options/answer-form.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import { ownRelease } from '../../release/release.ts';
import { ownDialect } from '../../semantics/dialect/own-names.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import {
  acceptedTypesAre,
  badRequest,
  notAcceptable,
  StatusError,
  transformMismatch,
  unsupportedMediaType,
} from '../../semantics/errors/status.ts';
import type { BodyFormat, PatchType } from '../../protocol/shard-protocol.ts';
import { acceptClauses } from './accept.ts';
import type { AcceptClause } from './accept.ts';
import type { Query } from './query.ts';
import type { Verb } from './route.ts';

type Encoding = Form['encoding'];

const TEXT_TYPE = 'text/plain';
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = ownDialect().protobufType;

const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

/** The media types of bodies, as errors name them. */
export const MEDIA_TYPES = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];
/** Schemas say nothing of a binary form. */
const CUSTOM_MEDIA_TYPES = [JSON_TYPE, YAML_TYPE];
const STREAM_TYPES = [JSON_TYPE, PROTOBUF_TYPE].map((type) => `${type};stream=watch`);
/** The types of a collection, which may be watched. */
const LISTED_TYPES = [...MEDIA_TYPES, ...STREAM_TYPES];

export function mediaTypeOf(encoding: Encoding): string {
  if (encoding === 'json') return JSON_TYPE;
  return encoding === 'yaml' ? YAML_TYPE : PROTOBUF_TYPE;
}

/** A parameter without a value: such a type is none. */
const MALFORMED_PARAMETER = /;\s*[^=;\s]+\s*(?:;|$)/;

/** The format of a body; throws StatusError 415. An absent Content-Type is JSON. */
export function bodyFormat(contentType: string, isCustom = false): BodyFormat {
  if (contentType === '' || contentType === JSON_TYPE) return 'json';
  const served = isCustom ? CUSTOM_MEDIA_TYPES : MEDIA_TYPES;
  if (MALFORMED_PARAMETER.test(contentType)) throw unsupportedMediaType(served);
  const mediaType = withoutParameters(contentType).toLowerCase();
  const format = mediaType === '' ? 'json' : encodingOf(mediaType);
  if (format === undefined || !served.includes(mediaTypeOf(format))) {
    throw unsupportedMediaType(served);
  }
  return format;
}

/** The encoding of a media type without parameters, in lower case. */
export function encodingOf(mediaType: string): Encoding | undefined {
  if (mediaType === JSON_TYPE) return 'json';
  if (mediaType === YAML_TYPE) return 'yaml';
  return mediaType === PROTOBUF_TYPE ? 'protobuf' : undefined;
}

/** The encoding of a body, as far as its type says; anything else is JSON. */
export function encodingOfBody(contentType: string): Encoding {
  const mediaType = withoutParameters(contentType).toLowerCase();
  return encodingOf(mediaType) ?? (mediaType.endsWith('+yaml') ? 'yaml' : 'json');
}

/**
 * The type of a patch, by which its body changes the object
 * (src/semantics/patch/README.md#patch-types). Throws StatusError 415 as the reference's router
 * does: for an absent Content-Type too, and without a list of the known types.
 */
export function patchTypeOf(contentType: string, isCustom = false): PatchType {
  const patchType = PATCH_TYPES.get(withoutParameters(contentType));
  const isServed = patchType !== undefined && !(isCustom && patchType === 'strategic');
  if (isServed) return patchType;
  if (isCustom) {
    const types = [...PATCH_TYPES].filter(([, type]) => type !== 'strategic');
    throw unsupportedMediaType(types.map(([type]) => type));
  }
  throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

function withoutParameters(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim();
}

const LEFT_BRACE = 0x7b;

/** Whether a body that may be YAML begins like a JSON object, which is YAML too. */
export function startsAsJsonObject(body: Uint8Array): boolean {
  let at = 0;
  while (isJsonSpace(body[at])) at++;
  return body[at] === LEFT_BRACE;
}

function isJsonSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The form of answer that a request asks for. */
export interface RequestedType {
  /** The answers of operations cannot be transformed. */
  readonly verb: Verb | 'operation';
  /** The message of the object, or of what a list holds: `core.v1.ConfigMap`. Absent: custom. */
  readonly message?: string | undefined;
  readonly subresource: string;
}

const PLAIN: Readonly<Record<Encoding, Form>> = {
  json: PLAIN_JSON,
  yaml: Object.freeze({ encoding: 'yaml' }),
  protobuf: Object.freeze({ encoding: 'protobuf' }),
};

/** The answer that one clause of `Accept` asks for. */
interface Wanted {
  readonly form: Form;
  /** With PartialObjectMetadata: whether it is the list of them. */
  readonly isList?: boolean;
}

/**
 * The form that the first clause of `Accept` asks for which can be served. Throws StatusError 406
 * when there is none, or when it is that of a list for an object or the other way round, and 400
 * for an `includeObject` that is unknown.
 */
export function negotiate(accept: string, shown: RequestedType, query: Query): Form {
  if (accept === '' || accept === JSON_TYPE || accept === '*/*') return PLAIN_JSON;
  const { verb } = shown;
  const isCustom = hasNoMessage(shown);
  if (accept === PROTOBUF_TYPE && !isCustom) return PLAIN.protobuf;
  const clauses = acceptClauses(accept);
  const wanted = firstWanted(clauses, transformsOf(shown), isCustom);
  if (wanted === undefined) throw noneServed(clauses, isCustom, typesOf(shown));
  const { form, isList } = wanted;
  if (verb === 'watch' && form.encoding === 'yaml') {
    throw acceptedTypesAre(STREAM_TYPES);
  }
  // The Status of a deletion is never transformed.
  const fits = isList === undefined || verb === 'deletecollection' || isList === (verb === 'list');
  if (!fits) throw transformMismatch(isList, typeOf(shown));
  return form.as === 'Table' ? tableForm(form, query.text('includeObject')) : form;
}

/** Gives the types that the router of the path knows. */
function typesOf({ verb }: RequestedType): readonly string[] {
  return verb === 'list' || verb === 'watch' ? LISTED_TYPES : MEDIA_TYPES;
}

/** Schemas describe the objects of custom types, no message does; a Scale has one. */
export function hasNoMessage({ verb, message, subresource }: RequestedType): boolean {
  return message === undefined && verb !== 'operation' && subresource !== 'scale';
}

/** As the reference names the types of objects that it has in its memory. */
function typeOf({ message, subresource }: RequestedType): string {
  if (subresource === 'scale') return 'autoscaling.Scale';
  return message === undefined ? 'unstructured.Unstructured' : goInternalTypeName(message);
}

/**
 * In what an error is written; undefined when `Accept` leaves nothing
 * (src/semantics/README.md#status).
 */
export function errorEncoding(accept: string): Encoding | undefined {
  if (accept === '' || accept === JSON_TYPE || accept === '*/*') return 'json';
  return firstWanted(acceptClauses(accept), 'none')?.form.encoding;
}

const SHOWS_PARTS = ownRelease().has('tablesOfParts');

/** Parts that are printed in no release, of messages in any version. */
const NEVER_SHOWN: ReadonlySet<string> = new Set([
  'apiextensions.CustomResourceDefinition status',
  'apiregistration.APIService status',
  'certificates.CertificateSigningRequest approval',
  'core.Pod ephemeralcontainers',
  'core.Pod resize',
  'resource.DeviceTaintRule status',
  'resource.PodSchedulingContext status',
  'resource.ResourceClaim status',
  'resource.ResourcePoolStatusRequest status',
  'scheduling.CompositePodGroup status',
  'scheduling.PodGroup status',
]);

/**
 * In older releases no part of a built-in object is printed as a table, and in none is what an
 * operation answers transformed.
 */
type Transforms = 'all' | 'metadata' | 'none';

function transformsOf({ verb, message, subresource }: RequestedType): Transforms {
  if (verb === 'operation') return 'none';
  if (subresource === '') return 'all';
  if (message === undefined) return SHOWS_PARTS || subresource === 'status' ? 'all' : 'metadata';
  const name = message.replace(/\.\w+\./, '.');
  return SHOWS_PARTS && !NEVER_SHOWN.has(`${name} ${subresource}`) ? 'all' : 'metadata';
}

function firstWanted(
  clauses: readonly AcceptClause[],
  transforms: Transforms,
  isCustom = false,
): Wanted | undefined {
  for (const clause of clauses) {
    const wanted = wantedBy(clause, transforms);
    // Their metadata alone has a message.
    const hasForm =
      !isCustom || wanted?.form.encoding !== 'protobuf' || wanted.form.as !== undefined;
    if (wanted !== undefined && hasForm) return wanted;
  }
  return undefined;
}

/** A range accepts JSON, which everything is served in. */
function acceptedBy(type: string): Encoding | undefined {
  return type === '*/*' || type === 'application/*' ? 'json' : encodingOf(type);
}

function wantedBy({ type, parameters }: AcceptClause, transforms: Transforms): Wanted | undefined {
  const encoding = acceptedBy(type);
  if (encoding === undefined || parameters.has('sv')) return undefined;
  const stream = parameters.get('stream');
  if (stream !== undefined && (stream !== 'watch' || encoding === 'yaml')) return undefined;
  const isTransform = parameters.has('as') || parameters.has('g') || parameters.has('v');
  if (!isTransform) return { form: PLAIN[encoding] };
  if (transforms === 'none') return undefined;
  if (transforms === 'metadata' && parameters.get('as') === 'Table') return undefined;
  return transformed(encoding, parameters);
}

function transformed(
  encoding: Encoding,
  parameters: AcceptClause['parameters'],
): Wanted | undefined {
  const metaVersion = parameters.get('v');
  if (parameters.get('g') !== META_GROUP) return undefined;
  if (metaVersion !== 'v1' && metaVersion !== 'v1beta1') return undefined;
  switch (parameters.get('as')) {
    case 'Table':
      return encoding === 'protobuf' ? undefined : { form: { encoding, as: 'Table', metaVersion } };
    case 'PartialObjectMetadata':
      return { form: { encoding, as: 'PartialObjectMetadata', metaVersion }, isList: false };
    case 'PartialObjectMetadataList':
      return { form: { encoding, as: 'PartialObjectMetadata', metaVersion }, isList: true };
    default:
      return undefined;
  }
}

/**
 * Where no type that is served is named at all, it is the router that refuses (../README.md#paths),
 * which custom types have none of; and theirs are told to have every type, as in the reference.
 */
export function noneServed(
  clauses: readonly AcceptClause[],
  isCustom = false,
  types: readonly string[] = MEDIA_TYPES,
): StatusError {
  const isNamed = clauses.some(({ type }) => acceptedBy(type) !== undefined);
  return isCustom || isNamed ? acceptedTypesAre(MEDIA_TYPES) : notAcceptable(types);
}

/**
 * Throws StatusError 406 where `Accept` takes neither plain text, which a log is, nor what it could
 * be refused in.
 */
export function checkTakesLog(accept: string): void {
  if (errorEncoding(accept) !== undefined) return;
  const clauses = acceptClauses(accept);
  if (clauses.some(({ type }) => type === TEXT_TYPE)) return;
  throw noneServed(clauses, false, [TEXT_TYPE, ...MEDIA_TYPES]);
}

function tableForm(form: Form, includeObject: string): Form {
  if (includeObject === '' || includeObject === 'Metadata') return form;
  if (includeObject === 'None' || includeObject === 'Object') return { ...form, includeObject };
  throw badRequest(
    'Unable to convert to Table as requested: includeObject: ' +
      `Invalid value: ${quoteText(includeObject)}: ` +
      "must be 'Metadata', 'Object', 'None', or empty",
  );
}

const PRETTY_AGENTS = ['curl', 'Wget', 'Mozilla/5.0'] as const;

/**
 * Whether people read the answer: the query decides, else the User-Agent, and `Accept` may ask for
 * it besides (../README.md#content-negotiation).
 */
export function wantsPretty(parameter: string, userAgent: string, accept: string): boolean {
  if (accept.includes('pretty') && acceptClauses(accept).some(isPretty)) return true;
  if (parameter !== '') return TRUE_TEXTS.has(parameter);
  return PRETTY_AGENTS.some((agent) => userAgent.startsWith(agent));
}

function isPretty({ parameters }: AcceptClause): boolean {
  return parameters.get('pretty') === '1';
}
