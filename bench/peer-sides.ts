/** The two servers of a comparison, the Pods that both have, and the row of what came out. */
import type { Bench, BenchOptions } from './bench.ts';
import type { BenchTarget } from './bench-target.ts';
import { compareInTurn, medianOf, requestCost, warmUpOf, type Cost } from './comparison.ts';
import type { ClosedLoopJob, ClosedLoopResult } from './load-protocol.ts';
import { OBJECT_TEXTS } from './object-texts.ts';
import type { ResultRow } from './report.ts';

/** Of requests that wait for nothing else, where nothing else is said. */
export const CONNECTIONS = 64;

export interface Sides {
  readonly options: BenchOptions;
  readonly own: Bench;
  readonly peer: BenchTarget;
}

/** The costs of each of the two, round by round. */
export interface SideCosts {
  readonly own: readonly Cost[];
  readonly peer: readonly Cost[];
}

/** Measures both once per round, one after the other. */
export async function measureSides(
  { options, own, peer }: Sides,
  measure: (side: BenchTarget, round: number) => Promise<Cost>,
): Promise<SideCosts> {
  const costs = await compareInTurn<BenchTarget>(options.rounds, [own, peer], measure);
  return { own: costs.get(own) ?? [], peer: costs.get(peer) ?? [] };
}

/** Requests, for Pods where nothing else is said, for the time of a round. */
export async function measureRequests(
  side: BenchTarget,
  { options }: Sides,
  round: number,
  job: Partial<ClosedLoopJob> & Pick<ClosedLoopJob, 'verb'>,
  onMeasured: (result: ClosedLoopResult) => void = () => undefined,
): Promise<Cost> {
  const measured = await side.closedLoop({
    kind: 'newPod',
    connections: CONNECTIONS,
    warmUpSeconds: warmUpOf(options, round),
    seconds: options.roundSeconds,
    ...job,
  });
  onMeasured(measured.result);
  return requestCost(measured);
}

/** How often ours goes into the peer's: the median over the rounds, and the least and the most. */
export function sideRow(
  scenario: string,
  { peer }: Pick<Sides, 'peer'>,
  costs: SideCosts,
): ResultRow {
  const ratios = (member: keyof Cost): number[] =>
    costs.own
      .map((cost, round) => (costs.peer[round]?.[member] ?? cost[member]) / cost[member])
      .sort((a, b) => a - b);
  const times = ratios('seconds');
  const cpu = ratios('serverMs');
  const middle = Math.floor(times.length / 2);
  return {
    scenario,
    ms: medianOf(costs.own, 'seconds') * 1_000,
    'peer ms': medianOf(costs.peer, 'seconds') * 1_000,
    'times as fast': times[middle] ?? 0,
    least: times[0] ?? 0,
    most: times.at(-1) ?? 0,
    'CPU ms': medianOf(costs.own, 'serverMs'),
    ...(peer.pids.length === 0
      ? {}
      : { 'peer CPU ms': medianOf(costs.peer, 'serverMs'), 'CPU times': cpu[middle] ?? 0 }),
  };
}

const CREATED_OR_THERE = new Set([201, 409]);

/** Makes a namespace, or leaves the one that is there. */
export async function makeNamespace(side: BenchTarget, name: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name } });
  const { status } = await side.fetch('/api/v1/namespaces', { method: 'POST', body });
  if (!CREATED_OR_THERE.has(status)) throw new Error(`namespace ${name} was answered ${status}`);
}

interface ObjectPage {
  readonly metadata: { readonly remainingItemCount?: number };
  readonly items: readonly unknown[];
}

/** Gives the namespace that has exactly so many of them; an earlier run may have filled it. */
export async function filledNamespace(
  side: BenchTarget,
  count: number,
  kind: 'newPod' | 'configmap' = 'newPod',
): Promise<string> {
  const namespace = `bench-${kind === 'newPod' ? 'pods' : 'configmaps'}-${count}`;
  await makeNamespace(side, namespace);
  const path = `${OBJECT_TEXTS[kind].collection(namespace)}?limit=1`;
  const page = (await side.expectStatus(200, path)) as ObjectPage;
  const found = page.items.length + (page.metadata.remainingItemCount ?? 0);
  if (found === 0) await side.fill(count, { namespace, kind });
  else if (found !== count) throw new Error(`${namespace} has ${found} objects: remove them`);
  return namespace;
}

/** Makes a new namespace in both, with so many objects in it; gives its name. */
export async function newFilledNamespace(
  { own, peer }: Pick<Sides, 'own' | 'peer'>,
  use: string,
  count: number,
  kind: 'newPod' | 'configmap' = 'newPod',
): Promise<string> {
  const namespace = newNamespace(use);
  for (const side of [own, peer]) {
    await makeNamespace(side, namespace);
    await side.fill(count, { namespace, kind });
  }
  return namespace;
}

/** A name that no earlier run has used: the peer keeps what was written there. */
export function newNamespace(use: string): string {
  return `bench-${use}-${Date.now().toString(36)}`;
}
