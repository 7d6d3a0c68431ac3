/** How a daemon set shows in a Table. */
import { AGE, containers, labelsText, NAME, selector } from '../printer-cells.ts';
import { definePrinter, integer, text } from '../printer.ts';

// prettier-ignore
export const DAEMON_SET_PRINTER = definePrinter([
  NAME,
  integer('Desired', 'How many nodes are to run the pod.', 'status.desiredNumberScheduled'),
  integer('Current', 'How many of these nodes run the pod.', 'status.currentNumberScheduled'),
  integer('Ready', 'How many nodes run the pod and have it ready.', 'status.numberReady'),
  integer('Up-to-date', 'How many nodes run the pod of the newest template.',
    'status.updatedNumberScheduled'),
  integer('Available', 'How many nodes have had the pod ready for long enough.',
    'status.numberAvailable'),
  text('Node Selector', 'The labels of the nodes that are to run the pod.',
    'spec.template.spec.nodeSelector', labelsText),
  AGE,
  ...containers('spec.template.spec.containers'),
  selector('spec.selector'),
]);
