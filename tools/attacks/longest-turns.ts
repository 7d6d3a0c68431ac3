/** How long the turns of the server's threads were, by what it tells in its metrics. */
import type { Server } from './wire.ts';

/** By thread and upper bound in seconds: turns that were no longer, since the server began. */
export type TurnCounts = ReadonlyMap<string, ReadonlyMap<number, number>>;

const BUCKET =
  /^shardplane_event_loop_delay_seconds_bucket\{thread="([^"]+)",le="([\d.]+)"\} (\d+)$/gm;

/** Nothing of a server that does not tell it. */
export async function turnCounts({ port, token }: Server): Promise<TurnCounts> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const threads = new Map<string, Map<number, number>>();
  for (const [, thread = '', bound, count] of (await answer.text()).matchAll(BUCKET)) {
    const counts = threads.get(thread) ?? new Map<number, number>();
    threads.set(thread, counts.set(Number(bound), Number(count)));
  }
  return threads;
}

/** Bounds the longest turn of each thread between two looks, in milliseconds. */
export function longestTurns(before: TurnCounts, after: TurnCounts): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const [thread, counts] of after) {
    const since = (bound: number): number =>
      (counts.get(bound) ?? 0) - (before.get(thread)?.get(bound) ?? 0);
    const bounds = [...counts.keys()].toSorted((a, b) => a - b);
    const most = since(bounds.at(-1) ?? 0);
    const bound = bounds.find((one) => since(one) === most);
    if (bound !== undefined && most > 0) longest.set(thread, bound * 1_000);
  }
  return longest;
}
