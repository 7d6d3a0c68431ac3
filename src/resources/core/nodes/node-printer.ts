/** How a node shows in a Table. */
import type { NodeAddress, NodeCondition } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { AGE, listText, NAME, NONE, UNKNOWN } from '../../printer-cells.ts';
import { definePrinter, text, wide } from '../../printer.ts';

/** The role follows this prefix in the name of a label; the older label has it as its value. */
const ROLE_LABEL_PREFIX = ownName('node-role.cluster.io/');
const ROLE_LABEL = ownName('cluster.io/role');

const ADDRESSES = 'status.addresses{type address}';

// prettier-ignore
export const NODE_PRINTER = definePrinter([
  NAME,
  text('Status', 'Whether the node is ready, and whether it takes new pods.',
    'status.conditions{type status} spec.unschedulable', statusText),
  text('Roles', 'The roles of the node.', 'metadata.labels', rolesText),
  AGE,
  text('Version', "The version of the node's agent.", 'status.nodeInfo.kubeletVersion'),
  wide('Internal-IP', 'The address of the node inside the cluster.',
    ADDRESSES, addressOf('InternalIP')),
  wide('External-IP', 'The address of the node from outside.', ADDRESSES, addressOf('ExternalIP')),
  wide('OS-Image', 'The operating system that the node says it runs.',
    'status.nodeInfo.osImage', orUnknown),
  wide('Kernel-Version', 'The kernel that the node says it runs.',
    'status.nodeInfo.kernelVersion status.nodeInfo.architecture', kernelText),
  wide('Container-Runtime', 'What runs the containers of the node.',
    'status.nodeInfo.containerRuntimeVersion', orUnknown),
]);

function statusText(conditions: readonly NodeCondition[] = [], off = false): string {
  const ready = conditions.findLast(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return off ? `${word},SchedulingDisabled` : word;
}

function rolesText(labels: Readonly<Record<string, string>> = {}): string {
  const roles = new Set<string>();
  for (const key in labels) {
    if (key.startsWith(ROLE_LABEL_PREFIX)) roles.add(key.slice(ROLE_LABEL_PREFIX.length));
    else if (key === ROLE_LABEL) roles.add(labels[key] ?? '');
  }
  roles.delete('');
  return listText([...roles].sort());
}

function addressOf(wanted: string) {
  return (addresses: readonly NodeAddress[] = []): string => {
    const found = addresses.find(({ type }) => type === wanted);
    return found === undefined ? NONE : (found.address ?? '');
  };
}

function kernelText(version?: string, architecture = ''): string {
  const isShown = architecture !== '' && ownRelease().has('architecturesOfNodes');
  return version && isShown ? `${version} (${architecture})` : orUnknown(version);
}

function orUnknown(told?: string): string {
  return told || UNKNOWN;
}
