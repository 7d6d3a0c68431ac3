/** How a node shows in a Table. */
import type { Node } from '#messages/core.v1';
import { ownName } from '../../semantics/dialect/own-names.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  listText,
  NAME_COLUMN,
  nameOf,
  NONE,
  UNKNOWN,
  wideColumn,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

/** A node has the role that follows in the label's name; the older label has it as its value. */
const ROLE_LABEL_PREFIX = ownName('node-role.cluster.io/');
const ROLE_LABEL = ownName('cluster.io/role');

export const NODE_PRINTER = definePrinter<Node>()({
  columns: [
    NAME_COLUMN,
    column('Status', 'string', 'Whether the node is ready, and whether it takes new pods.'),
    column('Roles', 'string', 'The roles of the node.'),
    AGE_COLUMN,
    column('Version', 'string', "The version of the node's agent."),
    wideColumn('Internal-IP', 'string', 'The address of the node inside the cluster.'),
    wideColumn('External-IP', 'string', 'The address of the node from outside.'),
    wideColumn('OS-Image', 'string', 'The operating system that the node says it runs.'),
    wideColumn('Kernel-Version', 'string', 'The kernel that the node says it runs.'),
    wideColumn('Container-Runtime', 'string', 'What runs the containers of the node.'),
  ],
  members: {
    metadata: { labels: true },
    spec: { unschedulable: true },
    status: {
      conditions: { type: true, status: true },
      addresses: { type: true, address: true },
      nodeInfo: {
        kubeletVersion: true,
        osImage: true,
        kernelVersion: true,
        containerRuntimeVersion: true,
      },
    },
  },
  cells(node) {
    const { nodeInfo = {} } = node.status ?? {};
    return [
      nameOf(node),
      statusText(node),
      listText(rolesOf(node)),
      ageOf(node),
      nodeInfo.kubeletVersion ?? '',
      addressOf(node, 'InternalIP'),
      addressOf(node, 'ExternalIP'),
      nodeInfo.osImage || UNKNOWN,
      nodeInfo.kernelVersion || UNKNOWN,
      nodeInfo.containerRuntimeVersion || UNKNOWN,
    ];
  },
});

function statusText({ spec = {}, status = {} }: Node): string {
  const ready = status.conditions?.findLast(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable === true ? `${word},SchedulingDisabled` : word;
}

function rolesOf({ metadata: { labels = {} } }: Node): string[] {
  const roles = new Set<string>();
  for (const key in labels) {
    if (key.startsWith(ROLE_LABEL_PREFIX)) roles.add(key.slice(ROLE_LABEL_PREFIX.length));
    else if (key === ROLE_LABEL) roles.add(labels[key] ?? '');
  }
  roles.delete('');
  return [...roles].sort();
}

function addressOf({ status }: Node, type: string): string {
  const found = status?.addresses?.find((address) => address.type === type);
  return found === undefined ? NONE : (found.address ?? '');
}
