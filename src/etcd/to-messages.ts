/** What is asked for, as the library writes it. Members that are undefined are not sent. */
import type { Compare, Operation, Txn, Watch } from './etcd.ts';
import { COMPARE_RESULTS, COMPARE_TARGETS } from './message-types.ts';
import { writtenInt64 } from './messages.ts';

export function txnMessage({ compare = [], success = [], failure = [] }: Txn): object {
  return {
    compare: compare.map(compareMessage),
    success: success.map(operationMessage),
    failure: failure.map(operationMessage),
  };
}

/** About how many bytes a transaction takes, rather more. */
export function txnBytesHint({ compare = [], success = [], failure = [] }: Txn): number {
  let bytes = SMALL_BYTES * (compare.length + 1);
  for (const operations of [success, failure]) {
    for (const operation of operations) {
      bytes += SMALL_BYTES;
      if ('put' in operation) bytes += operation.put.key.length + operation.put.value.length;
    }
  }
  return bytes;
}

/** Numbers, tags and lengths of one operation, and short keys. */
const SMALL_BYTES = 128;

function compareMessage(compare: Compare): object {
  const { key, rangeEnd, is } = compare;
  const target = COMPARE_TARGETS.findIndex((name) => name in compare);
  const lease = 'lease' in compare ? writtenInt64(compare.lease) : undefined;
  return { ...compare, key, rangeEnd, result: COMPARE_RESULTS.indexOf(is), target, lease };
}

function operationMessage(operation: Operation): object {
  if ('put' in operation) {
    const { lease, ...put } = operation.put;
    const message = lease === undefined ? operation.put : { ...put, lease: writtenInt64(lease) };
    return { requestPut: message };
  }
  if ('delete' in operation) return { requestDeleteRange: operation.delete };
  return { requestRange: operation.range };
}

/** `startRevision` is where the watch goes on. */
export function watchMessage(watch: Watch, watchId: number, startRevision: number): object {
  return {
    createRequest: { ...watch, watchId, startRevision, fragment: true },
  };
}
