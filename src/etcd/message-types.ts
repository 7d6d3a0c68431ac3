/**
 * The messages of proto/etcd/rpc.proto as the library reads them: what was not sent is the value
 * for none, of a message null. What is written may lack members.
 */

/** A number of 64 bits as it is read: a bigint where a number would not be exact. */
export type Int64 = number | bigint;

/** The same as it is written: the library takes no bigints. */
export type WrittenInt64 = number | { readonly low: number; readonly high: number };

export interface Header {
  readonly clusterId: Int64;
  readonly memberId: Int64;
  readonly revision: Int64;
  readonly raftTerm: Int64;
}

export interface HeadedMessage {
  readonly header: Header | null;
}

export interface KeyValueMessage {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly createRevision: Int64;
  readonly modRevision: Int64;
  readonly version: Int64;
  readonly lease: Int64;
}

export interface RangeMessage {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly limit: Int64;
  readonly revision: Int64;
  readonly serializable: boolean;
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
}

export interface RangeAnswer extends HeadedMessage {
  readonly kvs: readonly KeyValueMessage[];
  readonly more: boolean;
  readonly count: Int64;
}

export interface PutMessage {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly lease: Int64;
  readonly prevKv: boolean;
}

export interface DeleteMessage {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly prevKv: boolean;
}

export interface OperationMessage {
  readonly requestRange: RangeMessage | null;
  readonly requestPut: PutMessage | null;
  readonly requestDeleteRange: DeleteMessage | null;
}

export interface OperationAnswer {
  readonly responseRange: RangeAnswer | null;
  readonly responsePut: { readonly prevKv: KeyValueMessage | null } | null;
  readonly responseDeleteRange: {
    readonly deleted: Int64;
    readonly prevKvs: readonly KeyValueMessage[];
  } | null;
}

/** `result` and `target` are places in COMPARE_RESULTS and COMPARE_TARGETS. */
export interface CompareMessage {
  readonly result: number;
  readonly target: number;
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly version: Int64;
  readonly createRevision: Int64;
  readonly modRevision: Int64;
  readonly value: Uint8Array;
  readonly lease: Int64;
}

export const COMPARE_RESULTS = ['=', '>', '<', '!='] as const;
export const COMPARE_TARGETS = [
  'version',
  'createRevision',
  'modRevision',
  'value',
  'lease',
] as const;

export interface TxnMessage {
  readonly compare: readonly CompareMessage[];
  readonly success: readonly OperationMessage[];
  readonly failure: readonly OperationMessage[];
}

export interface TxnAnswer extends HeadedMessage {
  readonly succeeded: boolean;
  readonly responses: readonly OperationAnswer[];
}

export interface WatchMessage {
  readonly createRequest: WatchCreateMessage | null;
  readonly cancelRequest: { readonly watchId: Int64 } | null;
  readonly progressRequest: object | null;
}

export interface WatchCreateMessage {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly startRevision: Int64;
  readonly progressNotify: boolean;
  readonly prevKv: boolean;
  readonly watchId: Int64;
  readonly fragment: boolean;
}

export interface WatchAnswer extends HeadedMessage {
  readonly watchId: Int64;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: Int64;
  readonly cancelReason: string;
  readonly fragment: boolean;
  readonly events: readonly EventMessage[];
}

export const EVENT_TYPES = ['put', 'delete'] as const;

/** `type` is a place in EVENT_TYPES. */
export interface EventMessage {
  readonly type: number;
  readonly kv: KeyValueMessage | null;
  readonly prevKv: KeyValueMessage | null;
}

/** Of a grant, a renewal and a revocation, and their answers. */
export interface LeaseMessage extends HeadedMessage {
  readonly ID: Int64;
  readonly TTL: Int64;
}

export interface StatusAnswer extends HeadedMessage {
  readonly version: string;
  readonly dbSize: Int64;
  readonly leader: Int64;
  readonly raftTerm: Int64;
  readonly errors: readonly string[];
  readonly dbSizeInUse: Int64;
  readonly isLearner: boolean;
}
