/** Groups of open watches: counts their events, and notes when they came and in which order. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sharedNow } from './clock.ts';
import { CountingWatch } from './counting-watch.ts';
import { eventReader } from './event-readers.ts';
import type { OpenWatchesJob, TakeEventsJob, WatchEvents } from './load-protocol.ts';
import { watchRequest } from './requests.ts';

/** Connections being opened at a time: the server's queue of new ones must not overflow. */
const OPENING_MAX = 256;
/** The versions of every event are read on so many watches of a group. */
const SAMPLED_WATCHES = 10;

class WatchGroup {
  readonly #job: OpenWatchesJob;
  readonly #watches: CountingWatch[] = [];
  readonly #loopDelay = monitorEventLoopDelay({ resolution: 1 });
  /** When the n-th event came, one watch after the other. */
  #arrivals: Float64Array;
  #events = 0;
  #lastEventAt = 0;
  #utilization = performance.eventLoopUtilization();
  #failure: Error | undefined;

  constructor(job: OpenWatchesJob) {
    this.#job = job;
    this.#arrivals = new Float64Array(job.count * job.timedEventsMax);
    this.#loopDelay.enable();
  }

  /** Resolves when the head of every answer is here. */
  async open(): Promise<{ seconds: number }> {
    const { count } = this.#job;
    const startedAt = performance.now();
    let next = 0;
    const openNext = async (): Promise<void> => {
      while (next < count) await this.#openOne(next++);
    };
    await Promise.all(Array.from({ length: Math.min(OPENING_MAX, count) }, openNext));
    return { seconds: (performance.now() - startedAt) / 1_000 };
  }

  async takeEvents({ events, secondsMax }: TakeEventsJob): Promise<WatchEvents> {
    const share = events / this.#watches.length;
    const end = performance.now() + secondsMax * 1_000;
    while (this.#events < events && this.#failure === undefined && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (this.#failure !== undefined) throw this.#failure;
    const { timedEventsMax } = this.#job;
    const timed = Math.min(timedEventsMax, Math.ceil(share));
    const arrivals = new Float64Array(this.#watches.length * timed);
    this.#watches.forEach((_watch, at) => {
      const start = at * timedEventsMax;
      arrivals.set(this.#arrivals.subarray(start, start + timed), at * timed);
    });
    const utilization = performance.eventLoopUtilization(this.#utilization);
    const taken = {
      events: this.#events,
      wrongCounts: this.#watches.filter((watch) => watch.events !== share).length,
      disorders: this.#watches.reduce((sum, { disorders }) => sum + disorders, 0),
      lastEventAt: this.#lastEventAt,
      arrivals,
      loopDelayP99: this.#loopDelay.percentile(99) / 1e6,
      loopBusy: utilization.utilization,
    };
    this.#reset();
    return taken;
  }

  resume(): void {
    for (const watch of this.#watches) watch.resume();
  }

  close(): void {
    this.#loopDelay.disable();
    for (const watch of this.#watches) watch.close();
  }

  #reset(): void {
    this.#events = 0;
    for (const watch of this.#watches) watch.reset();
    this.#arrivals.fill(0);
    this.#loopDelay.reset();
    this.#utilization = performance.eventLoopUtilization();
  }

  async #openOne(index: number): Promise<void> {
    const { fromVersion, selector, firstObject, count, stalled, form } = this.#job;
    const sampledEvery = Math.max(1, Math.floor(count / SAMPLED_WATCHES));
    await new Promise<void>((resolve, reject) => {
      const onError = (error: Error): void => {
        this.#failure ??= error;
        reject(error);
      };
      const request = watchRequest(this.#job, fromVersion, selector).with(firstObject + index, 0);
      const onEvents = (from: number, to: number): void => this.#onEvents(index, from, to);
      const reader = eventReader(form ?? 'JSON', index % sampledEvery === 0);
      const options = {
        endpoint: this.#job,
        request,
        stalled,
        reader,
        onOpen: resolve,
        onEvents,
        onError,
      };
      this.#watches[index] = new CountingWatch(options);
    });
  }

  #onEvents(watch: number, from: number, to: number): void {
    const now = sharedNow();
    const { timedEventsMax } = this.#job;
    const start = watch * timedEventsMax;
    const end = Math.min(to, timedEventsMax);
    for (let event = from; event < end; event += 1) this.#arrivals[start + event] = now;
    this.#events += to - from;
    this.#lastEventAt = now;
  }
}

/** The groups of this process. */
export class WatchGroups {
  readonly #groups = new Map<string, WatchGroup>();

  /** Rejects when the server refuses or closes one. */
  async open(job: OpenWatchesJob): Promise<{ seconds: number }> {
    const group = new WatchGroup(job);
    this.#groups.set(job.group, group);
    return group.open();
  }

  async takeEvents(job: TakeEventsJob): Promise<WatchEvents> {
    return this.#get(job.group).takeEvents(job);
  }

  /** Stalled watches read on. */
  resume(group: string): undefined {
    this.#get(group).resume();
  }

  close(group: string): undefined {
    this.#get(group).close();
    this.#groups.delete(group);
  }

  #get(name: string): WatchGroup {
    const group = this.#groups.get(name);
    if (group === undefined) throw new Error(`no watches ${name} are open`);
    return group;
  }
}
