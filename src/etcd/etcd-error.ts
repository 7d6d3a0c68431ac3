/** Failures of calls to etcd, by what the caller knows after them. */
import { status as codes } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';

/**
 * - `refused`: etcd has answered, and says no. Nothing was done.
 * - `unavailable`: nobody has answered, and certainly nothing was done.
 * - `unknown`: a write was sent, and nobody knows whether it was done, or will still be.
 */
export type EtcdErrorSort = 'refused' | 'unavailable' | 'unknown';

/** Why etcd says no. */
export type RefusedReason =
  | 'compacted'
  | 'futureRevision'
  | 'tooLarge'
  | 'tooManyOperations'
  | 'duplicateKey'
  | 'noSpace'
  | 'leaseNotFound'
  | 'leaseExists'
  | 'denied'
  | 'other';

export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly sort: EtcdErrorSort;
  /** Of what was refused. */
  readonly reason: RefusedReason | undefined;
  /** Of a watch that was `compacted`: where history begins. */
  readonly compactRevision: number | undefined;

  private constructor(
    sort: EtcdErrorSort,
    message: string,
    reason?: RefusedReason,
    compactRevision?: number,
  ) {
    super(message);
    this.sort = sort;
    this.reason = reason;
    this.compactRevision = compactRevision;
  }

  static refused(message: string): EtcdError {
    const text = bareText(message);
    return new EtcdError('refused', text, REASONS.get(text) ?? reasonOf(text));
  }

  static compacted(compactRevision: number): EtcdError {
    return new EtcdError('refused', COMPACTED, 'compacted', compactRevision);
  }

  static unavailable(message: string): EtcdError {
    return new EtcdError('unavailable', bareText(message));
  }

  static unknown(message: string): EtcdError {
    return new EtcdError('unknown', bareText(message));
  }
}

const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';

const REASONS: ReadonlyMap<string, RefusedReason> = new Map([
  [COMPACTED, 'compacted'],
  ['etcdserver: mvcc: required revision is a future revision', 'futureRevision'],
  ['etcdserver: request is too large', 'tooLarge'],
  ['etcdserver: too many operations in txn request', 'tooManyOperations'],
  ['etcdserver: duplicate key given in txn request', 'duplicateKey'],
  ['etcdserver: mvcc: database space exceeded', 'noSpace'],
  ['etcdserver: requested lease not found', 'leaseNotFound'],
  ['etcdserver: lease already exists', 'leaseExists'],
  ['etcdserver: permission denied', 'denied'],
  ['etcdserver: invalid auth token', 'denied'],
  ['etcdserver: user name is empty', 'denied'],
]);

/** Codes with which etcd says no to a request that it has looked at, unlike `UNAVAILABLE`. */
const REFUSALS: ReadonlySet<number> = new Set([
  codes.INVALID_ARGUMENT,
  codes.NOT_FOUND,
  codes.ALREADY_EXISTS,
  codes.PERMISSION_DENIED,
  codes.RESOURCE_EXHAUSTED,
  codes.FAILED_PRECONDITION,
  codes.OUT_OF_RANGE,
  codes.UNIMPLEMENTED,
  codes.DATA_LOSS,
  codes.UNAUTHENTICATED,
]);

/** With other texts the library and proxies use these codes for broken connections, too. */
const REFUSAL_TEXT = /^(?:etcdserver: |grpc: received message larger than max)/;

/**
 * Etcd gives a write up with these before it has proposed it to its members. `server stopped`,
 * `leader changed` and all forms of `request timed out` are not among them.
 */
const NOT_PROPOSED: ReadonlySet<string> = new Set([
  'etcdserver: no leader',
  'etcdserver: not leader',
  'etcdserver: too many requests',
  'etcdserver: unhealthy cluster',
  'etcdserver: rpc not supported for learner',
  'raft proposal dropped',
]);

/** The library has found no connection to send the request on. */
const NOT_SENT = /^(?:No connection established|Name resolution failed|Stream refused by server)/;

/** What the failed call says of a write that was handed to a connection. */
export function writeError(error: ServiceError): EtcdError {
  if (wasNotDone(error)) return EtcdError.unavailable(error.details);
  if (isRefusal(error)) return EtcdError.refused(error.details);
  return EtcdError.unknown(failureText(error));
}

/** What the failed call says of a read: of a server that cannot answer, `unavailable`. */
export function readError(error: ServiceError): EtcdError {
  return isRefusal(error) && !wasNotDone(error)
    ? EtcdError.refused(error.details)
    : EtcdError.unavailable(failureText(error));
}

/** Whether the server has said nothing within the time of the call. */
export function isSilence({ code, details }: ServiceError): boolean {
  return code === codes.DEADLINE_EXCEEDED && !details.startsWith('etcdserver:');
}

function isRefusal({ code, details }: ServiceError): boolean {
  return REFUSALS.has(code) && REFUSAL_TEXT.test(details);
}

function wasNotDone({ details }: ServiceError): boolean {
  return NOT_PROPOSED.has(details) || NOT_SENT.test(details);
}

function failureText({ code, details }: ServiceError): string {
  return details === '' ? `etcd: ${codes[code] ?? code}` : details;
}

/** Reasons that watches are cancelled for come with the code before them. */
function bareText(message: string): string {
  return message.replace(/^rpc error: code = \w+ desc = /, '');
}

function reasonOf(text: string): RefusedReason {
  return /larger than max/.test(text) ? 'tooLarge' : 'other';
}
