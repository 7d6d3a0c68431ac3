/**
 * What this product uses of etcd (README.md): reads, transactions, watches, leases, compaction.
 * `connect.ts` makes one that speaks to real servers.
 *
 * - Revisions are etcd's: one number for each transaction that wrote something.
 * - Keys and values of answers are parts of the buffer that the answer came in: who keeps a few
 *   bytes of a long answer copies them.
 * - Each call ends within its deadline, and rejects with an EtcdError alone, whose `sort` says what
 *   the caller knows then (`etcd-error.ts`).
 * - A write is sent once at most. A read may be sent to another server when one has failed.
 */
import type { EtcdError } from './etcd-error.ts';

export interface EtcdClient {
  range(range: Range, options?: CallOptions): Promise<RangeResult>;
  txn(txn: Txn, options?: CallOptions): Promise<TxnResult>;
  /** Forgets history before `revision`. Gives the newest revision. */
  compact(revision: number, options?: CallOptions): Promise<number>;
  watch(watch: Watch, listener: WatchListener): RunningWatch;
  leaseGrant(grant: LeaseGrant, options?: CallOptions): Promise<Lease>;
  /** Renews a lease three times within its time to live, until it is lost or this is closed. */
  leaseKeepAlive(lease: Lease, listener: LeaseListener): RunningKeepAlive;
  leaseRevoke(id: bigint, options?: CallOptions): Promise<void>;
  /** The state of the server that calls go to at present. */
  status(options?: CallOptions): Promise<ServerStatus>;
  /** Ends watches and leases without a word to their listeners; calls under way are given up. */
  close(): void;
}

export interface CallOptions {
  /** CALL_DEADLINE_MS where it is absent. */
  readonly deadlineMs?: number;
}

export interface KeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** The revision in which the key came to be. */
  readonly createRevision: number;
  /** The revision of its last write. */
  readonly modRevision: number;
  /** How often it was written since it came to be. */
  readonly version: number;
  /** 0n for none. */
  readonly lease: bigint;
}

/** A key, or all keys from `key` to before `rangeEnd`; `prefixEnd` gives that of a prefix. */
export interface Keys {
  readonly key: Uint8Array;
  readonly rangeEnd?: Uint8Array;
}

export interface Range extends Keys {
  readonly limit?: number;
  /** The newest where it is absent. */
  readonly revision?: number;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
  /** From what a server has, which may be old; it needs no quorum then. Not in transactions. */
  readonly serializable?: boolean;
}

export interface RangeResult {
  /** The newest revision when this was read. */
  readonly revision: number;
  /** In the order of their keys. */
  readonly kvs: readonly KeyValue[];
  /** Whether the limit left some out. */
  readonly more: boolean;
  /** How many there are, whatever the limit. */
  readonly count: number;
}

type CompareTarget =
  | { readonly version: number }
  | { readonly createRevision: number }
  | { readonly modRevision: number }
  | { readonly value: Uint8Array }
  | { readonly lease: bigint };

/**
 * Such as `{ key, is: '=', createRevision: 0 }`, which holds where there is no such key. Of a
 * range all keys must fit.
 */
export type Compare = Keys & { readonly is: '=' | '!=' | '<' | '>' } & CompareTarget;

/** The results of a transaction are in the order of these. */
export type Operation =
  | { readonly put: Put }
  | { readonly delete: Keys & { readonly prevKv?: boolean } }
  | { readonly range: Range };

interface Put {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly lease?: bigint;
  readonly prevKv?: boolean;
}

export interface Txn {
  readonly compare?: readonly Compare[];
  /** What is done when all comparisons hold. */
  readonly success?: readonly Operation[];
  readonly failure?: readonly Operation[];
}

export interface TxnResult {
  /** That of what it has written, else the newest. */
  readonly revision: number;
  readonly succeeded: boolean;
  readonly responses: readonly OperationResult[];
}

export type OperationResult =
  | { readonly put: { readonly prevKv: KeyValue | undefined } }
  | { readonly delete: { readonly deleted: number; readonly prevKvs: readonly KeyValue[] } }
  | { readonly range: RangeResult };

export interface Watch extends Keys {
  /** The first revision whose events are wanted; where it is absent, the next one. */
  readonly startRevision?: number;
  readonly prevKv?: boolean;
  /** Whether etcd tells by itself, every ten minutes, how far the watch is. */
  readonly progressNotify?: boolean;
}

export interface WatchEvent {
  readonly type: 'put' | 'delete';
  /** Of a deletion: its key, and as `modRevision` the revision of the deletion. */
  readonly kv: KeyValue;
  /** What the event replaced, where the watch asked for it and etcd still has it. */
  readonly prevKv: KeyValue | undefined;
}

/** Nothing is called after `close`, and nothing but `broken` more than `ended`. */
export interface WatchListener {
  /**
   * Events in the order of their revisions, each once, over any break of the connection. Those of
   * one revision come in one call, which may have more revisions; `revision` is the last of them.
   */
  events(events: readonly WatchEvent[], revision: number): void;
  /** All events up to this revision were given. */
  progress?(revision: number): void;
  /** The watch has lost its server, and goes on when it finds one. */
  broken?(error: EtcdError): void;
  /** The watch runs: for the first time, or again. */
  running?(server: string): void;
  /**
   * There will be nothing more: history from where the watch was is gone (`reason` is `compacted`,
   * with `compactRevision`), or etcd refuses the watch.
   */
  ended(error: EtcdError): void;
}

export interface RunningWatch {
  /**
   * Has etcd tell soon how far the watch is. Nothing comes while one watch of the client is behind:
   * ask again.
   */
  requestProgress(): void;
  close(): void;
}

export interface LeaseGrant {
  /** Etcd may make it longer: by default two seconds are the shortest. */
  readonly ttlSeconds: number;
  /** Chosen by etcd where it is absent. */
  readonly id?: bigint;
}

export interface Lease {
  readonly id: bigint;
  readonly ttlSeconds: number;
  /**
   * When the request for it was sent, by `performance.now()`: until `ttlSeconds` later, at least,
   * etcd keeps the lease.
   */
  readonly sentAtMs: number;
}

export interface LeaseListener {
  /** The lease has a new time to live, from `lease.sentAtMs` on. */
  renewed(lease: Lease): void;
  /** Nothing was heard of the lease for a third of its time, and another server is tried. */
  broken?(error: EtcdError): void;
  /** Etcd says that there is no such lease, or refuses to renew it. Nothing comes after this. */
  lost(error: EtcdError): void;
}

export interface RunningKeepAlive {
  /** Stops renewing the lease, which then ends by itself unless it is revoked. */
  close(): void;
}

export interface ServerStatus {
  /** As it was given in `servers`. */
  readonly server: string;
  readonly version: string;
  readonly revision: number;
  readonly clusterId: bigint;
  readonly memberId: bigint;
  /** The member that leads, 0n for none. */
  readonly leaderId: bigint;
  readonly isLearner: boolean;
  readonly raftTerm: bigint;
  /** Bytes of the file, and of what is in use in it. */
  readonly dbSize: number;
  readonly dbSizeInUse: number;
  /** What is wrong with the member, such as that it has no space left. */
  readonly errors: readonly string[];
}
