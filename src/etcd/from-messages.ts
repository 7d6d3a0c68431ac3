/** Answers as `etcd.ts` shows them, made of what the library has read. */
import { assert } from '../base/assert.ts';
import type { KeyValue, OperationResult, RangeResult, TxnResult, WatchEvent } from './etcd.ts';
import { EVENT_TYPES } from './message-types.ts';
import type {
  EventMessage,
  HeadedMessage,
  Int64,
  KeyValueMessage,
  OperationAnswer,
  RangeAnswer,
  TxnAnswer,
} from './message-types.ts';

/** A revision or count, which must be exact. */
export function numberOf(value: Int64): number {
  assert(typeof value === 'number', `etcd has sent ${value}, which is no exact number`);
  return value;
}

export function revisionOf({ header }: HeadedMessage): number {
  return header === null ? 0 : numberOf(header.revision);
}

export function keyValueOf(message: KeyValueMessage): KeyValue {
  return {
    key: message.key,
    value: message.value,
    createRevision: numberOf(message.createRevision),
    modRevision: numberOf(message.modRevision),
    version: numberOf(message.version),
    lease: message.lease === 0 ? 0n : BigInt(message.lease),
  };
}

/** `revision` is that of the transaction where the range is part of one. */
export function rangeResultOf(answer: RangeAnswer, revision = revisionOf(answer)): RangeResult {
  return {
    revision,
    kvs: answer.kvs.map(keyValueOf),
    more: answer.more,
    count: numberOf(answer.count),
  };
}

export function txnResultOf(answer: TxnAnswer): TxnResult {
  const revision = revisionOf(answer);
  return {
    revision,
    succeeded: answer.succeeded,
    responses: answer.responses.map((response) => operationResultOf(response, revision)),
  };
}

function operationResultOf(answer: OperationAnswer, revision: number): OperationResult {
  const { responsePut, responseDeleteRange, responseRange } = answer;
  if (responsePut !== null) return { put: { prevKv: presentOf(responsePut.prevKv) } };
  if (responseDeleteRange !== null) {
    const { deleted, prevKvs } = responseDeleteRange;
    return { delete: { deleted: numberOf(deleted), prevKvs: prevKvs.map(keyValueOf) } };
  }
  assert(responseRange !== null, 'etcd has answered an operation with none that it was asked for');
  return { range: rangeResultOf(responseRange, revision) };
}

export function watchEventOf({ type, kv, prevKv }: EventMessage): WatchEvent {
  assert(kv !== null, 'etcd has sent an event of no key');
  return {
    type: EVENT_TYPES[type] ?? 'put',
    kv: keyValueOf(kv),
    prevKv: presentOf(prevKv),
  };
}

function presentOf(message: KeyValueMessage | null): KeyValue | undefined {
  return message === null ? undefined : keyValueOf(message);
}
