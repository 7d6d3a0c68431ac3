/** One run: its clients, its watches, and round after round of faults. */
import type { Random } from '../../support/random.ts';
import type { Server } from '../../support/server.ts';
import { pause, type Cluster } from './cluster.ts';
import { pickFaults, suffer } from './faults.ts';
import { Maker, SECRETS, SERVICES } from './makers.ts';
import { Addresses, Counts, Limited, type Watched } from './watched.ts';
import { Watcher } from './watchers.ts';
import { Counter, Hopper, type Tally } from './writers.ts';

const COUNTERS = 24;
const MAKERS_OF_EACH = 8;
const WATCHERS_OF_EACH = 3;
/** Below what clients would have together. */
const SECRETS_MAX = 12;
/** Between two rounds, at most. */
const QUIET_MS_MAX = 3_000;
/** A server takes writes again so long after a fault is over, or it never will. */
const HEALED_MS_MAX = 120_000;
const ANSWER_MS_MAX = 15_000;
const PREFIX = 'counter-';
const QUOTAS = '/api/v1/namespaces/default/resourcequotas';

export class Run {
  readonly tally: Tally = { acknowledged: 0, failures: new Map(), violations: [] };
  readonly #cluster: Cluster;
  readonly #random: Random;
  readonly #say: (line: string) => void;
  readonly #counters: readonly Counter[];
  readonly #makers: readonly Maker[];
  readonly #counts: readonly Counts[];
  readonly #watchers: readonly Watcher[];
  #isOver = false;
  #isWatched = true;
  #writing: readonly Promise<void>[] = [];
  #watching: readonly Promise<void>[] = [];

  constructor(cluster: Cluster, random: Random, say: (line: string) => void) {
    this.#cluster = cluster;
    this.#random = random;
    this.#say = say;
    const any = () => cluster.any(random);
    const hopper = new Hopper(any, this.tally);
    this.#counters = times(COUNTERS, (at) => new Counter(`${PREFIX}${at}`, hopper));
    this.#makers = times(MAKERS_OF_EACH, (at) => [
      new Maker(`service-${at}`, SERVICES, hopper),
      new Maker(`secret-${at}`, SECRETS, hopper),
    ]).flat();
    this.#counts = times(WATCHERS_OF_EACH, () => new Counts(PREFIX));
    const watched: readonly Watched[] = [
      ...this.#counts,
      ...times(WATCHERS_OF_EACH, () => new Addresses()),
      ...times(WATCHERS_OF_EACH, () => new Limited(SECRETS.path, SECRETS_MAX)),
    ];
    this.#watchers = watched.map(
      (its, at) => new Watcher(`watch ${at} of ${its.path}`, its, any, this.tally),
    );
  }

  get events(): number {
    return this.#watchers.reduce((sum, { events }) => sum + events, 0);
  }

  get breaks(): number {
    return this.#watchers.reduce((sum, { breaks }) => sum + breaks, 0);
  }

  async begin(): Promise<void> {
    const [server] = this.#cluster.servers;
    const quota = {
      metadata: { name: 'secrets' },
      spec: { hard: { 'count/secrets': String(SECRETS_MAX) } },
    };
    await server?.post(QUOTAS, quota);
    // One that is not counted yet limits nothing.
    for (;;) {
      const counted = await server?.get(`${QUOTAS}/secrets`);
      if (counted?.json?.status?.used !== undefined) break;
      await pause(100);
    }
    this.#watching = this.#watchers.map((watcher) => watcher.run(() => !this.#isWatched));
    const isOver = () => this.#isOver;
    this.#writing = [...this.#counters, ...this.#makers].map((client) =>
      client.run(isOver, this.#random),
    );
  }

  /** Some of these faults happen; afterwards every server takes writes. */
  async round(faults: readonly string[], round: number): Promise<void> {
    const { violations } = this.tally;
    await pause(this.#random.below(QUIET_MS_MAX));
    const picked = pickFaults(faults, this.#random);
    const before = violations.length;
    await suffer(picked, this.#cluster, this.#random);
    const beganMs = performance.now();
    await Promise.all(this.#cluster.servers.map((server) => this.#heals(server, picked)));
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
    const { acknowledged } = this.tally;
    this.#say(`${round} ${picked.join(' and ')}: healed in ${seconds} s, ${acknowledged} writes`);
    for (const violation of violations.slice(before)) this.#say(`  ${violation}`);
  }

  /** What was acknowledged is there on every server, and all watches have all of it. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writing);
    for (const server of this.#cluster.servers) {
      for (const client of [...this.#counters, ...this.#makers]) await client.check(server);
    }
    await this.#seen();
    this.#isWatched = false;
    for (const watcher of this.#watchers) watcher.close();
    await Promise.all(this.#watching);
  }

  async #seen(): Promise<void> {
    const untilMs = performance.now() + HEALED_MS_MAX;
    for (const counter of this.#counters) {
      for (const [at, counts] of this.#counts.entries()) {
        while ((counts.of(counter.name) ?? -1) < counter.acknowledged) {
          if (performance.now() > untilMs) {
            const { name, acknowledged } = counter;
            const seen = `watch ${at} has ${counts.of(name)} of ${name}: ${acknowledged}`;
            this.tally.violations.push(seen);
            break;
          }
          await pause(50);
        }
      }
    }
  }

  async #heals(server: Server, faults: readonly string[]): Promise<void> {
    const untilMs = performance.now() + HEALED_MS_MAX;
    let last = 'no answer';
    while (performance.now() < untilMs) {
      const body = { ...PROBE, data: { at: String(performance.now()) } };
      const asked = server.request('PATCH', PROBE_PATH, body, APPLY);
      const answer = await Promise.race([
        asked.catch(({ message }: Error) => void (last = message)),
        pause(ANSWER_MS_MAX),
      ]);
      if (answer?.status === 200 || answer?.status === 201) return;
      if (answer !== undefined) last = answer.text;
      await pause(200);
    }
    const name = `server ${this.#cluster.servers.indexOf(server)}`;
    this.tally.violations.push(
      `${name} does not take writes after ${faults.join(' and ')}: ${last}`,
    );
    this.#say(server.stderr);
  }
}

const PROBE_PATH = '/api/v1/namespaces/default/configmaps/probe?fieldManager=probe&force=true';
const PROBE = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'probe' } };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

function times<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
