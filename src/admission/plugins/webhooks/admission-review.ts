/** Writes the AdmissionReview that a webhook is sent, and reads its answer. */
import { DecodeError } from '../../../codec/json/go-errors.ts';
import { compileJsonCodec, parseJson, type JsonCodec } from '../../../codec/json/json-codec.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { SchemaModel } from '../../../codec/model/schema-model.ts';
import { yamlToJsonText } from '../../../codec/yaml/yaml-body.ts';
import { YamlError } from '../../../codec/yaml/yaml-document.ts';
import { YAML_BODY_BYTES_MAX } from '../../../limits.ts';
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import type { StatusDetails } from '../../../semantics/errors/status.ts';
import {
  noObjectText,
  noTypeText,
  otherVersionText,
  unknownKindText,
} from '../../../codec/document-type.ts';
import type { Proposal } from '../../proposal.ts';
import { requestDocument } from '../../request-document.ts';
import type { ShownObjects } from '../../shown-objects.ts';
import { REVIEW_VERSIONS, type ReviewVersion } from './configured-webhook.ts';
import type { Invocation } from './webhook-index.ts';

export const ADMISSION_GROUP = ownGroup('admission.cluster.io');
const KIND = 'AdmissionReview';
/** One message for all versions: they have the same members. */
const MESSAGE = 'admission.v1.AdmissionReview';

export interface Review {
  readonly uid: string;
  readonly version: ReviewVersion;
}

export interface ReviewResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: ReviewStatus;
  /** In base64. */
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/** Why a webhook refuses. */
export interface ReviewStatus {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** The answer is no response to the review; `isRead` when it is a review nevertheless. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
  readonly isRead: boolean;

  constructor(message: string, isRead: boolean) {
    super(message);
    this.isRead = isRead;
  }
}

/** The review of a write that a webhook is asked for. */
export function reviewText(
  { uid, version }: Review,
  invocation: Invocation,
  proposal: Proposal,
  { object, oldObject }: ShownObjects,
): string {
  const { dryRun, options, ...request } = requestDocument(proposal, invocation);
  const about = JSON.stringify(request).slice(1, -1);
  const rest = `"dryRun":${dryRun},"options":${JSON.stringify(options)}`;
  const members = `"uid":"${uid}",${about},"object":${object},"oldObject":${oldObject},${rest}`;
  return `{"kind":"${KIND}","apiVersion":"${ADMISSION_GROUP}/${version}","request":{${members}}}`;
}

export class ReviewReader {
  readonly #codec: JsonCodec;

  /** `model` has the messages of reviews. */
  constructor(model: SchemaModel) {
    this.#codec = compileJsonCodec(model, MESSAGE);
  }

  /** The response to a review. Throws ReviewError. */
  read(answer: string, { uid, version }: Review, isMutating: boolean): ReviewResponse {
    const { response, kind, apiVersion } = this.#decoded(answer, version);
    if (response === undefined) throw new ReviewError('webhook response was absent', true);
    if (version === 'v1') {
      checkIdentity(uid, response.uid ?? '', kind, apiVersion);
      checkPatch(response, isMutating);
    }
    if (version === 'v1' || response.patch === undefined) return response;
    return { ...response, patchType: 'JSONPatch' };
  }

  #decoded(answer: string, version: ReviewVersion): Answered {
    const expected = `${ADMISSION_GROUP}/${version}`;
    try {
      const text = jsonText(answer);
      const { object, kind, apiVersion } = this.#codec.decode(text === 'null' ? '{}' : text);
      checkType(kind || KIND, apiVersion || expected, version);
      const { response } = object as Pick<Answered, 'response'>;
      return { response, kind, apiVersion };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new ReviewError(error.message, false);
    }
  }
}

interface Answered {
  readonly response: ReviewResponse | undefined;
  /** '' where the answer does not say it. */
  readonly kind: string;
  readonly apiVersion: string;
}

/** The reference reads what does not begin as an object as YAML. Throws DecodeError. */
function jsonText(answer: string): string {
  const isJson = answer.trimStart().startsWith('{');
  const text = isJson ? answer : yamlToJson(answer);
  let document: unknown;
  try {
    document = parseJson(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(noTypeText(error.message));
  }
  const isObject = typeof document === 'object' && !Array.isArray(document);
  if (!isObject) throw new DecodeError(noObjectText(document));
  return text;
}

function yamlToJson(answer: string): string {
  if (Buffer.byteLength(answer) > YAML_BODY_BYTES_MAX) {
    throw new DecodeError(`the answer is no JSON, and longer than ${YAML_BODY_BYTES_MAX} bytes`);
  }
  try {
    return yamlToJsonText(answer);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new DecodeError(error.message);
  }
}

/** Throws DecodeError. */
function checkType(kind: string, apiVersion: string, version: ReviewVersion): void {
  const got = REVIEW_VERSIONS.find((known) => apiVersion === `${ADMISSION_GROUP}/${known}`);
  if (kind !== KIND || got === undefined) throw new DecodeError(unknownKindText(kind, apiVersion));
  if (got !== version) throw new DecodeError(otherVersionText(KIND, got, version));
}

/** Checks that the answer names its review, as v1 asks for. Throws ReviewError. */
function checkIdentity(uid: string, got: string, kind: string, apiVersion: string): void {
  if (got !== uid) {
    const both = `expected response.uid=${quoteText(uid)}, got ${quoteText(got)}`;
    throw new ReviewError(both, true);
  }
  const expected = `${ADMISSION_GROUP}/v1`;
  if (kind === KIND && apiVersion === expected) return;
  const its = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  const both = `of ${expected}, Kind=${KIND}, got ${its}, Kind=${kind}`;
  throw new ReviewError(`expected webhook response ${both}`, true);
}

/** Checks that a patch has a type, as v1 asks for. Throws ReviewError. */
function checkPatch({ patch, patchType }: ReviewResponse, isMutating: boolean): void {
  if (!isMutating) {
    if (patch === undefined && patchType === undefined) return;
    const extra = patch === undefined ? 'patchType' : 'patch';
    throw new ReviewError(`validating webhook may not return response.${extra}`, true);
  }
  const returned = (what: string): ReviewError => new ReviewError(`webhook returned ${what}`, true);
  if (patch !== undefined && patchType === undefined) {
    throw returned('response.patch but not response.patchType');
  }
  if (patch === undefined && patchType !== undefined) {
    throw returned('response.patchType but not response.patch');
  }
  if (patchType === '') throw returned('invalid response.patchType of ""');
}
