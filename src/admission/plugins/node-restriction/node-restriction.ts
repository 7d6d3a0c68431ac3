/**
 * NodeRestriction: an agent writes its own node, lease, storage drivers and mirror pods, and the
 * status of the pods and claims that it has. Who is no agent is not looked at.
 */
import type { Node } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { nodeOf } from '../../../auth/node/node-user.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { ownRelease } from '../../../release/release.ts';
import { ownGroup, ownNamespace } from '../../../semantics/dialect/own-names.ts';
import { groupResourceText } from '../../../semantics/errors/status.ts';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { checkClaim } from './claim-status.ts';
import { checkRequest } from './signing-requests.ts';
import { forbiddenChanges } from './node-labels.ts';
import type { NodeFacts } from './node-facts.ts';
import { checkPod, checkToken } from './node-pods.ts';
import { checkPodCertificate } from './pod-certificates.ts';

const LEASE_NAMESPACE = ownNamespace('cluster-node-lease');

type Rule = (proposal: Proposal, node: string, facts: NodeFacts) => void | Promise<void>;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['pods', checkPod],
  ['nodes', checkNode],
  ['persistentvolumeclaims', checkClaim],
  ['serviceaccounts', checkToken],
  [typeName('coordination.cluster.io', 'leases'), checkLease],
  [typeName('storage.cluster.io', 'csinodes'), checkDrivers],
  [typeName('certificates.cluster.io', 'certificatesigningrequests'), checkRequest],
  ...(ownRelease().has('nodeSlices')
    ? ([[typeName('resource.cluster.io', 'resourceslices'), checkSlice]] as const)
    : []),
  ...(ownRelease().has('nodeCertificateRequests')
    ? ([
        [typeName('certificates.cluster.io', 'podcertificaterequests'), checkPodCertificate],
      ] as const)
    : []),
]);

export class NodeRestriction implements AdmissionPlugin {
  readonly #facts: NodeFacts;

  constructor(facts: NodeFacts) {
    this.#facts = facts;
  }

  /** Throws or rejects with StatusError 403, or 404 for a node or pod that is not there. */
  admit(proposal: Proposal): void | Promise<void> {
    const { user } = proposal;
    const node = nodeOf(user);
    if (node === undefined) return undefined;
    if (node === '') {
      throw refused(proposal, `could not determine node from user ${quoteText(user.name)}`);
    }
    const rule = RULES.get(groupResourceText(proposal.groupResource));
    return rule?.(proposal, node, this.#facts);
  }
}

function typeName(group: string, resource: string): string {
  return groupResourceText({ group: ownGroup(group), resource });
}

function checkNode(proposal: Proposal, node: string): void {
  const quoted = quoteText(node);
  if (proposal.name !== node) {
    const other = quoteText(proposal.name);
    throw refused(proposal, `node ${quoted} is not allowed to modify node ${other}`);
  }
  const object = proposal.object as Node | undefined;
  const stored = proposal.oldObject as Node | undefined;
  if (object === undefined) return;
  if (stored === undefined) checkNewNode(proposal, quoted, object);
  else checkChangedNode(proposal, quoted, object, stored);
}

function checkNewNode(proposal: Proposal, quoted: string, { metadata, spec }: Node): void {
  if (spec?.configSource !== undefined) {
    const why = `node ${quoted} is not allowed to create pods with a non-nil configSource`;
    throw refused(proposal, why);
  }
  const labels = forbiddenChanges(metadata.labels);
  if (labels.length === 0) return;
  const why = `node ${quoted} is not allowed to set the following labels: ${labels.join(', ')}`;
  throw refused(proposal, why);
}

function checkChangedNode(
  proposal: Proposal,
  quoted: string,
  { metadata, spec = {} }: Node,
  { metadata: storedMetadata, spec: stored = {} }: Node,
): void {
  const { configSource, taints } = spec;
  // An old agent may drop it with its status.
  if (configSource !== undefined && !deepEqual(configSource, stored.configSource)) {
    const what = 'is not allowed to update configSource to a new non-nil configSource';
    throw refused(proposal, `node ${quoted} ${what}`);
  }
  if (!deepEqual(taints, stored.taints)) {
    throw refused(proposal, `node ${quoted} is not allowed to modify taints`);
  }
  if (
    ownRelease().has('nodesByThemselves') &&
    !deepEqual(metadata.ownerReferences ?? [], storedMetadata.ownerReferences ?? [])
  ) {
    throw refused(proposal, `node ${quoted} is not allowed to modify ownerReferences`);
  }
  const labels = forbiddenChanges(metadata.labels, storedMetadata.labels);
  if (labels.length === 0) return;
  throw refused(proposal, `is not allowed to modify labels: ${labels.join(', ')}`);
}

function checkLease(proposal: Proposal, node: string): void {
  if (proposal.namespace !== LEASE_NAMESPACE) {
    const where = quoteText(LEASE_NAMESPACE);
    throw refused(proposal, `can only access leases in the ${where} system namespace`);
  }
  if (proposal.name === node) return;
  const why = 'can only access node lease with the same name as the requesting node';
  throw refused(proposal, why);
}

const HEALTH = 'CSIVolumeHealth';
const TELLS_HEALTH = ownRelease().has('csiNodeStatus');

function checkDrivers(proposal: Proposal, node: string, { gates }: NodeFacts): void {
  const { name, subresource, operation, object, oldObject } = proposal;
  if (name !== node) {
    throw refused(proposal, 'can only access CSINode with the same name as the requesting node');
  }
  if (!TELLS_HEALTH || subresource !== 'status') return;
  if (!gates.has(HEALTH)) throw refused(proposal, `${HEALTH} feature gate is disabled`);
  if (operation !== 'UPDATE') {
    throw refused(proposal, `unexpected operation ${quoteText(operation)}`);
  }
  if (deepEqual(specOf(object), specOf(oldObject))) return;
  const what = 'is not allowed to modify CSINode spec via status';
  throw refused(proposal, `node ${quoteText(node)} ${what}`);
}

function specOf(object: object | undefined): Readonly<Record<string, unknown>> {
  return (object as { readonly spec?: Record<string, unknown> } | undefined)?.spec ?? {};
}

const DELETES_SLICES = ownRelease().has('nodesDeleteTheirSlices');

/** Authorization does not see a slice that is made, nor each of many that are deleted. */
function checkSlice(proposal: Proposal, node: string): void {
  const { operation, object, oldObject } = proposal;
  const own = 'ResourceSlice with the same NodeName as the requesting node';
  if (operation === 'CREATE' && sliceNode(object) !== node) {
    throw refused(proposal, `can only create ${own}`);
  }
  if (operation === 'DELETE' && DELETES_SLICES && sliceNode(oldObject) !== node) {
    throw refused(proposal, `can only delete ${own}`);
  }
}

function sliceNode(slice: object | undefined): unknown {
  return specOf(slice)['nodeName'] ?? (slice as { readonly nodeName?: string }).nodeName;
}
