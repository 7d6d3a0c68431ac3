/** Limits how many requests are served at once, where there is no flow control. */
import { isLongRunning } from '../../observability/long-requests.ts';
import type { RequestContext } from '../request-context.ts';
import type { HeldPlace } from './held-place.ts';
import type { RefusedFor, RequestGate } from './request-gate.ts';

/** 0 for no limit. */
export interface InFlightLimits {
  readonly reading: number;
  readonly mutating: number;
}

const READS = ['get', 'list', 'watch'];
const MASTERS = 'system:masters';
const PLACES = { reading: 0, mutating: 1 } as const;
const RETRY_SECONDS = 1;

/** The memory of the counts, which all fronts share. */
export function inFlightCounts(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

export class InFlightGate implements RequestGate {
  readonly #limits: InFlightLimits;
  readonly #counts: Int32Array;

  constructor(limits: InFlightLimits, shared: SharedArrayBuffer) {
    this.#limits = limits;
    this.#counts = new Int32Array(shared);
  }

  enter(request: RequestContext): RefusedFor | undefined {
    const { attributes, user } = request;
    if (isLongRunning(attributes)) return undefined;
    const kind = READS.includes(attributes.verb) ? 'reading' : 'mutating';
    const limit = this.#limits[kind];
    if (limit === 0) return undefined;
    const counts = this.#counts;
    const at = PLACES[kind];
    if (Atomics.add(counts, at, 1) < limit) {
      request.place = new CountedPlace(counts, at);
      return undefined;
    }
    Atomics.sub(counts, at, 1);
    return user.groups.includes(MASTERS) ? undefined : RETRY_SECONDS;
  }

  dump(): undefined {}

  serve(): boolean {
    return false;
  }

  close(): void {}
}

class CountedPlace implements HeldPlace {
  readonly #counts: Int32Array;
  readonly #at: number;
  #isHeld = true;

  constructor(counts: Int32Array, at: number) {
    this.#counts = counts;
    this.#at = at;
  }

  end(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    Atomics.sub(this.#counts, this.#at, 1);
  }

  over(): void {
    this.end();
  }
}
