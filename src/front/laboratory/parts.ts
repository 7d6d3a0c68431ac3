/** The parts of the laboratory: each brings its endpoints. */
import { chosenClock } from '../../base/time/server-clock.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { SnapshotRequest } from '../../protocol/snapshot-protocol.ts';
import type { ShardClient } from '../resource-requests.ts';
import { clockRoutes } from './clock-routes.ts';
import { Faults } from './faults.ts';
import { Laboratory } from './laboratory.ts';
import { Recordings } from './recordings.ts';
import { RestoreGate } from './restore-gate.ts';
import { ShardVersions } from './shard-versions.ts';
import { snapshotRoutes } from './snapshots.ts';
import { Views } from './views.ts';

export interface LaboratoryTools {
  /** By the name that routes give. */
  readonly shards: ReadonlyMap<string, ShardClient>;
  readonly dataDir: string;
  /** Asks the main thread. Rejects with StatusError. */
  readonly snapshots: (request: SnapshotRequest) => Promise<object>;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export function laboratoryOf(tools: LaboratoryTools): Laboratory {
  const versions = new ShardVersions(tools.shards);
  const faults = new Faults(tools);
  const views = new Views({
    ...tools,
    versions,
    timers: SYSTEM_TIMERS,
    endWatches: (isMeant) => faults.endWatches(isMeant),
  });
  const recordings = new Recordings(tools);
  const gate = new RestoreGate();
  const clock = chosenClock();
  const ofClock = clock === undefined ? [] : clockRoutes(tools.dataDir, clock);
  const ofSnapshots = snapshotRoutes(tools.snapshots, gate);
  const own = [...faults.routes, ...views.routes, ...recordings.routes];
  const routes = [...own, ...ofClock, ...ofSnapshots];
  return new Laboratory(routes, {
    faults,
    recordings,
    views,
    versions,
    gate,
    shards: tools.shards,
  });
}
