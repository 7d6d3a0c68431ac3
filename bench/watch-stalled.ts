/** Readers that stop reading, and what the other watches of the same objects notice of it. */
import { expectEqual, pause, withServer } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { blockedSockets } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import { median } from './statistics.ts';
import { lagColumns, measureLag, WatchRig } from './watch-rig.ts';
import type { Lag } from './watch-rig.ts';

const OTHERS = 'others';
const STALLED = 'stalled';
const OBJECTS = 100;
/** A socket with so much unsent is one that nobody reads. */
const BLOCKED_BYTES_MIN = 256 * 1024;
const BLOCKED_SECONDS_MAX = 30;
const NUMBERS_STALLED = [0, 1, 10] as const;

class StalledRounds {
  readonly #bench: Bench;
  readonly #options: BenchOptions;
  readonly #rig: WatchRig;
  /** So few that nothing queues: what is compared is what the stalled do, not a busy machine. */
  readonly #writesPerSecond: number;

  constructor(bench: Bench, options: BenchOptions) {
    this.#bench = bench;
    this.#options = options;
    this.#rig = new WatchRig(bench, options.watchProcesses);
    this.#writesPerSecond = options.watchWritesPerSecond / 4;
  }

  /** The lag of the others while so many readers have stopped and their sockets are full. */
  async round(stalled: number): Promise<Lag> {
    const rig = this.#rig;
    const { roundSeconds: seconds, watches } = this.#options;
    if (stalled > 0) await rig.open({ group: STALLED, count: stalled, stalled: true });
    const filled = await this.#fill();
    const timedEventsMax = Math.ceil(seconds * this.#writesPerSecond);
    await rig.open({ group: OTHERS, count: watches - 1, timedEventsMax });
    const warmUp = await this.#measure(seconds / 4);
    await this.#expectBlocked(stalled);
    const lag = await this.#measure(seconds);
    await this.#expectBlocked(stalled);
    await rig.close(OTHERS);
    if (stalled > 0) {
      // They have lost nothing that they have missed.
      await rig.resume(STALLED);
      await rig.takeAll(STALLED, filled + warmUp.writes + lag.writes);
      await rig.close(STALLED);
    }
    return lag;
  }

  /** Writes until the sockets of those who do not read are full; returns how often. */
  async #fill(): Promise<number> {
    const { stallBytes, objectBytes } = this.#options;
    const { result } = await this.#bench.closedLoop({
      verb: 'update',
      connections: 64,
      objects: OBJECTS,
      warmUpSeconds: 0,
      seconds: 60,
      requestsMax: Math.ceil(stallBytes / objectBytes),
    });
    return result.requestsInAll;
  }

  #measure(seconds: number): Promise<Lag> {
    const pace = { seconds, writesPerSecond: this.#writesPerSecond };
    return measureLag(this.#bench, this.#rig, OTHERS, pace);
  }

  /** The last writes may still be on their way to their sockets, and to the readers of others. */
  async #expectBlocked(stalled: number): Promise<void> {
    const blocked = (): number => blockedSockets(this.#bench.server.port, BLOCKED_BYTES_MIN);
    const deadline = performance.now() + BLOCKED_SECONDS_MAX * 1_000;
    // The end of the wait is judged: a later look may find another one on its way.
    let found = blocked();
    while (found !== stalled && performance.now() < deadline) {
      await pause(0.01);
      found = blocked();
    }
    expectEqual(found, stalled, 'readers whose socket is full');
  }
}

/** Lag of the others beside 0, 1 and 10 stalled readers, in turn, round after round. */
export async function watchStalled(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    await bench.fill(OBJECTS);
    const rounds = new StalledRounds(bench, options);
    await rounds.round(0);
    const lags = NUMBERS_STALLED.map((): Lag[] => []);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [at, stalled] of NUMBERS_STALLED.entries()) {
        lags[at]?.push(await rounds.round(stalled));
      }
    }
    const [without = []] = lags;
    return lags.map((ofNumber, at) => {
      const byP99 = [...ofNumber].sort((a, b) => a.p99 - b.p99);
      const ratios = ofNumber.map(({ p99 }, round) => p99 / (without[round]?.p99 ?? 0));
      return {
        scenario: `${options.watches - 1} watches beside ${NUMBERS_STALLED[at]} stalled`,
        ...lagColumns(byP99[Math.floor(byP99.length / 2)] as Lag),
        ratio: median(ratios),
      };
    });
  });
}
