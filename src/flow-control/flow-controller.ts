/**
 * Decides which requests go on, which wait and which are refused, by schemas and levels
 * (README.md). It is of one thread; several share their seats.
 */
import type { Timers } from '../base/time/timers.ts';
import { RecentMap } from '../base/recent-map.ts';
import { Classifier, type Asked } from './classifier.ts';
import type { Flow, FlowRequest } from './flow.ts';
import { FlowMeter, type Rejection } from './flow-meter.ts';
import {
  bySchemaOrder,
  MANDATORY_LEVELS,
  MANDATORY_SCHEMAS,
  type Level,
  type Schema,
} from './flow-objects.ts';
import { LevelState } from './level-state.ts';
import type { LevelSeats } from './seat-pool.ts';
import { borrow, boundsOf } from './seat-shares.ts';
import { dealHand, flowHash } from './shuffle-sharding.ts';

/** What the release does. */
export interface FlowRules {
  /** Levels borrow seats from each other. */
  readonly borrows: boolean;
  /** Others have less while what is exempt is busy. */
  readonly countsExempt: boolean;
  /** One request has a part of its level at most. */
  readonly boundsWidth: boolean;
}

/** What a request was taken for. */
export interface Classified {
  readonly flow: Flow;
  readonly state: LevelState;
}

export interface FlowControllerOptions {
  /** So many the server has. */
  readonly seats: number;
  readonly rules: FlowRules;
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly seatsOf: (level: string, whenFree: () => void) => LevelSeats;
  readonly meterOf?: (level: string, schema: string) => FlowMeter;
  readonly onLevelGone?: (level: string) => void;
}

/** The seats of levels are looked at again after so long. */
export const BORROWING_MS = 10_000;
/** Flows of one schema whose hands are kept; others are dealt the same again. */
const FLOWS_KEPT = 4_096;

export class FlowController {
  readonly #options: FlowControllerOptions;
  readonly #given = { levels: new Map<string, Level>(), schemas: new Map<string, Schema>() };
  readonly #levels = new Map<string, LevelState>();
  readonly #meters = new Map<string, FlowMeter>();
  #flows = new Map<Schema, RecentMap<string, Classified>>();
  #classifier: Classifier = new Classifier([], MANDATORY_SCHEMAS[1]!);
  #isStale = true;
  #endBorrowing: (() => void) | undefined;
  /** The part of its target that each level gets. */
  fraction = 0;

  constructor(options: FlowControllerOptions) {
    const { rules, timers } = options;
    this.#options = options;
    this.#refresh();
    if (!rules.borrows) return;
    this.#endBorrowing = timers.every(BORROWING_MS, () => this.#borrow());
  }

  get levels(): Iterable<LevelState> {
    return this.#levels.values();
  }

  putLevel(level: Level): void {
    this.#given.levels.set(level.name, level);
    this.#changed();
  }

  removeLevel(name: string): void {
    if (this.#given.levels.delete(name)) this.#changed();
  }

  putSchema(schema: Schema): void {
    this.#given.schemas.set(schema.name, schema);
    this.#changed();
  }

  removeSchema(name: string): void {
    if (this.#given.schemas.delete(name)) this.#changed();
  }

  /** The flow of a request, and its level. */
  classify(asked: Asked): Classified {
    if (this.#isStale) this.#refresh();
    const schema = this.#classifier.of(asked);
    return this.#classified(schema, this.#levels.get(schema.level)!, asked);
  }

  /**
   * Begins a request: it is executing then, waits until `decided` is told, or is refused for the
   * reason that is returned.
   */
  begin(
    { flow, state }: Classified,
    request: FlowRequest,
    waitMsMax: number,
  ): Rejection | undefined {
    const { nowMs, timers } = this.#options;
    const why = state.queues.start(request, request.arrivedMs);
    if (why !== undefined) {
      flow.meter.waited(0, false);
      return why;
    }
    if (request.state === 'waiting') {
      const leftMs = Math.max(0, request.arrivedMs + waitMsMax - nowMs());
      request.cancelTimer = timers.after(leftMs, () => this.#end(state, request, true));
    } else if (!state.level.isExempt) flow.meter.waited(0, true);
    return undefined;
  }

  /** A request that waited was let: says how long that was. */
  wasLet(request: FlowRequest): void {
    request.cancelTimer?.();
    request.flow.meter.waited(request.startMs - request.arrivedMs, true);
  }

  /** A request is over: it was served, or its client has gone. */
  end(state: LevelState, request: FlowRequest): void {
    if (request.state === 'waiting') this.#end(state, request, false);
    else if (request.state === 'executing') {
      const nowMs = this.#options.nowMs();
      request.flow.meter.executed(nowMs - request.startMs, request.asked.verb === 'watch');
      state.queues.finish(request, nowMs);
    }
    if (state.isQuiescing && !state.isUsed) this.#changed();
  }

  close(): void {
    this.#endBorrowing?.();
    for (const { seats } of this.#levels.values()) seats.close();
  }

  #end(state: LevelState, request: FlowRequest, isTimeout: boolean): void {
    request.cancelTimer?.();
    state.queues.cancel(request, isTimeout);
    request.flow.meter.waited(this.#options.nowMs() - request.arrivedMs, false);
    if (isTimeout) request.decided(false);
  }

  #classified(schema: Schema, state: LevelState, asked: Asked): Classified {
    const distinguisher = distinguisherOf(schema, state, asked);
    let flows = this.#flows.get(schema);
    if (flows === undefined) this.#flows.set(schema, (flows = new RecentMap(FLOWS_KEPT)));
    let classified = flows.get(distinguisher);
    if (classified === undefined) {
      const { queuing } = state.level;
      const hash = queuing === undefined ? 0n : flowHash(schema.name, distinguisher);
      const hand = queuing === undefined ? [] : dealHand(hash, queuing.queues, queuing.handSize);
      const flow = { schema, distinguisher, hand, meter: this.#meterOf(schema, state) };
      flows.set(distinguisher, (classified = { flow, state }));
    }
    return classified;
  }

  #meterOf(schema: Schema, { level }: LevelState): FlowMeter {
    const key = meterKey(level.name, schema.name);
    let meter = this.#meters.get(key);
    if (meter === undefined) {
      meter = this.#options.meterOf?.(level.name, schema.name) ?? new FlowMeter();
      this.#meters.set(key, meter);
    }
    return meter;
  }

  /** Changes that come together are taken together, and what waits need not wait for a request. */
  #changed(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    this.#options.timers.after(0, () => {
      if (this.#isStale) this.#refresh();
    });
  }

  #refresh(): void {
    this.#isStale = false;
    const levels = withMandatory(this.#given.levels, MANDATORY_LEVELS);
    const known = new Map(levels.map((level) => [level.name, level]));
    const schemas = withMandatory(this.#given.schemas, MANDATORY_SCHEMAS)
      .filter(({ level }) => known.has(level))
      .toSorted(bySchemaOrder);
    const fallback = schemas.find(({ name }) => name === 'catch-all') ?? MANDATORY_SCHEMAS[1]!;
    this.#classifier = new Classifier(schemas, fallback);
    this.#flows = new Map();
    this.#keepUsed(known);
    this.#forgetFlows(new Set(schemas.map(({ level, name }) => meterKey(level, name))));
    this.#configure([...known.values()]);
  }

  /** A level that is gone serves those that wait there. */
  #keepUsed(known: Map<string, Level>): void {
    for (const [name, state] of this.#levels) {
      state.isQuiescing = !known.has(name);
      if (!state.isQuiescing) continue;
      if (state.isUsed) {
        known.set(name, state.level);
        continue;
      }
      this.#levels.delete(name);
      state.seats.close();
      this.#options.onLevelGone?.(name);
    }
  }

  #forgetFlows(known: ReadonlySet<string>): void {
    for (const [key, meter] of this.#meters) {
      const isUsed = meter.waiting > 0 || meter.seatsInUse > 0;
      if (isUsed || known.has(key)) continue;
      meter.release();
      this.#meters.delete(key);
    }
  }

  #configure(levels: readonly Level[]): void {
    const { seats, rules } = this.#options;
    const bounds = boundsOf(levels, seats);
    for (const [index, level] of levels.entries()) {
      const known = this.#levels.get(level.name);
      const state = known ?? this.#newLevel(level);
      const its = bounds[index]!;
      const lent = rules.borrows ? Math.trunc((its.nominal - its.lowest) / 2) : 0;
      state.configure(level, its);
      if (known === undefined || !rules.borrows) state.setLimit(its.nominal - lent);
    }
    if (rules.borrows) this.#share();
  }

  #newLevel(level: Level): LevelState {
    const { timers, nowMs, rules, seatsOf } = this.#options;
    const seats = seatsOf(level.name, () => state.queues.dispatch());
    const state: LevelState = new LevelState(level, { timers, nowMs, seats, ...rules });
    this.#levels.set(level.name, state);
    return state;
  }

  #borrow(): void {
    const nowMs = this.#options.nowMs();
    for (const state of this.#levels.values()) {
      state.lookAtDemand(nowMs);
      state.demand.endPeriod(nowMs);
    }
    this.#share();
  }

  #share(): void {
    const states = [...this.#levels.values()];
    const borrowers = states.map(({ level: { isExempt }, bounds, demand }) => {
      return { isExempt, bounds, demand };
    });
    const { seats, targets, fraction } = borrow(borrowers, this.#options.rules.countsExempt);
    this.fraction = fraction;
    for (const [index, state] of states.entries()) {
      state.target = targets[index]!;
      state.setLimit(seats[index]!);
    }
  }
}

function withMandatory<T extends { readonly name: string }>(
  given: ReadonlyMap<string, T>,
  mandatory: readonly T[],
): T[] {
  return [...given.values(), ...mandatory.filter(({ name }) => !given.has(name))];
}

function meterKey(level: string, schema: string): string {
  return `${level}/${schema}`;
}

function distinguisherOf({ by }: Schema, { level }: LevelState, asked: Asked): string {
  if (by === undefined || (level.queuing?.queues ?? 0) <= 1) return '';
  return by === 'ByUser' ? asked.user.name : asked.namespace;
}
