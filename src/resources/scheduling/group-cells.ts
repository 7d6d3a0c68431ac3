/** Columns of Tables of groups of pods. */
import type { Condition } from '#messages/meta.v1';
import { NONE } from '../printer-cells.ts';
import { text } from '../printer.ts';

/** `count` is the member of a gang. */
export function policyCell(count: string): ReturnType<typeof text> {
  return text(
    'Policy',
    'How its members are scheduled.',
    `spec.schedulingPolicy.gang{${count}}`,
    (gang?: object) => (gang === undefined ? 'Basic' : 'Gang'),
  );
}

/** `path` is that of the name of the workload. */
export function workloadCell(path: string): ReturnType<typeof text> {
  return text('Workload', 'The Workload that it was made after.', path, (name = NONE) => name);
}

/** `scheduled` is the condition that tells that it is. */
export function stateCell(scheduled: string): ReturnType<typeof text> {
  return text(
    'Status',
    'Whether it is scheduled, or why it is about to end.',
    'status.conditions{type status reason}',
    (conditions: readonly Condition[] = []) => {
      const last = (name: string): Condition | undefined =>
        conditions.findLast(({ type }) => type === name);
      const disrupted = last('DisruptionTarget');
      if (disrupted !== undefined) return disrupted.reason ?? '';
      const condition = last(scheduled);
      if (condition === undefined) return 'Pending';
      return condition.status === 'True' ? 'Scheduled' : 'Unschedulable';
    },
  );
}
