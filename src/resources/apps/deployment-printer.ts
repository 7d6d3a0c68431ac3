/** How a deployment shows in a Table. */
import type { Deployment } from '#messages/apps.v1';
import type { LabelSelector } from '#messages/meta.v1';
import { formatLabelSelector } from '../../semantics/label-selector.ts';
import { toLabelSelector } from '../../semantics/object-label-selector.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  CONTAINER_COLUMNS,
  CONTAINER_MEMBERS,
  containerCells,
  NAME_COLUMN,
  nameOf,
  SELECTOR_COLUMN,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export const DEPLOYMENT_PRINTER = definePrinter<Deployment>()({
  columns: [
    NAME_COLUMN,
    column('Ready', 'string', 'How many of its pods are ready, of how many.'),
    column('Up-to-date', 'string', 'How many of its pods are of the newest template.'),
    column('Available', 'string', 'How many of its pods have been ready for long enough.'),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  members: {
    spec: {
      replicas: true,
      selector: true,
      template: { spec: { containers: CONTAINER_MEMBERS } },
    },
    status: { readyReplicas: true, updatedReplicas: true, availableReplicas: true },
  },
  cells(deployment) {
    const { spec = {}, status = {} } = deployment;
    return [
      nameOf(deployment),
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      ageOf(deployment),
      ...containerCells(spec.template?.spec),
      plainSelectorText(spec.selector),
    ];
  },
});

/** Deployments have words of their own for a selector of nothing, of all, and an invalid one. */
function plainSelectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '';
  const parsed = toLabelSelector(selector);
  return parsed === undefined ? '<invalid>' : formatLabelSelector(parsed);
}
