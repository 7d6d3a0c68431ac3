/** What the benchmark asks of its load process, over Node's child-process channel. */
import type { RequestOptions } from './requests.ts';

interface LoadTarget extends RequestOptions {
  readonly port: number;
}

/** Requests one after the other on each connection, for a time or a number of requests. */
export interface ClosedLoopJob extends LoadTarget {
  readonly job: 'closedLoop';
  readonly verb: 'create' | 'get' | 'update' | 'list';
  readonly connections: number;
  /** Not measured: compilers and caches warm up. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Ends earlier after this many requests. */
  readonly requestsMax?: number;
  /** Creates number their objects from here on; the others pick from [0, objects). */
  readonly firstObject: number;
  readonly objects: number;
  readonly seed: number;
}

export interface ClosedLoopResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly bodyBytes: number;
  /** Number of answers per unexpected status. */
  readonly failures: Readonly<Record<string, number>>;
  /** Where the next create may number on. */
  readonly nextObject: number;
}

/** Watches of one namespace while objects in it are updated. */
export interface WatchJob extends LoadTarget {
  readonly job: 'watch';
  readonly watches: number;
  readonly seconds: number;
  /** Paced writes, or with 0 as many as are delivered everywhere. */
  readonly writesPerSecond: number;
  readonly objects: number;
  readonly fromVersion: string;
}

export interface WatchResult {
  readonly writes: number;
  readonly events: number;
  /** From the first write to the last event. */
  readonly seconds: number;
  readonly missing: number;
  /** From a write's answer to its event at a watch. */
  readonly lagP50: number;
  readonly lagP99: number;
  /** From sending a write to its event at a watch. */
  readonly sentLagP99: number;
}

/** The load process tells when the measured time begins and ends, then the result. */
export type LoadMessage =
  | { readonly kind: 'measuring' }
  | { readonly kind: 'measured' }
  | { readonly kind: 'result'; readonly result: ClosedLoopResult | WatchResult }
  | { readonly kind: 'failed'; readonly message: string };
