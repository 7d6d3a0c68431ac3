/** Columns of Tables of evictions and requests for them. */
import type { Condition } from '#messages/meta.v1';
import type {
  EvictionPodReference,
  Requester,
  ResponderStatus,
  TargetResponder,
} from '#messages/lifecycle.v1alpha1';
import { ageSince, expectedAt, type Age } from '../../semantics/age-text.ts';
import { NONE, UNKNOWN, UNSET } from '../printer-cells.ts';
import { text, wide } from '../printer.ts';

export const TARGET = text(
  'Target',
  'What is evicted.',
  'spec.target.pod.name',
  (name = UNSET) => name,
);

export const TARGET_TYPE = text(
  'Target Type',
  'The kind of what is evicted.',
  'spec.target.pod{name}',
  (pod?: EvictionPodReference) => (pod === undefined ? UNSET : 'Pod'),
);

export const STATE = text(
  'Status',
  'How far the eviction is.',
  'status.observedGeneration status.conditions{type status reason}',
  (observed: number | undefined, conditions: readonly Condition[] = []) => {
    for (const state of ['TargetEvicted', 'Failed']) {
      const condition = conditions.find(({ type }) => type === state);
      if (condition?.status === 'True') return `${state} (${condition.reason ?? ''})`;
    }
    return Number(observed ?? 0) > 0 ? 'Progressing' : 'Pending';
  },
);

export const REQUESTERS = text(
  'Requesters',
  'Who wants the eviction.',
  'status.requesters{name intent}',
  (requesters: readonly Requester[] = []) => {
    const wanting = requesters.filter(({ intent }) => intent !== 'Withdrawn');
    const names = wanting.map(({ name = '' }) => name).sort();
    const [first] = names;
    if (first === undefined) return requesters.length === 0 ? NONE : '<withdrawn>';
    return names.length === 1 ? first : `${first} + ${names.length - 1} more...`;
  },
);

const ENDED: ReadonlySet<string> = new Set(['Canceled', 'Completed', 'Interrupted']);

/** The one that is active, or the last one that was. */
function shownResponder(responders: readonly TargetResponder[]): TargetResponder | undefined {
  return (
    responders.findLast(({ state }) => state === 'Active') ??
    responders.findLast(({ state = '' }) => ENDED.has(state))
  );
}

type Told = [responder: TargetResponder, status: ResponderStatus];

/** A column about what that one tells of itself. */
function told(
  column: typeof text,
  name: string,
  description: string,
  members: string,
  make: (...told: Told) => Age | string,
  zero = UNSET,
): ReturnType<typeof text> {
  return column(
    name,
    description,
    `status.targetResponders{name state} status.responders{name ${members}}`,
    (responders: readonly TargetResponder[] = [], statuses: readonly ResponderStatus[] = []) => {
      const shown = shownResponder(responders);
      const status = statuses.find((one) => one.name === shown?.name);
      return shown === undefined || status === undefined ? zero : make(shown, status);
    },
  );
}

export const RESPONDER = {
  active: text(
    'Active Responder',
    'Who carries it out, and how many did or do.',
    'status.targetResponders{name state}',
    (responders: readonly TargetResponder[] = []) => {
      const begun = responders.filter(({ state = '' }) => state === 'Active' || ENDED.has(state));
      const name = shownResponder(responders)?.name ?? UNSET;
      return `${name} (${begun.length}/${responders.length})`;
    },
  ),
  state: told(
    text,
    'Responder Status',
    'What that one does.',
    'startTime completionTime',
    ({ state = '' }, { startTime, completionTime }) => {
      if (state === 'Active' && startTime !== undefined) {
        return ageSince(startTime, 'Started (', ' ago)');
      }
      return state === 'Completed' && completionTime !== undefined
        ? ageSince(completionTime, `${state} (`, ' ago)')
        : state;
    },
  ),
  expected: told(
    text,
    'Responder Expected Finish',
    'When it expects to be done.',
    'startTime expectedCompletionTime',
    ({ state = '' }, { startTime, expectedCompletionTime }) => {
      if (ENDED.has(state)) return '-';
      const isTold = startTime !== undefined && expectedCompletionTime !== undefined;
      return isTold ? expectedAt(expectedCompletionTime) : UNKNOWN;
    },
    UNKNOWN,
  ),
  heartbeat: told(
    wide,
    'Responder Heartbeat',
    'When it last told that it is at work.',
    'heartbeatTime',
    (_, { heartbeatTime }) =>
      heartbeatTime === undefined ? UNSET : ageSince(heartbeatTime, '', ' ago'),
  ),
  message: told(
    wide,
    'Responder Status Message',
    'What it tells people.',
    'message',
    (_, { message = '' }) => (message.trim() === '' ? UNSET : message.trim()),
  ),
};
