/**
 * From failed calls to what their callers know. Apart from EtcdError, which servers without etcd
 * name too: only who makes calls loads the library for them.
 */
import { status as codes } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { EtcdError } from './etcd-error.ts';

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
