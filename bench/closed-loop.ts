/** The closed loop of the load process: every connection sends its next request at once. */
import { HttpConnection } from './http-connection.ts';
import type { ClosedLoopJob, ClosedLoopResult } from './load-protocol.ts';
import {
  createRequest,
  getRequest,
  listRequest,
  patchRequest,
  updateRequest,
  type RequestTemplate,
} from './requests.ts';
import { Durations } from './statistics.ts';

interface Phase {
  readonly onMeasuring: () => void;
  readonly onMeasured: () => void;
}

/** A cheap repeatable number in [0, below); quality hardly matters here. */
function randomStream(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Gives the bytes of the next request of a verb, and counts the objects that it made. */
class RequestSource {
  nextObject: number;
  readonly next: () => Buffer;

  constructor(job: ClosedLoopJob) {
    this.nextObject = job.firstObject;
    this.next = this.#source(job);
  }

  #source(job: ClosedLoopJob): () => Buffer {
    const random = randomStream(job.seed);
    let content = job.seed;
    switch (job.verb) {
      case 'create': {
        const request = createRequest(job);
        return () => request.with(this.nextObject++, content++);
      }
      case 'update':
      case 'patch': {
        const request = changeRequest(job);
        return () => request.with(random(job.objects), content++);
      }
      case 'get': {
        const request = getRequest(job);
        return () => request.with(random(job.objects), 0);
      }
      case 'list': {
        const request = listRequest(job);
        return () => request;
      }
    }
  }
}

function changeRequest(job: ClosedLoopJob): RequestTemplate {
  if (job.verb === 'update') return updateRequest(job);
  if (job.patch === undefined) throw new Error('a job that patches names no patch');
  return patchRequest(job, job.patch);
}

class ClosedLoop {
  readonly #job: ClosedLoopJob;
  readonly #phase: Phase;
  readonly #source: RequestSource;
  readonly #durations = new Durations();
  readonly #failures: Record<string, number> = {};
  readonly #expected: number;
  #measuring = false;
  #startedAt = 0;
  #bodyBytes = 0;
  #requestsInAll = 0;
  #measuredRequests = 0;
  #done = false;

  constructor(job: ClosedLoopJob, phase: Phase) {
    this.#job = job;
    this.#phase = phase;
    this.#source = new RequestSource(job);
    this.#expected = job.verb === 'create' ? 201 : 200;
  }

  async run(): Promise<ClosedLoopResult> {
    const { warmUpSeconds, connections } = this.#job;
    if (warmUpSeconds === 0) this.#begin();
    else setTimeout(() => this.#begin(), warmUpSeconds * 1_000);
    await Promise.all(Array.from({ length: connections }, async () => this.#connection()));
    this.#end();
    return this.#result();
  }

  #begin(): void {
    this.#measuring = true;
    this.#startedAt = performance.now();
    this.#phase.onMeasuring();
    setTimeout(() => this.#end(), this.#job.seconds * 1_000).unref();
  }

  #seconds = 0;
  #end(): void {
    if (this.#done) return;
    this.#done = true;
    this.#seconds = (performance.now() - this.#startedAt) / 1_000;
    this.#phase.onMeasured();
  }

  async #connection(): Promise<void> {
    return new Promise((resolve, reject) => {
      let sentAt = 0;
      const requestsMax = this.#job.requestsMax ?? Number.MAX_SAFE_INTEGER;
      const send = (): void => {
        if (this.#measuredRequests === requestsMax) {
          connection.close();
          return resolve();
        }
        if (this.#measuring) this.#measuredRequests += 1;
        sentAt = performance.now();
        this.#requestsInAll += 1;
        // The bytes go out at once, or are copied: the source may overwrite them.
        connection.send(this.#source.next());
      };
      const onAnswer = (status: number, bodyBytes: number): void => {
        if (this.#done) {
          connection.close();
          return resolve();
        }
        if (status !== this.#expected) this.#failures[status] = (this.#failures[status] ?? 0) + 1;
        if (this.#measuring) {
          this.#durations.add(performance.now() - sentAt);
          this.#bodyBytes += bodyBytes;
          if (this.#durations.count >= requestsMax) this.#end();
        }
        send();
      };
      const options = { endpoint: this.#job, onAnswer, onError: reject };
      const connection = new HttpConnection(options, send);
    });
  }

  #result(): ClosedLoopResult {
    const [p50 = 0, p99 = 0, max = 0] = this.#durations.percentiles([0.5, 0.99, 1]);
    return {
      requests: this.#durations.count,
      requestsInAll: this.#requestsInAll,
      seconds: this.#seconds,
      p50,
      p99,
      max,
      bodyBytes: this.#bodyBytes,
      failures: this.#failures,
      nextObject: this.#source.nextObject,
    };
  }
}

/** Runs one closed-loop job; rejects when a connection breaks. */
export async function runClosedLoop(job: ClosedLoopJob, phase: Phase): Promise<ClosedLoopResult> {
  return new ClosedLoop(job, phase).run();
}
