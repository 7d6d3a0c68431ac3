/** Runs scenarios, each against a server of its own, and tells what a bystander saw. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PeakMemory } from '../../bench/process-usage.ts';
import { Random } from '../../test/support/random.ts';
import { launchServer } from '../../test/support/server-process.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { Bystander } from './bystander.ts';
import type { Seen, Sight } from './bystander.ts';
import type { AttackOptions } from './options.ts';
import { createMany, SCENARIOS } from './scenarios.ts';
import type { Answers } from './scenarios.ts';
import type { AttackContext } from './attack-context.ts';
import { longestTurns, turnCounts } from './longest-turns.ts';
import { Wire } from './wire.ts';

export interface Outcome extends Sight {
  readonly name: string;
  readonly milliseconds: number;
  readonly answers: Answers;
  /** Bounds of the longest turn of each thread of the server. */
  readonly turnsMs: ReadonlyMap<string, number>;
  /** Undefined where the system does not tell. */
  readonly peakMb: number | undefined;
}

/** That of who checks whether to restart a server, by default. */
const HEALTH_MS_MAX = 1_000;
/** A small run is for machines of any speed: a check fails by its answer alone. */
const SMALL_HEALTH_MS_MAX = Infinity;

const AFTER_ATTACK_MS = 1_000;

const OTHER = {
  collection: '/apis/coordination.cluster.io/v1/namespaces/default/leases',
  object: { kind: 'Lease', apiVersion: 'coordination.cluster.io/v1' },
};
const NAME = 'of-bystander';

/** Calls `tell` with each outcome as it is known. */
export async function runAttacks(
  { names, isSmall, seed }: AttackOptions,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const size = (large: number, small: number): number => (isSmall ? small : large);
  const random = new Random(seed);
  for (const group of isSmall ? [names] : groupsOf(names)) {
    const server = await launchServer({ args: ['--durability', 'relaxed'] });
    try {
      const context: AttackContext = { server, random, size };
      if (group.some(hasManyObjects)) await createMany(context);
      const healthMsMax = size(HEALTH_MS_MAX, SMALL_HEALTH_MS_MAX);
      for (const name of group) tell(await attack(name, server, context, healthMsMax));
    } finally {
      await server.dispose();
    }
  }
}

function hasManyObjects(name: string): boolean {
  return SCENARIOS[name]?.hasManyObjects === true;
}

/** Scenarios that run against one server: those that need many objects; others are alone. */
function groupsOf(names: readonly string[]): string[][] {
  const many = names.filter(hasManyObjects);
  const others = names.filter((name) => !hasManyObjects(name)).map((name) => [name]);
  return many.length === 0 ? others : [many, ...others];
}

async function attack(
  name: string,
  server: ServerProcess,
  context: AttackContext,
  healthMsMax: number,
): Promise<Outcome> {
  const scenario = SCENARIOS[name];
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  for (const { collection, object } of [scenario, OTHER]) {
    await createOne(server, collection, object);
  }
  await scenario.prepare?.(context);
  const { port, token } = server;
  const bystander = await Bystander.start({
    server: { port, token },
    paths: {
      'same type': `${scenario.collection}/${NAME}`,
      'other type': `${OTHER.collection}/${NAME}`,
    },
    healthMsMax,
  });
  const memory = process.platform === 'linux' ? new PeakMemory(server.pid) : undefined;
  const answers: Answers = new Map();
  const before = await turnCounts(server);
  const startedAt = performance.now();
  await scenario.attack(context, answers);
  const milliseconds = performance.now() - startedAt;
  // The server looks at what attackers close after that, and tells it later still.
  await sleep(context.size(AFTER_ATTACK_MS, 0));
  const sight = await bystander.stop();
  const peakMb = memory?.stop().rssMb;
  const turnsMs = longestTurns(before, await turnCounts(server));
  return { name, milliseconds, answers, ...sight, turnsMs, peakMb };
}

/** Unless a scenario before has. */
async function createOne(server: ServerProcess, path: string, object: object): Promise<void> {
  const wire = new Wire(server);
  const body = JSON.stringify({ ...object, metadata: { name: NAME } });
  const status = await wire.call({ method: 'POST', path, body });
  wire.close();
  if (status !== 201 && status !== 409) throw new Error(`POST ${path} was answered ${status}`);
}

/** The lines of one outcome. */
export function outcomeText(outcome: Outcome): string {
  const { name, milliseconds, answers, seen, peakMb } = outcome;
  const { healthChecks, failedHealthChecks, turnsMs } = outcome;
  const turns = [...turnsMs].map(([thread, ms]) => `${thread} ${ms}`);
  const counts = [...answers].map(([status, times]) => `${times} × ${status || 'none'}`);
  const memory = peakMb === undefined ? '' : `, peak memory ${Math.round(peakMb)} MB`;
  return [
    `${name}: ${(milliseconds / 1_000).toFixed(1)} s, answers ${counts.join(', ')}${memory}`,
    ...Object.entries(seen).map(([what, one]) => `  ${what.padEnd(11)}${seenText(one)}`),
    `  ${'/livez'.padEnd(11)}${failedHealthChecks} of ${healthChecks} checks failed`,
    ...(turns.length === 0 ? [] : [`  ${'turns'.padEnd(11)}at most ${turns.join(', ')} ms`]),
  ].join('\n');
}

function seenText({ gets, p50Ms, p99Ms, maxMs, refused, failed }: Seen): string {
  const [p50, p99, max] = [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1).padStart(8));
  const counts = `${gets} gets, ${refused} × 429, ${failed} failed`;
  return `p50 ${p50}  p99 ${p99}  max ${max} ms; ${counts}`;
}
