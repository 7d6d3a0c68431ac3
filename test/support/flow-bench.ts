/** Flow control without a server: requests that are begun and ended by hand, on a manual clock. */
import { FlowController, type FlowRules } from '../../src/flow-control/flow-controller.ts';
import { FlowRequest, ONE_SEAT, type Work } from '../../src/flow-control/flow.ts';
import type { FlowMeter, Rejection } from '../../src/flow-control/flow-meter.ts';
import {
  MANDATORY_LEVELS,
  MANDATORY_SCHEMAS,
  type Level,
} from '../../src/flow-control/flow-objects.ts';
import type { LevelState } from '../../src/flow-control/level-state.ts';
import { OwnSeats } from '../../src/flow-control/seat-pool.ts';
import { ManualTimers } from './manual-timers.ts';

const OLD_RULES: FlowRules = { borrows: false, countsExempt: false, boundsWidth: false };
const WAIT_MS_MAX = 15_000;

/** A request that was begun. */
export interface Begun {
  readonly request: FlowRequest;
  readonly why: Rejection | undefined;
  /** Of one that waits: whether it was let; undefined until then. */
  readonly isLet: boolean | undefined;
  end(): void;
}

export class FlowBench {
  readonly timers = new ManualTimers();
  readonly controller: FlowController;

  constructor(seats: number, rules: FlowRules = OLD_RULES) {
    this.controller = new FlowController({
      seats,
      rules,
      timers: this.timers,
      nowMs: () => this.timers.nowMs,
      seatsOf: () => new OwnSeats(),
    });
  }

  /** All but administrators are of this level, each user a flow. */
  level(level: Partial<Level>): void {
    const whole = { ...MANDATORY_LEVELS[1]!, name: 'shared', shares: 1_000_000, ...level };
    const everybody = MANDATORY_SCHEMAS[1]!.rules;
    this.controller.putLevel(whole);
    this.controller.putSchema({
      name: `to-${whole.name}`,
      uid: '',
      level: whole.name,
      precedence: 100,
      by: 'ByUser',
      rules: everybody,
    });
    this.timers.pass(1);
  }

  stateOf(name: string): LevelState | undefined {
    return [...this.controller.levels].find(({ level }) => level.name === name);
  }

  begin(user: string, work: Work = ONE_SEAT, group = 'system:authenticated'): Begun {
    const asked = {
      user: { name: user, uid: '', groups: [group] },
      verb: 'get',
      isResource: true,
      path: '/api/v1/nodes/a',
      group: '',
      version: 'v1',
      resource: 'nodes',
      subresource: '',
      namespace: '',
      name: 'a',
    };
    const classified = this.controller.classify(asked);
    const begun: { isLet: boolean | undefined } = { isLet: undefined };
    const request = new FlowRequest(classified.flow, asked, work, this.timers.nowMs);
    request.decided = (isLet) => void (begun.isLet = isLet);
    const why = this.controller.begin(classified, request, WAIT_MS_MAX);
    return Object.assign(begun, {
      request,
      why,
      end: () => this.controller.end(classified.state, request),
    });
  }
}

/** What was counted of a level, of all its schemas together. */
export function meterOf({ request }: Begun): FlowMeter {
  return request.flow.meter;
}
