/** How the health of a part of the control plane shows in a Table. */
import type { ComponentCondition } from '#messages/core.v1';
import { NAME } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';

type Conditions = readonly ComponentCondition[];

// prettier-ignore
export const COMPONENT_STATUS_PRINTER = definePrinter([
  NAME,
  text('Status', 'Whether the component is healthy.', 'conditions', statusText),
  text('Message', 'What the component says about its health.', 'conditions',
    (all: Conditions) => healthOf(all)?.message ?? ''),
  text('Error', 'What went wrong when the component was asked.', 'conditions',
    (all: Conditions) => healthOf(all)?.error ?? ''),
]);

function statusText(conditions: Conditions): string {
  const health = healthOf(conditions);
  if (health === undefined) return 'Unknown';
  return health.status === 'True' ? 'Healthy' : 'Unhealthy';
}

function healthOf(conditions: Conditions = []): ComponentCondition | undefined {
  return conditions.find(({ type }) => type === 'Healthy');
}
