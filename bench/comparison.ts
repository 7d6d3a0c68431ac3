/** Things that are measured in turn, round by round, each beside the first of the same round. */
import type { Bench, BenchOptions } from './bench.ts';
import type { Measured } from './load-client.ts';
import type { ClosedLoopJob, ClosedLoopResult } from './load-protocol.ts';
import { MILLISECONDS_PER_TICK } from './process-usage.ts';
import { median } from './statistics.ts';

/** The cost of one list, request or event in one round. */
export interface Cost {
  readonly seconds: number;
  readonly serverMs: number;
}

/** Processor time is never said to be none: no ratio could be said then. */
export function costOf(count: number, seconds: number, serverCpuMs: number): Cost {
  const each = Math.max(1, count);
  return {
    seconds: seconds / each,
    serverMs: Math.max(MILLISECONDS_PER_TICK, serverCpuMs) / each,
  };
}

export function requestCost({ result, serverCpuMs }: Measured<ClosedLoopResult>): Cost {
  return costOf(result.requests, result.seconds, serverCpuMs);
}

/** Seconds before a round is measured: more before the first, when compilers have seen nothing. */
export function warmUpOf(
  { warmUpSeconds, roundSeconds }: Pick<BenchOptions, 'warmUpSeconds' | 'roundSeconds'>,
  round: number,
): number {
  return round === 0 ? warmUpSeconds : roundSeconds / 4;
}

/** Measures each name once per round; gives what each took, in the order of the rounds. */
export async function compareInTurn<Name>(
  rounds: number,
  names: readonly Name[],
  measure: (name: Name, round: number) => Promise<Cost>,
): Promise<Map<Name, Cost[]>> {
  const costs = new Map<Name, Cost[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) costs.get(name)?.push(await measure(name, round));
  }
  return costs;
}

/** Sends both servers the same requests; gives what they cost each of them. */
export async function compareServers(
  benches: readonly [Bench, Bench],
  options: BenchOptions,
  job: Partial<ClosedLoopJob> & Pick<ClosedLoopJob, 'verb' | 'connections'>,
): Promise<readonly [Cost[], Cost[]]> {
  const nextObjects = new Map<Bench, number>();
  const costs = await compareInTurn(options.rounds, benches, async (bench, round) => {
    const firstObject = nextObjects.get(bench) ?? 0;
    const bounds = { warmUpSeconds: warmUpOf(options, round), seconds: options.roundSeconds };
    const measured = await bench.closedLoop({ ...job, ...bounds, firstObject });
    nextObjects.set(bench, measured.result.nextObject);
    return requestCost(measured);
  });
  const [first = [], second = []] = costs.values();
  return [first, second];
}

export function medianOf(costs: readonly Cost[], member: keyof Cost): number {
  return median(costs.map((cost) => cost[member]));
}

/** The median over the rounds of a cost as a multiple of the base's in the same round. */
export function ratioOf(costs: readonly Cost[], base: readonly Cost[], member: keyof Cost): number {
  return median(costs.map((cost, round) => cost[member] / (base[round]?.[member] ?? cost[member])));
}
