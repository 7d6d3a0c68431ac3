/** How the health of a part of the control plane shows in a Table. */
import type { ApiObject } from '../kind.ts';
import { column, NAME_COLUMN, nameOf } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export interface ComponentStatus extends ApiObject {
  conditions?: { type?: string; status?: string; message?: string; error?: string }[];
}

export const COMPONENT_STATUS_PRINTER = definePrinter<ComponentStatus>()({
  columns: [
    NAME_COLUMN,
    column('Status', 'string', 'Whether the component is healthy.'),
    column('Message', 'string', 'What the component says about its health.'),
    column('Error', 'string', 'What went wrong when the component was asked.'),
  ],
  members: { conditions: true },
  cells(component) {
    const health = component.conditions?.find(({ type }) => type === 'Healthy');
    const word = health?.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [
      nameOf(component),
      health === undefined ? 'Unknown' : word,
      health?.message ?? '',
      health?.error ?? '',
    ];
  },
});
