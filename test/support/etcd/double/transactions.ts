/** Reads and transactions, from the message to the answer, with the checks that etcd makes. */
import type { KeyValue } from '../../../../src/etcd/etcd.ts';
import { COMPARE_RESULTS, COMPARE_TARGETS } from '../../../../src/etcd/message-types.ts';
import type {
  CompareMessage,
  DeleteMessage,
  OperationMessage,
  RangeMessage,
  TxnMessage,
} from '../../../../src/etcd/message-types.ts';
import { writtenInt64 } from '../../../../src/etcd/messages.ts';
import type { Leases } from './leases.ts';
import { hasNoEnd, isIn, textOf } from './mvcc.ts';
import type { Mvcc, Writing } from './mvcc.ts';
import {
  DUPLICATE_KEY,
  EMPTY_KEY,
  KEY_NOT_FOUND,
  LEASE_NOT_FOUND,
  StatusError,
  TOO_MANY_OPERATIONS,
} from './status-error.ts';

/** Etcd's default. */
const OPERATIONS_MAX = 128;

const NO_BYTES = new Uint8Array();

export function rangeAnswer(mvcc: Mvcc, range: RangeMessage, newest = mvcc.revision): object {
  const revision = Number(range.revision);
  mvcc.checkRevision(revision);
  const kvs = mvcc.read(range, revision === 0 ? newest : revision);
  const limit = Number(range.limit);
  const shown = limit > 0 ? kvs.slice(0, limit) : kvs;
  return {
    header: { revision: newest },
    kvs: range.countOnly
      ? []
      : shown.map(
          range.keysOnly ? (kv) => writtenKey(kv, mvcc.showsLeasesOfKeys) : writtenKeyValue,
        ),
    more: !range.countOnly && shown.length < kvs.length,
    count: kvs.length,
  };
}

export function writtenKeyValue(kv: KeyValue): object {
  return { ...kv, lease: writtenInt64(kv.lease) };
}

function writtenKey(kv: KeyValue, showsLease: boolean): object {
  return { ...kv, value: NO_BYTES, lease: showsLease ? writtenInt64(kv.lease) : 0 };
}

/** Throws a StatusError for what etcd refuses before it looks at what is stored. */
export function checkRange({ key }: { readonly key: Uint8Array }): void {
  if (key.length === 0) throw new StatusError(EMPTY_KEY);
}

/** The same of a transaction. */
export function checkTxn({ compare, success, failure }: TxnMessage): void {
  if (Math.max(compare.length, success.length, failure.length) > OPERATIONS_MAX) {
    throw new StatusError(TOO_MANY_OPERATIONS);
  }
  for (const one of compare) checkRange(one);
  for (const { requestPut, requestDeleteRange, requestRange } of [...success, ...failure]) {
    const request = requestPut ?? requestDeleteRange ?? requestRange;
    if (request === null) throw new StatusError(KEY_NOT_FOUND);
    checkRange(request);
  }
  checkOverlaps(success);
  checkOverlaps(failure);
}

/**
 * No key is put twice, or put and deleted. Of deletions without an end etcd takes the end by its
 * bytes, so that no key is in them.
 */
function checkOverlaps(operations: readonly OperationMessage[]): void {
  const deletions = operations.flatMap((one): readonly DeleteMessage[] =>
    one.requestDeleteRange === null || hasNoEnd(one.requestDeleteRange)
      ? []
      : [one.requestDeleteRange],
  );
  const put = new Set<string>();
  for (const { requestPut } of operations) {
    if (requestPut === null) continue;
    const { key } = requestPut;
    const text = textOf(key);
    if (put.has(text) || deletions.some((keys) => isIn(keys, key))) {
      throw new StatusError(DUPLICATE_KEY);
    }
    put.add(text);
  }
}

export function isWrite({ success, failure }: TxnMessage): boolean {
  return [...success, ...failure].some(({ requestRange }) => requestRange === null);
}

/** Does a transaction that was checked. */
export function txnAnswer(mvcc: Mvcc, leases: Leases, txn: TxnMessage): object {
  const succeeded = txn.compare.every((compare) => holds(mvcc, compare));
  const operations = succeeded ? txn.success : txn.failure;
  for (const { requestRange, requestPut } of operations) {
    if (requestRange !== null) mvcc.checkRevision(Number(requestRange.revision));
    const lease = BigInt(requestPut?.lease ?? 0);
    if (lease !== 0n && !leases.has(lease)) throw new StatusError(LEASE_NOT_FOUND);
  }
  return mvcc.commit((writing) => {
    const responses = operations.map((operation) => operate(mvcc, leases, writing, operation));
    return { header: { revision: writing.revision() }, succeeded, responses };
  });
}

function operate(
  mvcc: Mvcc,
  leases: Leases,
  writing: Writing,
  { requestRange, requestPut, requestDeleteRange }: OperationMessage,
): object {
  if (requestPut !== null) {
    const { key, value, lease, prevKv } = requestPut;
    const before = writing.put(key, value, BigInt(lease));
    leases.attach(key, BigInt(lease));
    const shown = prevKv && before !== undefined ? { prevKv: writtenKeyValue(before) } : {};
    return { responsePut: shown };
  }
  if (requestDeleteRange !== null) {
    const deleted = writing.delete(requestDeleteRange);
    for (const { key } of deleted) leases.attach(key, 0n);
    const prevKvs = requestDeleteRange.prevKv ? deleted.map((kv) => writtenKeyValue(kv)) : [];
    return { responseDeleteRange: { deleted: deleted.length, prevKvs } };
  }
  return { responseRange: rangeAnswer(mvcc, requestRange as RangeMessage, writing.revision()) };
}

function holds(mvcc: Mvcc, compare: CompareMessage): boolean {
  const target = COMPARE_TARGETS[compare.target] as (typeof COMPARE_TARGETS)[number];
  const kvs = mvcc.read(compare, mvcc.revision);
  if (kvs.length === 0) return target !== 'value' && fits(compare, 0n);
  return kvs.every((kv) =>
    target === 'value'
      ? fits(compare, BigInt(Buffer.compare(kv.value, compare.value)), 0n)
      : fits(compare, BigInt(kv[target])),
  );
}

function fits(compare: CompareMessage, value: bigint, wanted = wantedBy(compare)): boolean {
  switch (COMPARE_RESULTS[compare.result]) {
    case '=':
      return value === wanted;
    case '!=':
      return value !== wanted;
    case '<':
      return value < wanted;
    default:
      return value > wanted;
  }
}

function wantedBy(compare: CompareMessage): bigint {
  const target = COMPARE_TARGETS[compare.target];
  return target === undefined || target === 'value' ? 0n : BigInt(compare[target]);
}
