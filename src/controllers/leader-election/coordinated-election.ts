/**
 * Elects the holders of leases among LeaseCandidates
 * (src/controllers/README.md#coordinated-leader-election).
 */
import type { Lease } from '#messages/coordination.v1';
import type { LeaseCandidate } from '#messages/coordination.v1beta1';
import type { Timers } from '../../base/time/timers.ts';
import { utcMicros } from '../../base/time/utc-time.ts';
import { CANDIDATE_ROUND_MS, ELECTION_LOOK_MS } from '../../limits.ts';
import { Informer, keyOf, nameOf } from '../informer.ts';
import { portOf, runController, shardPorts, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { electedLease, isAsked, isCandidateOver, nextStep, type ElectionStep } from './election.ts';
import { OwnLease } from './own-lease.ts';

const LEASES = 'leases.coordination.cluster.io';
const CANDIDATES = 'leasecandidates.coordination.cluster.io';
const NAME = 'leader-election-controller';

export interface ElectionOptions {
  /** For how long the controller's own lease holds, and how often it is renewed. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** For new tries. */
  readonly timers: Timers;
  /** By the time that leases are measured by. */
  readonly leaseTimers: Timers;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** Works until it is told to stop. Where candidates are not served there is nothing to do. */
export async function electLeaders(ports: Ports, options: ElectionOptions): Promise<void> {
  const isServed = shardPorts(ports).some(([resource]) => resource === CANDIDATES);
  if (isServed) await new CoordinatedElection(ports, options).run();
  else await runController(ports, { begin: () => undefined, stop: () => undefined });
}

class CoordinatedElection {
  readonly #ports: Ports;
  readonly #options: ElectionOptions;
  readonly #leases: Informer<Lease>;
  readonly #candidates: Informer<LeaseCandidate>;
  /** The names of the candidates for each lease, by the keys of both. */
  readonly #byLease = new Map<string, Set<string>>();
  /** Keys are leases. */
  readonly #elections: WorkQueue;
  readonly #own: OwnLease;
  /** Its one key is the lease of the controller. */
  readonly #renewals: WorkQueue;

  constructor(ports: Ports, options: ElectionOptions) {
    const { timers, logError } = options;
    this.#ports = ports;
    this.#options = options;
    this.#leases = new Informer({
      resource: LEASES,
      port: portOf(ports, LEASES),
      keep: (object) => object as Lease,
      onChange: (at) => this.#look(keyOf(at)),
    });
    this.#candidates = new Informer({
      resource: CANDIDATES,
      port: portOf(ports, CANDIDATES),
      keep: (object) => object as LeaseCandidate,
      onChange: ({ namespace, name }, now, before) => {
        const leaseName = (now ?? before)?.spec?.leaseName ?? '';
        const lease = keyOf({ namespace, name: leaseName });
        this.#count(lease, name, now !== undefined);
        if (now === undefined || !isAsked(now)) this.#look(lease);
      },
    });
    const elect = (key: string): Promise<void> => this.#elect(key);
    this.#elections = new WorkQueue({ name: NAME, work: elect, timers, logError });
    this.#own = new OwnLease(this.#leases.client, options.leaseMs, options.nowMs);
    this.#renewals = new WorkQueue({
      name: `${NAME}-lease`,
      work: async (key) => {
        await this.#own.renew();
        this.#renewals.addAfter(key, options.renewMs, options.leaseTimers);
      },
      timers,
      logError,
    });
  }

  async run(): Promise<void> {
    await this.#candidates.start();
    await this.#leases.start();
    this.#renewals.add('lease');
    const remove = (): void => void this.#removeEnded();
    remove();
    const endRounds = this.#options.leaseTimers.every(CANDIDATE_ROUND_MS, remove);
    await runController(this.#ports, {
      begin: () => undefined,
      stop: async () => {
        endRounds();
        await this.#elections.stop();
        await this.#renewals.stop();
        await this.#own.release().catch(() => undefined);
      },
    });
    this.#candidates.close();
    this.#leases.close();
  }

  #count(lease: string, candidate: string, isThere: boolean): void {
    const names = this.#byLease.get(lease) ?? new Set();
    if (isThere) names.add(candidate);
    else names.delete(candidate);
    if (names.size > 0) this.#byLease.set(lease, names);
    else this.#byLease.delete(lease);
  }

  /** Leases without candidates, as those of nodes, are nobody's business here. */
  #look(lease: string): void {
    if (this.#byLease.has(lease)) this.#elections.add(lease);
  }

  async #elect(key: string): Promise<void> {
    const { namespace } = nameOf(key);
    const names = [...(this.#byLease.get(key) ?? [])];
    const candidates = names.flatMap((name) => this.#candidates.get({ namespace, name }) ?? []);
    const now = this.#options.nowMs();
    let step: ElectionStep;
    try {
      step = nextStep(candidates, this.#leases.get(nameOf(key)), now);
    } catch (error) {
      // More tries would not help: the next change of a candidate or of the lease is waited for.
      this.#options.logError(`${key}: ${(error as Error).message}`);
      return;
    }
    if (step.does === 'rest') return;
    if (step.does === 'ask') await this.#ask(step.candidates, now);
    if (step.does === 'elect') await this.#write(key, step, now);
    this.#elections.addAfter(key, ELECTION_LOOK_MS, this.#options.leaseTimers);
  }

  async #ask(candidates: readonly LeaseCandidate[], now: number): Promise<void> {
    const pingTime = utcMicros(now);
    await Promise.all(
      candidates.map((candidate) => {
        const { namespace = '', name = '' } = candidate.metadata ?? {};
        const asked = { ...candidate, spec: { ...candidate.spec, pingTime } };
        return this.#candidates.client.update({ namespace, name }, asked);
      }),
    );
  }

  async #write(
    key: string,
    elected: Parameters<typeof electedLease>[1],
    now: number,
  ): Promise<void> {
    const at = nameOf(key);
    const { client } = this.#leases;
    const held = await client.get<Lease>(at);
    const spec = electedLease(held && (held.spec ?? {}), elected, now);
    if (spec === undefined) return;
    if (held === undefined) await client.create(at, { metadata: at, spec });
    else await client.update(at, { ...held, spec });
  }

  async #removeEnded(): Promise<void> {
    const { nowMs, logError } = this.#options;
    const { client } = this.#candidates;
    for (const candidate of this.#candidates.values()) {
      if (!isCandidateOver(candidate, nowMs())) continue;
      const { namespace = '', name = '', uid = '' } = candidate.metadata ?? {};
      try {
        await client.deleteExactly({ namespace, name }, uid);
      } catch (error) {
        logError(`lease candidate ${namespace}/${name}: ${(error as Error).message}`);
      }
    }
  }
}
