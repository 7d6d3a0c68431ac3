/** The calls of load processes, over Node's child-process channel. */
import type { Endpoint } from './endpoint.ts';
import type { RequestOptions, Selector } from './requests.ts';

export interface LoadTarget extends RequestOptions, Endpoint {}

/** Requests one after the other on each connection, for a time or a number of requests. */
export interface ClosedLoopJob extends LoadTarget {
  readonly verb: 'create' | 'get' | 'update' | 'patch' | 'list';
  readonly connections: number;
  /** Not measured: compilers and caches warm up. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Ends earlier after exactly this many measured requests. */
  readonly requestsMax?: number;
  /** Creates number their objects from here on; the others pick from [0, objects). */
  readonly firstObject: number;
  readonly objects: number;
  readonly seed: number;
}

export interface ClosedLoopResult {
  readonly requests: number;
  /** With those of the warm-up, and those that were under way at the end. */
  readonly requestsInAll: number;
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

/** Updates at a steady pace. */
export interface PacedWritesJob extends LoadTarget {
  readonly connections: number;
  readonly seconds: number;
  readonly writesPerSecond: number;
  readonly objects: number;
  readonly seed: number;
}

/** In the order of the versions; times of the clock that all processes share. */
export interface PacedWritesResult {
  readonly sentAt: Float64Array;
  readonly answeredAt: Float64Array;
}

/** Opens a group of watches, each on a connection of its own. */
export interface OpenWatchesJob extends LoadTarget {
  readonly group: string;
  readonly count: number;
  readonly selector: Selector;
  /** Watches that select one object select these: the first, and so on. */
  readonly firstObject: number;
  readonly fromVersion: string;
  /** Events whose arrival is noted, per watch. */
  readonly timedEventsMax: number;
  /** Do not read after the head of the answer. */
  readonly stalled: boolean;
}

export interface TakeEventsJob {
  readonly group: string;
  /** Waits for so many on all watches together, and for no more than `secondsMax`. */
  readonly events: number;
  readonly secondsMax: number;
}

/** The events that came since the group was opened, or since this was asked the last time. */
export interface WatchEvents {
  readonly events: number;
  /** Watches that do not have exactly their share of the asked number. */
  readonly wrongCounts: number;
  /** Events of the sampled watches whose version is not above the one before. */
  readonly disorders: number;
  readonly lastEventAt: number;
  /** The timed events, those of one watch after those of the other. */
  readonly arrivals: Float64Array;
  /** How late timers were in this process, and the part of the time that it was busy. */
  readonly loopDelayP99: number;
  readonly loopBusy: number;
}

/** Lists of the whole collection on some connections, on each one after the other. */
export interface ReadListsJob extends LoadTarget {
  readonly connections: number;
  /** Another list begins until so much time has passed. */
  readonly secondsMin: number;
  /** The rate of each client; 0: as fast as it can. */
  readonly bytesPerSecond: number;
}

export interface ReadListsResult {
  readonly seconds: readonly number[];
  readonly items: readonly number[];
  readonly bodyBytes: number;
}

/** Lists in one form on one connection, one after the other. */
export interface ReadFormJob extends LoadTarget {
  /** Not measured, before the others. */
  readonly warmUps: number;
  readonly lists: number;
}

export interface ReadFormResult {
  /** From sending the request to the last byte of the answer. */
  readonly milliseconds: readonly number[];
  /** The items of each list: one that differs is a defect. */
  readonly items: number;
  /** The length of one list. */
  readonly bodyBytes: number;
}

/** One list in pages of one form, JSON but for Tables or protobuf. */
export interface ReadFormPagesJob extends LoadTarget {
  readonly limit: number;
}

export interface ReadFormPagesResult {
  /** From sending each request to the last byte of its answer. */
  readonly milliseconds: readonly number[];
  /** The items of all pages. */
  readonly items: number;
  readonly bodyBytes: number;
}

/** One list in pages. */
export interface ReadPagesJob extends LoadTarget {
  readonly limit: number;
}

export interface ReadPagesResult {
  readonly milliseconds: readonly number[];
  /** Different names over all pages. */
  readonly items: number;
  /** Different collection versions over all pages: more than one is a defect. */
  readonly versions: number;
}

export interface LoadCalls {
  closedLoop: { job: ClosedLoopJob; result: ClosedLoopResult };
  pacedWrites: { job: PacedWritesJob; result: PacedWritesResult };
  openWatches: { job: OpenWatchesJob; result: { seconds: number } };
  takeEvents: { job: TakeEventsJob; result: WatchEvents };
  resumeWatches: { job: { group: string }; result: undefined };
  closeWatches: { job: { group: string }; result: undefined };
  readLists: { job: ReadListsJob; result: ReadListsResult };
  readFormPages: { job: ReadFormPagesJob; result: ReadFormPagesResult };
  readPages: { job: ReadPagesJob; result: ReadPagesResult };
  readForm: { job: ReadFormJob; result: ReadFormResult };
}
export type LoadVerb = keyof LoadCalls;

export interface LoadRequest<V extends LoadVerb = LoadVerb> {
  readonly id: number;
  readonly verb: V;
  readonly job: LoadCalls[V]['job'];
}

/** The load process may tell when the measured time begins and ends; then comes the result. */
export type LoadMessage = { readonly id: number } & (
  | { readonly kind: 'measuring' }
  | { readonly kind: 'measured' }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string }
);
