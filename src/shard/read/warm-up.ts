/**
 * The first list in protobuf after a start is the one that controllers ask for when they connect
 * again, and none of what writes it has been compiled. So a type with many objects writes some of
 * them while nobody asks, and throws them away. JSON is copied as it lies there, and a row of a
 * Table is short: they need nothing of the kind.
 */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { Timers } from '../../base/time/timers.ts';
import {
  WARM_UP_BYTES,
  WARM_UP_DELAY_MS,
  WARM_UP_OBJECTS,
  WARM_UP_OBJECTS_MIN,
  WARM_UP_PAUSE_MS,
  WARM_UP_STEP_MS,
} from '../../limits.ts';
import { ALL_KEYS } from '../table/object-table.ts';
import type { Sink } from '../representation/representation.ts';
import type { Shard } from '../state/shard.ts';

type WarmedShard = Pick<
  Shard,
  'kind' | 'table' | 'translation' | 'representations' | 'historicWireAt' | 'stopping'
>;

/** Under which nothing is kept. */
const NO_VERSION = 0;
const NOWHERE: Sink = { add: () => undefined, addText: () => undefined };

/**
 * Begins in a while, unless the type has few objects, is still to be translated, or is a custom
 * one, which has no such form.
 */
export function warmUp(
  shard: WarmedShard,
  timers: Timers = SYSTEM_TIMERS,
  nowMs: () => number = () => performance.now(),
): void {
  const { kind, table, translation } = shard;
  const isCustom = kind.definition.message === undefined;
  if (isCustom || table.size < WARM_UP_OBJECTS_MIN || translation !== undefined) return;
  const rvs: number[] = [];
  table.scan(ALL_KEYS, ({ rv }) => rvs.push(rv) < WARM_UP_OBJECTS);
  const { list } = shard.representations.of({ form: { encoding: 'protobuf' } });
  let bytesLeft = WARM_UP_BYTES;
  const step = (): void => {
    const endMs = nowMs() + WARM_UP_STEP_MS;
    while (nowMs() < endMs) {
      const rv = rvs.pop();
      if (rv === undefined || bytesLeft <= 0 || shard.stopping) return;
      // One that was replaced meanwhile may be gone.
      const wire = shard.historicWireAt(rv);
      if (wire === undefined) continue;
      bytesLeft -= wire.length;
      list.addItem(NOWHERE, NO_VERSION, () => wire, false);
    }
    timers.after(WARM_UP_PAUSE_MS, step);
  };
  timers.after(WARM_UP_DELAY_MS, step);
}
