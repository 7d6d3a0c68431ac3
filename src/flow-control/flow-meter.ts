/** What is counted of the requests of one schema at one level. */

export const REJECTIONS = ['concurrency-limit', 'queue-full', 'time-out'] as const;
export type Rejection = (typeof REJECTIONS)[number];

/** Who is told of each request; whoever shows the numbers reads the counts. */
export class FlowMeter {
  waiting = 0;
  seatsWaiting = 0;
  executing = 0;
  seatsInUse = 0;
  dispatched = 0;
  /** How often the next request of a queue found too few seats. */
  notAccommodated = 0;
  readonly rejected: Record<Rejection, number> = {
    'concurrency-limit': 0,
    'queue-full': 0,
    'time-out': 0,
  };

  /** So many seats are estimated for a request. */
  estimated(_seats: number): void {}

  /** So many watches may see a write. */
  watched(_watches: number): void {}

  /** A request stands in a queue of that length, itself included. */
  queued(_length: number): void {}

  /** A request that may have to wait has waited for so long, and was let or not. */
  waited(_ms: number, _isLet: boolean): void {}

  /** A request was served for so long. */
  executed(_ms: number, _isWatch: boolean): void {}

  /** There are no such requests any more. */
  release(): void {}
}
