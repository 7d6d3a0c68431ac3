/** How a deployment shows in a Table. */
import type { LabelSelector } from '#messages/meta.v1';
import { formatLabelSelector } from '../../semantics/selectors/label-selector.ts';
import { toLabelSelector } from '../../semantics/selectors/object-label-selector.ts';
import { AGE, containers, count, NAME, readyText, selector } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

// prettier-ignore
export const DEPLOYMENT_PRINTER = definePrinter([
  NAME,
  text('Ready', 'How many of its pods are ready, of how many.',
    'status.readyReplicas spec.replicas', readyText),
  text('Up-to-date', 'How many of its pods are of the newest template.', 'status.updatedReplicas',
    count),
  text('Available', 'How many of its pods have been ready for long enough.',
    'status.availableReplicas', count),
  AGE,
  ...containers('spec.template.spec.containers'),
  selector('spec.selector', plainSelectorText),
]);

/** Deployments show an empty, an absent and an invalid selector with words of their own. */
function plainSelectorText(wanted: LabelSelector | undefined): string {
  if (wanted === undefined) return '';
  const parsed = toLabelSelector(wanted);
  return parsed === undefined ? '<invalid>' : formatLabelSelector(parsed);
}
