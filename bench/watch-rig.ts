/** Watches spread over the load processes, and the lag of paced writes at them. */
import { expectEqual } from './bench.ts';
import type { BenchTarget } from './bench-target.ts';
import type { LoadClient } from './load-client.ts';
import type {
  OpenWatchesJob,
  PacedWritesJob,
  PacedWritesResult,
  WatchEvents,
} from './load-protocol.ts';
import { cpuMilliseconds } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import { Durations } from './statistics.ts';

const PACED_CONNECTIONS = 16;
const PACED_OBJECTS = 100;
const DRAIN_SECONDS_MAX = 30;

interface Share {
  readonly load: LoadClient;
  readonly first: number;
  readonly count: number;
}

type OpenOptions = Partial<OpenWatchesJob> & Pick<OpenWatchesJob, 'group' | 'count'>;

export class WatchRig {
  readonly #bench: BenchTarget;
  readonly #loads: readonly LoadClient[];
  /** How many watches of a group each process has. */
  readonly #shares = new Map<string, readonly Share[]>();

  constructor(bench: BenchTarget, processes: number) {
    this.#bench = bench;
    this.#loads = Array.from({ length: processes }, () => bench.newLoad());
  }

  get pids(): readonly number[] {
    return this.#loads.map(({ pid }) => pid);
  }

  /** Opens watches from the collection's version now; resolves with the seconds it took. */
  async open(options: OpenOptions): Promise<number> {
    const fromVersion = await this.#bench.newestVersion(options);
    const { group, count } = options;
    const loads = this.#loads.slice(0, count);
    let opened = 0;
    const shares = loads.map((load, at) => {
      const first = opened;
      opened = Math.floor((count * (at + 1)) / loads.length);
      return { load, first, count: opened - first };
    });
    this.#shares.set(group, shares);
    const seconds = shares.map(async (share) => {
      const defaults = { selector: 'all', timedEventsMax: 0, stalled: false } as const;
      const own = { count: share.count, firstObject: (options.firstObject ?? 0) + share.first };
      const job = { ...this.#bench.target(), fromVersion, ...defaults, ...options, ...own };
      return (await share.load.run('openWatches', job)).seconds;
    });
    return Math.max(...(await Promise.all(seconds)));
  }

  /** Waits for these events, in all; those of one process after those of the other. */
  async take(group: string, eventsPerWatch: number, secondsMax = 1): Promise<WatchEvents[]> {
    const parts = this.#sharesOf(group).map(async ({ load, count }) =>
      load.run('takeEvents', { group, events: eventsPerWatch * count, secondsMax }),
    );
    return Promise.all(parts);
  }

  /** Waits until every watch has so many events; throws when one has not, or not in order. */
  async takeAll(group: string, eventsPerWatch: number): Promise<WatchEvents[]> {
    const parts = await this.take(group, eventsPerWatch, DRAIN_SECONDS_MAX);
    for (const { wrongCounts, disorders } of parts) {
      expectEqual(wrongCounts, 0, `watches without exactly ${eventsPerWatch} events`);
      expectEqual(disorders, 0, 'events with a version that is not above the one before');
    }
    return parts;
  }

  /** Stalled watches read on. */
  async resume(group: string): Promise<void> {
    await Promise.all(
      this.#sharesOf(group).map(async ({ load }) => load.run('resumeWatches', { group })),
    );
  }

  async close(group: string): Promise<void> {
    await Promise.all(
      this.#sharesOf(group).map(async ({ load }) => load.run('closeWatches', { group })),
    );
    this.#shares.delete(group);
  }

  #sharesOf(group: string): readonly Share[] {
    return this.#shares.get(group) ?? [];
  }
}

export interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** From sending the write. */
  readonly sentP99: number;
  readonly writes: number;
  readonly serverCpuMs: number;
  readonly clientCpuMs: number;
  /** The busiest watching process: its part of a processor, and how late its timers were. */
  readonly clientBusy: number;
  readonly clientDelayP99: number;
}

/** Writes at a pace, and says how long after its answer each write was at each watch. */
export async function measureLag(
  bench: BenchTarget,
  rig: WatchRig,
  group: string,
  pace: Partial<PacedWritesJob> & Pick<PacedWritesJob, 'seconds' | 'writesPerSecond'>,
): Promise<Lag> {
  const cpu = (sign: 1 | -1, ms: { server: number; client: number }): typeof ms => ({
    server: ms.server + sign * cpuMilliseconds(bench.pids),
    client: ms.client + sign * cpuMilliseconds(rig.pids),
  });
  const before = cpu(-1, { server: 0, client: 0 });
  const load = { connections: PACED_CONNECTIONS, objects: PACED_OBJECTS, seed: bench.nextSeed() };
  const writes = await bench.load.run('pacedWrites', { ...bench.target(), ...load, ...pace });
  const count = writes.answeredAt.length;
  const parts = await rig.takeAll(group, count);
  const spent = cpu(1, before);
  return {
    ...lagOf(writes, parts),
    writes: count,
    serverCpuMs: spent.server,
    clientCpuMs: spent.client,
    clientBusy: Math.max(...parts.map(({ loopBusy }) => loopBusy)),
    clientDelayP99: Math.max(...parts.map(({ loopDelayP99 }) => loopDelayP99)),
  };
}

function lagOf(
  { sentAt, answeredAt }: PacedWritesResult,
  parts: readonly WatchEvents[],
): Pick<Lag, 'p50' | 'p99' | 'max' | 'sentP99'> {
  const count = answeredAt.length;
  const lag = new Durations();
  const sentLag = new Durations();
  for (const { arrivals } of parts) {
    arrivals.forEach((arrivedAt, at) => {
      if (arrivedAt === 0) throw new Error('an event came without its time');
      // An event may overtake its answer.
      lag.add(Math.max(0, arrivedAt - (answeredAt[at % count] ?? 0)));
      sentLag.add(arrivedAt - (sentAt[at % count] ?? 0));
    });
  }
  const [p50 = 0, p99 = 0, max = 0] = lag.percentiles([0.5, 0.99, 1]);
  const [sentP99 = 0] = sentLag.percentiles([0.99]);
  return { p50, p99, max, sentP99 };
}

export function lagColumns(lag: Lag): Omit<ResultRow, 'scenario'> {
  return {
    'p50 ms': lag.p50,
    'p99 ms': lag.p99,
    'max ms': lag.max,
    'p99 from send ms': lag.sentP99,
    'client busy %': Math.round(lag.clientBusy * 100),
    'client delay p99 ms': lag.clientDelayP99,
  };
}
