/** What etcd answers where it does not do what it was asked for. */
import { Metadata, status as codes } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';

interface Refusal {
  readonly code: codes;
  readonly details: string;
}

export class StatusError extends Error implements ServiceError {
  override readonly name = 'StatusError';
  readonly code: codes;
  readonly details: string;
  readonly metadata = new Metadata();

  constructor({ code, details }: Refusal) {
    super(details);
    this.code = code;
    this.details = details;
  }
}

const { INVALID_ARGUMENT, OUT_OF_RANGE, RESOURCE_EXHAUSTED, UNAVAILABLE } = codes;

function refusal(code: codes, details: string): Refusal {
  return { code, details: `etcdserver: ${details}` };
}

export const COMPACTED = refusal(OUT_OF_RANGE, 'mvcc: required revision has been compacted');
export const FUTURE_REVISION = refusal(
  OUT_OF_RANGE,
  'mvcc: required revision is a future revision',
);
export const EMPTY_KEY = refusal(INVALID_ARGUMENT, 'key is not provided');
/** Of an operation that is none. */
export const KEY_NOT_FOUND = refusal(INVALID_ARGUMENT, 'key not found');
export const TOO_MANY_OPERATIONS = refusal(INVALID_ARGUMENT, 'too many operations in txn request');
export const DUPLICATE_KEY = refusal(INVALID_ARGUMENT, 'duplicate key given in txn request');
export const TOO_LARGE = refusal(INVALID_ARGUMENT, 'request is too large');
export const LEASE_NOT_FOUND = refusal(codes.NOT_FOUND, 'requested lease not found');
export const LEASE_EXISTS = refusal(codes.FAILED_PRECONDITION, 'lease already exists');
export const TTL_TOO_LARGE = refusal(OUT_OF_RANGE, 'too large lease TTL');
export const NO_LEADER = refusal(UNAVAILABLE, 'no leader');
export const TIMED_OUT = refusal(UNAVAILABLE, 'request timed out');

/** A message that is longer than what a server takes at all. */
export function messageTooLarge(bytes: number, bytesMax: number): Refusal {
  const details = `grpc: received message larger than max (${bytes} vs. ${bytesMax})`;
  return { code: RESOURCE_EXHAUSTED, details };
}
