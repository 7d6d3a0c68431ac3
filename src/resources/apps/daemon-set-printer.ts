/** How a daemon set shows in a Table. */
import type { DaemonSet } from '#messages/apps.v1';
import {
  AGE_COLUMN,
  ageOf,
  column,
  CONTAINER_COLUMNS,
  CONTAINER_MEMBERS,
  containerCells,
  labelsText,
  NAME_COLUMN,
  nameOf,
  SELECTOR_COLUMN,
  selectorText,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export const DAEMON_SET_PRINTER = definePrinter<DaemonSet>()({
  columns: [
    NAME_COLUMN,
    column('Desired', 'integer', 'How many nodes are to run the pod.'),
    column('Current', 'integer', 'How many of these nodes run the pod.'),
    column('Ready', 'integer', 'How many nodes run the pod and have it ready.'),
    column('Up-to-date', 'integer', 'How many nodes run the pod of the newest template.'),
    column('Available', 'integer', 'How many nodes have had the pod ready for long enough.'),
    column('Node Selector', 'string', 'The labels of the nodes that are to run the pod.'),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  members: {
    spec: {
      selector: true,
      template: { spec: { nodeSelector: true, containers: CONTAINER_MEMBERS } },
    },
    status: {
      desiredNumberScheduled: true,
      currentNumberScheduled: true,
      numberReady: true,
      updatedNumberScheduled: true,
      numberAvailable: true,
    },
  },
  cells(set) {
    const { spec = {}, status = {} } = set;
    const pod = spec.template?.spec;
    return [
      nameOf(set),
      status.desiredNumberScheduled ?? 0,
      status.currentNumberScheduled ?? 0,
      status.numberReady ?? 0,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelsText(pod?.nodeSelector),
      ageOf(set),
      ...containerCells(pod),
      selectorText(spec.selector),
    ];
  },
});
