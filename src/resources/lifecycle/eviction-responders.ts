/** Checks the statuses of responders (README.md#rules). */
import type {
  EvictionStatus,
  ResponderStatus,
  TargetResponder,
} from '#messages/lifecycle.v1alpha1';
import { deepEqual } from '../../base/deep-equal.ts';
import {
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { RESPONDERS_MAX } from './declared-evictions.ts';

const RESPONDERS = 'status.responders';
/** By how much clocks may differ. */
export const SKEW_MS = 30 * 1000;
const EXPECTED_MAX_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/** NaN for no time, which is neither before nor after another one. */
export function timeOf(time: string | undefined): number {
  return time === undefined ? Number.NaN : Date.parse(time);
}

/** Whether a time is before another one; no time is before any other. */
function isBefore(time: string, other: string | undefined): boolean {
  return other !== undefined && timeOf(time) < timeOf(other);
}

export function statusOf(
  responders: readonly ResponderStatus[],
  name: string,
): ResponderStatus | undefined {
  return responders.findLast((one) => (one.name ?? '') === name);
}

export function hasTwice(list: readonly { readonly name?: string }[]): boolean {
  return new Set(list.map(({ name = '' }) => name)).size < list.length;
}

/** Those with the highest priority first, then by their domains from the top, and their keys. */
export function inTurn(targets: readonly TargetResponder[]): readonly TargetResponder[] {
  return [...targets].sort((a, b) => {
    if (a.priority !== b.priority) {
      if (a.priority === undefined) return 1;
      return b.priority === undefined ? -1 : b.priority - a.priority;
    }
    return compareNames(a.name ?? '', b.name ?? '');
  });
}

function compareNames(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  for (const [index, label] of left.domain.entries()) {
    const other = right.domain[index];
    if (other === undefined) return 1;
    if (label !== other) return label < other ? -1 : 1;
  }
  if (right.domain.length > left.domain.length) return -1;
  return left.key < right.key ? -1 : Number(left.key > right.key);
}

function partsOf(name: string): { readonly domain: readonly string[]; readonly key: string } {
  const slash = name.indexOf('/');
  const domain = slash === -1 ? name : name.slice(0, slash);
  return {
    domain: domain.split('.').toReversed(),
    key: slash === -1 ? '' : name.slice(slash + 1),
  };
}

/** As the reference keeps and so prints it. */
export function targetText({ name = '', priority, state = '' }: TargetResponder): string {
  return JSON.stringify({ Name: name, Priority: priority ?? null, State: state });
}

function responderText(responder: ResponderStatus): string {
  return JSON.stringify({
    Name: responder.name ?? '',
    StartTime: responder.startTime ?? null,
    HeartbeatTime: responder.heartbeatTime ?? null,
    ExpectedCompletionTime: responder.expectedCompletionTime ?? null,
    CompletionTime: responder.completionTime ?? null,
    Message: responder.message ?? null,
  });
}

/** There is one for each target; `stored` is what they told before. */
export function checkResponders(
  { responders = [], targetResponders: targets = [] }: EvictionStatus,
  stored: readonly ResponderStatus[],
  nowMs: number,
  errors: FieldError[],
): void {
  const refuse = (detail: string): void => {
    const printed = `[${responders.map(responderText).join(',')}]`;
    errors.push(invalidPrinted(RESPONDERS, responders.length === 0 ? 'null' : printed, detail));
  };
  if (targets.length !== responders.length) {
    refuse('must be the same length as status.targetResponders and contain the same keys');
    return;
  }
  if (!targets.every(({ name = '' }) => statusOf(responders, name) !== undefined)) {
    refuse('must contain the same keys as status.targetResponders');
    return;
  }
  if (responders.length > RESPONDERS_MAX || hasTwice(responders)) return;
  responders.forEach((responder, index) => {
    const { name = '' } = responder;
    const before = statusOf(stored, name);
    const field = `${RESPONDERS}[${index}]`;
    const isActive = targets.find((target) => (target.name ?? '') === name)?.state === 'Active';
    if (before !== undefined && !isActive && !deepEqual(responder, before)) {
      errors.push(invalidPrinted(field, responderText(responder), FIELD_IMMUTABLE));
    } else checkTimes(responder, before ?? {}, { field, isActive, nowMs, errors });
  });
}

interface TimesContext {
  readonly field: string;
  readonly isActive: boolean;
  readonly nowMs: number;
  readonly errors: FieldError[];
}

/** Declared rules tell of times that are set once and stay; this does not. */
function checkTimes(now: ResponderStatus, before: ResponderStatus, context: TimesContext): void {
  checkStart(now, before, context);
  checkHeartbeat(now, before, context);
  checkExpected(now, before, context);
  checkCompletion(now, before, context);
}

function isPresent(time: string, nowMs: number): boolean {
  return Math.abs(timeOf(time) - nowMs) < SKEW_MS;
}

function checkStart(
  { startTime }: ResponderStatus,
  before: ResponderStatus,
  { field, isActive, nowMs, errors }: TimesContext,
): void {
  const at = `${field}.startTime`;
  if (before.startTime !== undefined) return;
  if (startTime === undefined) {
    if (isActive) errors.push(required(at, 'is required for an active responder'));
  } else if (!isPresent(startTime, nowMs)) {
    errors.push(invalid(at, startTime, 'must be set to the present time'));
  }
}

function checkHeartbeat(
  { startTime, heartbeatTime }: ResponderStatus,
  before: ResponderStatus,
  { field, nowMs, errors }: TimesContext,
): void {
  const at = `${field}.heartbeatTime`;
  if (heartbeatTime === undefined) {
    if (before.heartbeatTime !== undefined) errors.push(required(at, 'is required once set'));
    return;
  }
  if (heartbeatTime === before.heartbeatTime) return;
  const refuse = (detail: string): void => void errors.push(invalid(at, heartbeatTime, detail));
  if (startTime === undefined) refuse(`cannot be set before ${field}.startTime is set`);
  else if (isBefore(heartbeatTime, before.heartbeatTime)) refuse('cannot be decreased');
  else if (isBefore(heartbeatTime, startTime)) refuse(`must occur after ${field}.startTime`);
  else if (!isPresent(heartbeatTime, nowMs)) refuse('must be set to the present time');
}

function checkExpected(
  { startTime, expectedCompletionTime: expected }: ResponderStatus,
  before: ResponderStatus,
  { field, nowMs, errors }: TimesContext,
): void {
  if (expected === undefined || expected === before.expectedCompletionTime) return;
  const at = `${field}.expectedCompletionTime`;
  const refuse = (detail: string): void => void errors.push(invalid(at, expected, detail));
  if (startTime === undefined) refuse(`cannot be set before ${field}.startTime is set`);
  else if (isBefore(expected, startTime)) refuse(`must occur after ${field}.startTime`);
  else if (timeOf(expected) < nowMs - SKEW_MS) refuse('cannot be set to the past time');
  else if (timeOf(expected) > nowMs + EXPECTED_MAX_MS) refuse('must complete within 10 years');
}

function checkCompletion(
  { startTime, completionTime }: ResponderStatus,
  before: ResponderStatus,
  { field, nowMs, errors }: TimesContext,
): void {
  const isKept = completionTime === before.completionTime;
  if (completionTime === undefined || (before.completionTime !== undefined && !isKept)) return;
  const at = `${field}.completionTime`;
  const refuse = (detail: string): void => void errors.push(invalid(at, completionTime, detail));
  if (startTime === undefined) refuse(`cannot be set before ${field}.startTime is set`);
  else if (isBefore(completionTime, startTime)) refuse(`must occur after ${field}.startTime`);
  else if (!isKept && !isPresent(completionTime, nowMs)) refuse('must be set to the present time');
}
