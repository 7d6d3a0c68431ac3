/** How evictions go on: each responder in its turn (README.md#rules). */
import type { Condition } from '#messages/meta.v1';
import type { EvictionStatus, TargetResponder } from '#messages/lifecycle.v1alpha1';
import { ownDialect } from '../../semantics/dialect/own-names.ts';
import {
  fieldForbidden,
  invalid,
  invalidPrinted,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import {
  conditionErrors,
  wholeCondition,
} from '../../semantics/validation/condition-validation.ts';
import { RESPONDERS_MAX } from './declared-evictions.ts';
import {
  checkResponders,
  hasTwice,
  inTurn,
  SKEW_MS,
  statusOf,
  targetText,
  timeOf,
} from './eviction-responders.ts';

const CONDITIONS = 'status.conditions';
const TARGETS = 'status.targetResponders';
const HEARTBEAT_MS = 20 * 60 * 1000;
/** Priorities below are those of responders of the system. */
const SYSTEM_PRIORITIES = 1000;
/** The one that deletes pods, as the last one. */
const EVICTOR = `imperative-eviction.${ownDialect().domain}/evictor`;
const EVICTOR_PRIORITY = 100;
const ENDS = ['Canceled', 'Completed', 'Interrupted'];

/** The errors of a write of the status, besides what is declared of it. */
export function evictionStatusErrors(
  status: EvictionStatus,
  stored: EvictionStatus,
  nowMs: number,
): FieldError[] {
  const { conditions = [] } = status;
  const errors = conditionErrors(conditions, CONDITIONS);
  const isOver = checkEnd(conditions, stored.conditions ?? [], errors);
  checkTargets(status, stored.targetResponders ?? [], isOver, nowMs, errors);
  checkResponders(status, stored.responders ?? [], nowMs, errors);
  return errors;
}

function find(conditions: readonly Condition[], state: string): Condition | undefined {
  return conditions.find(({ type }) => type === state);
}

/** Whether the eviction has ended: what ended stays so, even where the write says otherwise. */
function checkEnd(
  conditions: readonly Condition[],
  stored: readonly Condition[],
  errors: FieldError[],
): boolean {
  let isOver = ['TargetEvicted', 'Failed'].some(
    (state) => find(conditions, state)?.status === 'True',
  );
  for (const { type = '', status, reason = '' } of stored) {
    if ((type !== 'TargetEvicted' && type !== 'Failed') || status !== 'True') continue;
    const now = find(conditions, type);
    if (now !== undefined && now.status !== 'False' && (now.reason ?? '') === reason) continue;
    const shown = conditions.length === 0 ? null : conditions.map(wholeCondition);
    errors.push(invalid(CONDITIONS, shown, `${type} condition status cannot be reverted`));
    isOver = true;
  }
  return isOver;
}

/** The states that a responder may have now, and why. */
interface Turn {
  readonly states: readonly string[];
  readonly why: string;
}

function checkTargets(
  status: EvictionStatus,
  stored: readonly TargetResponder[],
  isOver: boolean,
  nowMs: number,
  errors: FieldError[],
): void {
  const { targetResponders: targets = [] } = status;
  if (stored.length > 0) {
    const names = new Set(targets.map(({ name = '' }) => name));
    const refuse = (detail: string): void => {
      const printed = targets.length === 0 ? 'null' : `[${targets.map(targetText).join(',')}]`;
      errors.push(invalidPrinted(TARGETS, printed, detail));
    };
    if (targets.length !== stored.length) {
      refuse('must preserve the same length and the same keys');
      return;
    }
    if (!stored.every(({ name = '' }) => names.has(name))) {
      refuse('must preserve the same keys');
      return;
    }
  }
  if (targets.length > RESPONDERS_MAX || hasTwice(targets)) return;
  const turns = turnsOf(inTurn(targets), inTurn(stored), isOver);
  inTurn(targets).forEach((target, index) => {
    const field = `${TARGETS}[${targets.indexOf(target)}]`;
    checkTarget(target, field, turns[index], { status, isOver, nowMs, errors });
  });
}

/** Gives the allowed states of the responders, in the order of their turns. */
function turnsOf(
  now: readonly TargetResponder[],
  stored: readonly TargetResponder[],
  isOver: boolean,
): readonly Turn[] {
  const active = stored.findIndex(({ state }) => state === 'Active');
  const hasMoved = active !== -1 && now[active]?.state !== 'Active';
  const last = stored.at(-1)?.state ?? 'Inactive';
  const isProcessed = isOver || ENDS.includes(last);
  return now.map((_, index) => {
    const before = stored[index]?.state ?? '';
    if (index < active || (stored.length > 0 && active === -1 && isProcessed)) {
      return { states: [before], why: 'final state is immutable' };
    }
    if (index === active && active !== -1) {
      if (hasMoved) return { states: ENDS, why: 'this responder must reach a final state' };
      return isOver
        ? { states: ENDS, why: 'the eviction request has finished processing' }
        : { states: ['Active'], why: 'the eviction request stays active' };
    }
    if ((index === 0 && stored.length === 0) || (index === active + 1 && hasMoved)) {
      return isOver
        ? { states: ['Inactive'], why: 'the eviction request has finished processing' }
        : { states: ['Active'], why: 'this responder is next in line' };
    }
    return { states: ['Inactive'], why: 'the previously active has not finished processing' };
  });
}

interface TargetContext {
  readonly status: EvictionStatus;
  readonly isOver: boolean;
  readonly nowMs: number;
  readonly errors: FieldError[];
}

function checkTarget(
  target: TargetResponder,
  field: string,
  turn: Turn | undefined,
  { status, isOver, nowMs, errors }: TargetContext,
): void {
  const { name = '', state = '' } = target;
  const own = statusOf(status.responders ?? [], name);
  if (own === undefined) {
    const detail = `"${name}" has to be tracked in status.responders first`;
    errors.push(invalidPrinted(field, targetText(target), detail));
    return;
  }
  checkPriority(target, `${field}.priority`, errors);
  const at = `${field}.state`;
  if (turn !== undefined && !turn.states.includes(state)) {
    const detail = `must be one of: ${turn.states.join(', ')}, because ${turn.why}`;
    errors.push(invalid(at, state, detail));
    return;
  }
  const isDone = own.completionTime !== undefined;
  if (state !== 'Active' && own.startTime !== undefined && !isDone && !isOver) {
    const deadline = timeOf(own.heartbeatTime ?? own.startTime) + HEARTBEAT_MS - SKEW_MS;
    if (nowMs < deadline) {
      const detail =
        'must stay Active because the responder is in progress and it should report ' +
        'status.responders.heartbeatTime or status.responders.completionTime';
      errors.push(fieldForbidden(at, detail));
    }
  }
  if (state === 'Completed' && !isDone) {
    const detail =
      "cannot become Completed because the responder didn't report " +
      'status.responders.completionTime';
    errors.push(invalid(at, state, detail));
  }
}

function checkPriority(
  { name, priority = -1 }: TargetResponder,
  field: string,
  errors: FieldError[],
): void {
  if (priority < 0) return;
  if (name === EVICTOR) {
    if (priority === EVICTOR_PRIORITY) return;
    const detail = `core k8s responder is expected to have priority: ${EVICTOR_PRIORITY}`;
    errors.push(invalid(field, priority, detail));
  } else if (priority < SYSTEM_PRIORITIES) {
    const detail = 'priorities 0-999 are reserved for responders with *.k8s.io suffix';
    errors.push(invalid(field, priority, detail));
  }
}
