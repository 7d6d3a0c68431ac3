/** Finds old versions of a type by their time, or by how many others have followed. */
import type { PastVersion } from '../../protocol/shard-protocol.ts';
import type { Shard } from '../state/shard.ts';

/** The first look goes back so much farther than what is looked for. */
const FIRST_SPAN = 4;

/**
 * An old version of the type; the newest where fewer events follow than are asked for, and that of
 * the horizon where the history does not reach back so far.
 */
export function pastVersion(shard: Shard, past: PastVersion): number {
  if ('untilMs' in past) return lastUntil(shard, past.untilMs);
  if ('ago' in past) return versionAgo(shard, past.ago);
  return versionAfter(shard, past.after, past.events);
}

/** The last version that was written up to a time: versions are written in their order. */
function lastUntil(shard: Shard, untilMs: number): number {
  let low = shard.history.horizon();
  let high = shard.pipeline.listVersion();
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (firstTimeMs(shard, middle - 1) <= untilMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** When the first record above a version was written; -Infinity where there is none. */
function firstTimeMs({ headers, pipeline }: Shard, afterRv: number): number {
  let timeMs = -Infinity;
  headers.scan(afterRv, (rv, header) => {
    if (rv <= pipeline.appliedRv) ({ timeMs } = header);
    return false;
  });
  return timeMs;
}

function versionAgo(shard: Shard, count: number): number {
  const newest = shard.pipeline.listVersion();
  if (count === 0) return newest;
  const horizon = shard.history.horizon();
  for (let span = count * FIRST_SPAN; ; span *= FIRST_SPAN) {
    const from = Math.max(horizon, newest - span);
    const rvs = versionsAbove(shard, from, Infinity);
    // What is as old as the last of them is the state before it.
    if (rvs.length >= count) return rvs[rvs.length - count]! - 1;
    if (from === horizon) return horizon;
  }
}

function versionAfter(shard: Shard, after: number, events: number): number {
  return versionsAbove(shard, after, events)[events - 1] ?? shard.pipeline.listVersion();
}

function versionsAbove({ log, pipeline }: Shard, afterRv: number, most: number): number[] {
  const { appliedRv } = pipeline;
  const rvs: number[] = [];
  log.scan(afterRv, (rv) => {
    if (rv > appliedRv || rvs.length >= most) return false;
    rvs.push(rv);
    return true;
  });
  return rvs;
}
