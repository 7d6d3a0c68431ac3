/**
 * The Status document and the errors that become one (../README.md#status and ../README.md#errors).
 */
import { ownRelease } from '../../release/release.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** The Status of a success. */
export function successStatus(members: Partial<Status>): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', ...members };
}

/** Facts that accompany an answer or a refusal; each is absent where there is none. */
export interface Said {
  /** Texts of `Warning` headers. */
  readonly warnings?: readonly string[];
  /** Annotations for the audit log. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Milliseconds that the request waited on its way, by the cause. */
  readonly times?: Readonly<Record<string, number>>;
  /** Milliseconds that the request waited for admission webhooks. */
  readonly webhookMs?: number;
}

/** Puts these warnings before those that are there. */
export function warnedOf<T extends Said>(warnings: readonly string[], said: T): T {
  return { ...said, warnings: [...warnings, ...(said.warnings ?? [])] };
}

const NOTHING_SAID: Said = Object.freeze({});

/** A failure that the API defines: thrown anywhere below a verb, answered as its Status. */
export class StatusError extends Error {
  readonly status: Status;
  /** Warnings and annotations from before the request was refused. */
  said = NOTHING_SAID;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = 'StatusError';
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }

  get code(): number {
    return this.status.code ?? 500;
  }
}

/** Whether something was refused with this code. */
export function isRefusal(error: unknown, code: number): error is StatusError {
  return error instanceof StatusError && error.code === code;
}

/** A resource type as errors name it: `group` is '' for the core group. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `resource` for the core group, else `resource.group`. */
export function groupResourceText({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function detailsOf(gr: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(gr.group === '' ? {} : { group: gr.group }),
    ...(gr.resource === '' ? {} : { kind: gr.resource }),
  };
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}

/** `gr` and `name` are '' for a path that names no resource. */
export function forbidden(gr: GroupResource, name: string, why: string): StatusError {
  const resource = groupResourceText(gr);
  const what = name === '' ? resource : `${resource} ${quoteText(name)}`;
  const message = resource === '' ? `forbidden: ${why}` : `${what} is forbidden: ${why}`;
  return new StatusError(403, 'Forbidden', message, detailsOf(gr, name));
}

const NAMESPACE_TERMINATING = 'NamespaceTerminating';

/** A create in a namespace that is being deleted (src/shard/README.md#namespaces). */
export function namespaceTerminating(
  gr: GroupResource,
  name: string,
  namespace: string,
): StatusError {
  const why =
    `unable to create new content in namespace ${namespace} ` + 'because it is being terminated';
  const error = forbidden(gr, name, why);
  const cause = {
    reason: NAMESPACE_TERMINATING,
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  error.status.details = { ...error.status.details, causes: [cause] };
  return error;
}

/** Whether a create was refused because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!isRefusal(error, 403)) return false;
  const { causes = [] } = error.status.details ?? {};
  return causes.some(({ reason }) => reason === NAMESPACE_TERMINATING);
}

export function notFound(gr: GroupResource, name: string): StatusError {
  const message = `${groupResourceText(gr)} ${quoteText(name)} not found`;
  return new StatusError(404, 'NotFound', message, detailsOf(gr, name));
}

/** A path below a served group version that names nothing. */
export function resourceNotServed(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError(404, 'NotFound', message, {});
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, 'MethodNotAllowed', message, {});
}

/** A verb that the type does not serve, where the reference names both. */
export function methodNotSupported(gr: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${groupResourceText(gr)}"`;
  const details = { ...(gr.group !== '' && { group: gr.group }), kind: gr.resource };
  return new StatusError(405, 'MethodNotAllowed', message, details);
}

/** No clause of `Accept` names one of the types: the refusal of the router. */
export function notAcceptable(types: readonly string[]): StatusError {
  // Asked here, because this file is loaded before the release is chosen.
  const isTold = ownRelease().has('toldRepresentations');
  const known = isTold ? `\n\nAvailable representations: ${types.join(', ')}` : '';
  return new StatusError(406, 'NotAcceptable', `406: Not Acceptable${known}`, {});
}

/** The 406 for an `Accept` whose types are served, but not with these parameters, or not here. */
export function acceptedTypesAre(types: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${types.join(', ')}`;
  return new StatusError(406, 'NotAcceptable', message);
}

/** The client asked for the metadata of a list where there is an object, or the other way round. */
export function transformMismatch(isListAsked: boolean, type: string): StatusError {
  const message = isListAsked
    ? `you requested PartialObjectMetadataList, but the requested object is not a list (*${type})`
    : `you requested PartialObjectMetadata, but the requested object is a list (*${type}List)`;
  return new StatusError(406, 'NotAcceptable', message);
}

export function alreadyExists(gr: GroupResource, name: string, terminating: boolean): StatusError {
  const prefix = terminating ? 'object is being deleted: ' : '';
  const message = `${prefix}${groupResourceText(gr)} ${quoteText(name)} already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(gr, name));
}

/** The one generated name was taken; a client tries again. */
export function generatedNameTaken(gr: GroupResource, name: string): StatusError {
  const message =
    `${groupResourceText(gr)} ${quoteText(name)} already exists, ` +
    'the server was not able to generate a unique name for the object';
  const details = { ...detailsOf(gr, name), retryAfterSeconds: 1 };
  return new StatusError(409, 'AlreadyExists', message, details);
}

/** `why` ends the sentence `Operation cannot be fulfilled on …`. */
export function conflict(gr: GroupResource, name: string, why: string): StatusError {
  const what = `${groupResourceText(gr)} ${quoteText(name)}`;
  const message = `Operation cannot be fulfilled on ${what}: ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(gr, name));
}

/** The version that a write builds on is not the newest one. */
export function staleVersion(gr: GroupResource, name: string): StatusError {
  const why =
    'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(gr, name, why);
}

/** A version or token that has left the history window (src/shard/README.md#lists). */
export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

/** A patch that cannot be read or applied (src/semantics/patch/README.md#patch-types). */
export function patchRefused(code: 400 | 413 | 422 | 500, message: string): StatusError {
  if (code === 400) return badRequest(message);
  if (code === 413) return new StatusError(413, 'RequestEntityTooLarge', message);
  if (code === 500) return serverFailure(message);
  const text = 'the server rejected our request due to an error in our request';
  return new StatusError(422, 'Invalid', text, {});
}

/** Several managers would have to give up fields (src/semantics/fields/README.md#conflicts). */
export function applyConflict(message: string, causes: readonly StatusCause[]): StatusError {
  return new StatusError(409, 'Conflict', message, { causes: [...causes] });
}

export function requestEntityTooLarge(limitBytes: number): StatusError {
  const message = `Request entity too large: limit is ${limitBytes}`;
  return new StatusError(413, 'RequestEntityTooLarge', message);
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message =
    'the body of the request was in an unknown format - accepted media types include: ' +
    accepted.join(', ');
  return new StatusError(415, 'UnsupportedMediaType', message);
}

export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

/** An error of the server that the reference has no reason for. */
export function serverFailure(message: string): StatusError {
  return new StatusError(500, '', message);
}

export function serviceUnavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message, { retryAfterSeconds: 1 });
}

/** The client asked for a version that was never issued (src/shard/README.md#lists). */
export function tooLargeResourceVersion(asked: bigint, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/**
 * The server handles too many requests or bytes at once (src/front/README.md#bodies-of-requests).
 */
export function tooManyRequests(): StatusError {
  const message = 'Too many requests, please try again later.';
  return new StatusError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}

/** The head of a request came too slowly (src/front/README.md#slow-connections). */
export function requestHeadLate(): StatusError {
  return new StatusError(408, 'Timeout', 'Timeout: the head of the request did not come in time');
}

/** A user has as many watches as one may have (src/front/README.md#connections). */
export function tooManyWatches(user: string, max: number): StatusError {
  const message = `${user} has ${max} watches open, and may have no more`;
  return new StatusError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}

/** A request has taken as long as the reference lets one take. */
export function notDoneInTime(): StatusError {
  const message =
    'Timeout: request did not complete within requested timeout - context deadline exceeded';
  return new StatusError(504, 'Timeout', message, {});
}

/** The timeout in the form that the reference gives it while a request waits for webhooks. */
export function requestTimeout(): StatusError {
  const message = 'Timeout: request did not complete within requested timeout';
  return new StatusError(504, 'Timeout', message, {});
}

/** The request, or its body, took longer than it may (src/front/README.md#deadlines). */
export function allottedTimeIsOver(): StatusError {
  const message = 'Timeout: request did not complete within the allotted timeout';
  return new StatusError(504, 'Timeout', message, {});
}
