/** Makes what requests pass at a front: flow control, or a limit of their number. */
import type { Config } from '../config/config.ts';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import { FlowController } from '../flow-control/flow-controller.ts';
import { levelOf, schemaOf } from '../flow-control/flow-objects.ts';
import {
  SharedSeats,
  sharedSeatsMemory,
  type SharedSeatsMemory,
} from '../flow-control/shared-seats.ts';
import { OwnSeats } from '../flow-control/seat-pool.ts';
import { WatchCounts } from '../flow-control/watch-counts.ts';
import type { FrontActor } from '../front/front-actor.ts';
import { CountedFlow, LevelMetrics } from '../front/flows/flow-metrics.ts';
import { FlowGate } from '../front/flows/flow-gate.ts';
import { InFlightGate, inFlightCounts } from '../front/flows/in-flight-gate.ts';
import { sharedConnections } from '../front/transport/connections.ts';
import type { RequestGate } from '../front/flows/request-gate.ts';
import { WorkEstimates } from '../front/flows/work-estimates.ts';
import { ownRelease } from '../release/release.ts';
import type { FollowType } from '../replicas/follow-type.ts';
import { BATCH_CLOCK } from '../base/time/batch-clock.ts';

/** The memory that all fronts share. */
export interface SharedFlow {
  readonly inFlight: SharedArrayBuffer;
  /** Absent where there is one front alone. */
  readonly seats: SharedSeatsMemory | undefined;
  readonly connections: SharedArrayBuffer;
}

const LEVELS = 'prioritylevelconfigurations.flowcontrol.apiserver.cluster.io';
const SCHEMAS = 'flowschemas.flowcontrol.apiserver.cluster.io';

export function sharedFlow({ fronts }: Config): SharedFlow {
  return {
    inFlight: inFlightCounts(),
    seats: fronts === 1 ? undefined : sharedSeatsMemory(),
    connections: sharedConnections(),
  };
}

interface FlowInit {
  readonly config: Config;
  readonly flow: SharedFlow;
  /** Of the front. */
  readonly number: number;
}

/** What the actor of a front knows. */
type FlowFacts = Pick<FrontActor, 'objects' | 'flowDumps'>;

/** What bounds the requests and connections of a front. */
interface RequestBounds {
  /** Undefined where requests have no limit. */
  readonly gate: RequestGate | undefined;
  /** The time that requests may take. */
  readonly requestTimeoutMs: number;
  readonly bounds: Config['bounds'];
  readonly connections: SharedArrayBuffer;
}

export function requestGate(init: FlowInit, follow: FollowType, actor: FlowFacts): RequestBounds {
  const { config, flow } = init;
  const { isFair, limits, requestTimeoutMs } = config.flow;
  const others = { requestTimeoutMs, bounds: config.bounds, connections: flow.connections };
  if (isFair) return { gate: flowGate(init, follow, actor), ...others };
  const isLimited = limits.reading > 0 || limits.mutating > 0;
  return { gate: isLimited ? new InFlightGate(limits, flow.inFlight) : undefined, ...others };
}

function flowGate(
  { config, flow: { seats: shared }, number }: FlowInit,
  follow: FollowType,
  actor: FlowFacts,
): RequestGate {
  const { has } = ownRelease();
  const { flow, featureGates } = config;
  const { limits, requestTimeoutMs } = flow;
  const pool = shared && new SharedSeats(shared, number);
  const controller = new FlowController({
    seats: limits.reading + limits.mutating,
    rules: {
      borrows: has('borrowedSeats'),
      countsExempt: has('exemptSeatsCount'),
      boundsWidth: has('boundedWidths'),
    },
    timers: SYSTEM_TIMERS,
    nowMs: () => BATCH_CLOCK.nowMs(),
    seatsOf: (level, whenFree) => pool?.of(level, whenFree) ?? new OwnSeats(),
    meterOf: (level, schema) => new CountedFlow(level, schema),
  });
  follow(LEVELS, {
    put: (object) => controller.putLevel(levelOf(object)),
    remove: ({ metadata }) => controller.removeLevel(metadata.name ?? ''),
  });
  follow(SCHEMAS, {
    put: (object) => controller.putSchema(schemaOf(object)),
    remove: ({ metadata }) => controller.removeSchema(metadata.name ?? ''),
  });
  const estimates = new WorkEstimates({
    rules: {
      bySize: featureGates.has('SizeBasedListCostEstimate'),
      countsWatches: has('widthsByWatches'),
      readsFromCache: featureGates.has('ConsistentListFromCache'),
    },
    watchesAreLists: featureGates.has('WatchList'),
    storedObjects: (resource) => actor.objects.get(resource),
    watches: new WatchCounts(),
  });
  // All fronts have the same levels.
  const metrics = number === 0 ? new LevelMetrics(controller) : undefined;
  const its = { controller, estimates, metrics, requestTimeoutMs, wallClockMs: Date.now };
  return new FlowGate({ ...its, dumps: config.fronts === 1 ? undefined : () => actor.flowDumps() });
}
