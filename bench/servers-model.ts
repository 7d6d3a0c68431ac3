/**
 * What so many servers on one etcd carry, from what single steps have cost
 * (src/journal/README.md#what-so-many-servers-carry): upper bounds, with clients spread evenly.
 */
import type { ResultRow } from './report.ts';

/** Costs in CPU µs of one write, event or get. */
export interface StepCosts {
  /** The owner's, for a write of a client of its own, without followers. */
  readonly own: number;
  /** The owner's, for a write that a follower passes on, beside two followers. */
  readonly passed: number;
  /** That follower's, which follows it, too. */
  readonly passing: number;
  /** A follower's, for a write of others. */
  readonly followed: number;
  /** The owner's, for each follower, of any write. */
  readonly perFollower: number;
  /** Etcd's, without followers, and for each. */
  readonly etcd: number;
  readonly etcdPerFollower: number;
  /** Of transactions, of bytes on the disk of a member, and of those that one follower is sent. */
  readonly transactions: number;
  readonly diskBytes: number;
  readonly sentBytes: number;
  readonly event: number;
  readonly get: number;
}

/** The machines of it. */
export interface Machines {
  readonly cores: number;
  /** The part of their time that is to be filled. */
  readonly filled: number;
}

const SERVERS = [3, 11, 50];
const SECOND_US = 1_000_000;

/** Reads them from rows of `bench:servers`; undefined where one is missing, as of the double. */
export function stepCosts(rows: readonly ResultRow[]): StepCosts | undefined {
  const value = (scenario: string, column: string): number =>
    Number(rows.find((row) => String(row['scenario']).includes(scenario))?.[column] ?? NaN);
  const own = value('0 followers: a write of', 'CPU µs each');
  const etcd = value('0 followers: a write of', 'etcd CPU µs');
  const [alone, two] = ['0 followers: a write of', '2 followers: a write of'] as const;
  const growth = (column: string): number =>
    Math.max(0, (value(two, column) - value(alone, column)) / 2);
  const costs: StepCosts = {
    own,
    passed: value('2 followers: a write through', 'CPU µs each'),
    passing: value('2 followers: a write through', 'follower CPU µs'),
    followed: value(two, 'follower CPU µs'),
    perFollower: growth('CPU µs each'),
    etcd,
    etcdPerFollower: growth('etcd CPU µs'),
    transactions: value(two, 'etcd transactions'),
    diskBytes: value(two, 'etcd disk bytes'),
    sentBytes: growth('etcd sent bytes'),
    event: value(': an event', 'CPU µs each'),
    get: value('get, ', 'CPU µs each'),
  };
  return Object.values(costs).some(Number.isNaN) ? undefined : costs;
}

interface Loads {
  readonly owner: number;
  readonly follower: number;
  readonly etcd: number;
}

/** CPU µs of a write, at each of them. */
function loadsOf(costs: StepCosts, servers: number): Loads {
  const followers = servers - 1;
  const passedOn = costs.passed + costs.perFollower * (followers - 2);
  return {
    owner: (costs.own + costs.perFollower * followers + passedOn * followers) / servers,
    follower: (costs.passing + costs.followed * followers) / servers,
    etcd: costs.etcd + costs.etcdPerFollower * followers,
  };
}

export function modelRows(costs: StepCosts, { cores, filled }: Machines): ResultRow[] {
  const usable = cores * filled * SECOND_US;
  return SERVERS.map((servers) => {
    const loads = loadsOf(costs, servers);
    const [[bound, load] = ['owner', loads.owner]] = Object.entries(loads).sort(
      ([, one], [, other]) => other - one,
    );
    const writes = usable / load;
    const left = servers * usable - (writes / 2) * (loads.owner + loads.follower * (servers - 1));
    return {
      scenario: `model: ${servers} servers of ${cores} cores`,
      'writes/s': writes,
      'bound by': bound,
      'events/s beside half of these writes': left / costs.event,
      'or gets/s': left / costs.get,
      'etcd transactions/s': writes * costs.transactions,
      'etcd disk MB/s': (writes * costs.diskBytes) / 1e6,
      'etcd sent MB/s': (writes * costs.sentBytes * (servers - 1)) / 1e6,
    };
  });
}
