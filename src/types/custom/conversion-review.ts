/**
 * Documents to and from a conversion webhook: a ConversionReview. Errors are in the words of the
 * reference, which clients are told.
 */
import { DecodeError, valueKind, valueMismatch } from '../../codec/json/go-errors.ts';
import { jsonSyntaxError, nestsTooDeep, TOO_DEEP } from '../../codec/json/json-syntax.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { parseUnstructured, unstructuredText } from '../../schema/unstructured.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { checkLabels } from '../../semantics/metadata/label-validation.ts';
import { checkAnnotations } from '../../semantics/metadata/object-meta-validation.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { goTypeOf } from '../../semantics/patch/go-value-text.ts';
import {
  noObjectText,
  noTypeText,
  otherVersionText,
  unknownKindText,
} from '../../codec/document-type.ts';
import type { Sent } from '../conversion.ts';

type Members = Record<string, unknown>;
type TextMap = Record<string, string>;

const GROUP = ownGroup('apiextensions.cluster.io');
const KIND = 'ConversionReview';
const KNOWN_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/** The head of a review, to which the answer must fit. */
export interface Review {
  readonly uid: string;
  /** `v1` or `v1beta1`. */
  readonly version: string;
  readonly desiredAPIVersion: string;
}

/** The answer lacks objects in the other version, or has them wrong. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** The first of the versions that a webhook understands that is known here. */
export function reviewVersion(understood: readonly string[]): string {
  const known = understood.find((version) => KNOWN_VERSIONS.includes(version));
  if (known === undefined) throw new ConversionError('no supported conversion review versions');
  return known;
}

/** `documents` are the texts of the objects. */
export function reviewText(
  { uid, version, desiredAPIVersion }: Review,
  documents: readonly string[],
): string {
  const type = `"kind":"${KIND}","apiVersion":"${GROUP}/${version}"`;
  const asked = `"uid":"${uid}","desiredAPIVersion":${JSON.stringify(desiredAPIVersion)}`;
  return `{${type},"request":{${asked},"objects":[${documents.join(',')}]}}`;
}

/** An object that was to be converted, as errors name it: `example.com/v1, Kind=Example`. */
function whatOf({ apiVersion, kind }: Sent): string {
  return `conversion webhook for ${apiVersion}, Kind=${kind}`;
}

/** The error of a call that has brought no answer. */
export function callError(sent: Sent, why: string): ConversionError {
  return new ConversionError(`${whatOf(sent)} failed: ${why}`);
}

/**
 * The objects of an answer, each with the metadata that it was sent with but for labels and
 * annotations. Throws ConversionError.
 */
export function convertedObjects(
  text: string,
  review: Review,
  sent: readonly [Sent, ...Sent[]],
): Members[] {
  const [first] = sent;
  let objects: unknown[];
  try {
    objects = answeredObjects(text, review);
  } catch (error) {
    if (error instanceof AnswerError) throw callError(first, error.message);
    throw error;
  }
  if (objects.length !== sent.length) {
    const counts = `returned ${objects.length} objects, expected ${sent.length}`;
    throw new ConversionError(`${whatOf(first)} ${counts}`);
  }
  return sent.map((one, at) => checkedObject(objects[at], review, one));
}

/** The answer as a whole is none. */
class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

function answeredObjects(text: string, { uid, version }: Review): unknown[] {
  const answer = parsedAnswer(text);
  const { kind = '', apiVersion = '' } = answer;
  checkType(textOf(kind), textOf(apiVersion), version);
  const { response } = answer;
  if (!isMembers(response)) throw new AnswerError('no response provided');
  const { uid: itsUid = '' } = response;
  if (version !== 'v1beta1' && itsUid !== uid) {
    const got = quoteText(textOf(itsUid));
    throw new AnswerError(`expected response.uid=${quoteText(uid)}, got ${got}`);
  }
  const result = isMembers(response['result']) ? response['result'] : {};
  const status = textOf(result['status']);
  if (status !== 'Success') {
    const message = textOf(result['message']);
    const unsaid = `response.result.status was '${status}', not 'Success'`;
    throw new AnswerError(message === '' ? unsaid : message);
  }
  const objects = response['convertedObjects'];
  return Array.isArray(objects) ? (objects as unknown[]) : [];
}

function parsedAnswer(text: string): Members {
  if (nestsTooDeep(text)) throw new AnswerError(noTypeText(TOO_DEEP));
  let answer: unknown;
  try {
    answer = parseUnstructured(text);
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof DecodeError)) throw error;
    throw new AnswerError(noTypeText(jsonSyntaxError(text)));
  }
  if (isMembers(answer)) return answer;
  throw new AnswerError(noObjectText(answer));
}

/** The answer is a review like the one that was sent. */
function checkType(kind: string, apiVersion: string, version: string): void {
  if (kind === '') throw new AnswerError("Object 'Kind' is missing in the answer");
  const [group = '', its = ''] = apiVersion.split('/');
  if (kind !== KIND || group !== GROUP || !KNOWN_VERSIONS.includes(its)) {
    throw new AnswerError(unknownKindText(kind, apiVersion));
  }
  if (its === version) return;
  throw new AnswerError(otherVersionText(KIND, its, version));
}

function checkedObject(object: unknown, { desiredAPIVersion }: Review, sent: Sent): Members {
  const what = whatOf(sent);
  if (object === null || object === undefined) {
    throw new ConversionError('unexpected end of JSON input');
  }
  if (!isMembers(object)) {
    const mismatch = valueMismatch(valueKind(object), 'map[string]interface {}');
    throw new ConversionError(mismatch.message);
  }
  const { kind = '', apiVersion = '' } = object;
  if (kind === '') {
    throw new ConversionError(`Object 'Kind' is missing in '${unstructuredText(object)}'`);
  }
  const differs = (name: string, expected: string, got: unknown): ConversionError => {
    const both = `(expected ${expected}, received ${textOf(got)})`;
    return new ConversionError(
      `${what} returned invalid object at index 0: invalid ${name} ${both}`,
    );
  };
  if (apiVersion !== desiredAPIVersion)
    throw differs('groupVersion', desiredAPIVersion, apiVersion);
  if (kind !== sent.kind) throw differs('kind', sent.kind, kind);
  const metadata = isMembers(object['metadata']) ? object['metadata'] : {};
  for (const [name, member] of IDENTITY) {
    const expected = sent.metadata[member] ?? '';
    const got = textOf(metadata[member]);
    if (expected === got) continue;
    throw new ConversionError(
      `${what} returned invalid object: must have the same ${name}: ${expected} != ${got}`,
    );
  }
  try {
    return { ...object, metadata: keptMetadata(sent.metadata, metadata) };
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    throw new ConversionError(`${what} returned invalid metadata: ${error.message}`);
  }
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['UID', 'uid'],
] as const;

class MetadataError extends Error {
  override readonly name = 'MetadataError';
}

/** The metadata that was sent, with the labels and annotations that came back. */
function keptMetadata(sent: ObjectMeta, got: Members): ObjectMeta {
  return {
    ...sent,
    labels: mapOf('labels', sent, got, (map, errors) =>
      checkLabels(map, 'metadata.labels', errors),
    ),
    annotations: mapOf('annotations', sent, got, (map, errors) =>
      checkAnnotations(map, 'metadata.annotation', errors),
    ),
  };
}

/** Only entries that differ are checked: older ones may be from before a rule. */
function mapOf(
  name: 'labels' | 'annotations',
  sent: ObjectMeta,
  got: Members,
  check: (map: TextMap, errors: FieldError[]) => void,
): TextMap | undefined {
  const value = got[name];
  if (value === undefined || value === null) return undefined;
  if (!isMembers(value)) {
    throw new MetadataError(
      `invalid metadata.${name} of type ${goTypeOf(value)} in converted object`,
    );
  }
  const map = Object.assign(Object.create(null) as TextMap, value);
  const before = sent[name] ?? {};
  let isChanged = Object.keys(before).length !== Object.keys(map).length;
  for (const [key, text] of Object.entries<unknown>(map)) {
    if (typeof text !== 'string') {
      const type = text === null ? '<nil>' : goTypeOf(text);
      throw new MetadataError(
        `metadata.${name}[${key}] must be a string, but is ${type} in converted object`,
      );
    }
    isChanged ||= !Object.hasOwn(before, key) || before[key] !== text;
  }
  const errors: FieldError[] = [];
  if (isChanged) check(map, errors);
  if (errors.length === 0) return map;
  throw new MetadataError(
    aggregateText(errors.map(({ field, message }) => `${field}: ${message}`)),
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
