/** Rules about the pods that an agent may write, and the pods for which it gets tokens. */
import type { TokenRequest } from '#messages/authentication.v1';
import type { Pod } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { MIRROR_ANNOTATION } from '../../../resources/core/pods/pod-annotations.ts';
import type { OwnerReference } from '../../../semantics/metadata/object-meta.ts';
import { notFound } from '../../../semantics/errors/status.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import type { NodeFacts } from './node-facts.ts';
import { referredIn } from './pod-references.ts';
import { checkAudience } from './token-audiences.ts';

const ITSELF = 'spec.nodeName set to itself';

export function checkPod(proposal: Proposal, node: string, facts: NodeFacts): void | Promise<void> {
  switch (proposal.subresource) {
    case '':
      return checkItself(proposal, node, facts);
    case 'status':
      return checkStatus(proposal, node);
    case 'eviction':
      return checkEviction(proposal, node, facts);
    default: {
      const what = `unexpected pod subresource ${quoteText(proposal.subresource)}`;
      throw refused(proposal, `${what}, only 'status' and 'eviction' are allowed`);
    }
  }
}

function checkItself(proposal: Proposal, node: string, facts: NodeFacts): void | Promise<void> {
  const quoted = quoteText(node);
  const { operation } = proposal;
  if (operation === 'CREATE') return checkMirror(proposal, node, facts);
  if (operation !== 'DELETE') {
    const what = `unexpected operation ${quoteText(operation)}`;
    throw refused(proposal, `${what}, node ${quoted} can only create and delete mirror pods`);
  }
  if (nodeNameOf(proposal.oldObject) === node) return undefined;
  throw refused(proposal, `node ${quoted} can only delete pods with ${ITSELF}`);
}

/** A mirror shows what an agent runs by itself, and gives it nothing else. */
async function checkMirror(proposal: Proposal, node: string, facts: NodeFacts): Promise<void> {
  const quoted = quoteText(node);
  const pod = proposal.object as Pod;
  if (pod.metadata.annotations?.[MIRROR_ANNOTATION] === undefined) {
    const what = `pod does not have ${quoteText(MIRROR_ANNOTATION)} annotation`;
    throw refused(proposal, `${what}, node ${quoted} can only create mirror pods`);
  }
  if (nodeNameOf(pod) !== node) {
    throw refused(proposal, `node ${quoted} can only create pods with ${ITSELF}`);
  }
  const owner = checkOwner(proposal, node);
  const stored = await facts.objects('nodes').get({ namespace: '', name: node });
  if (stored === undefined) throw notFound({ group: '', resource: 'node' }, node);
  const { uid = '' } = stored.metadata;
  if (owner.uid !== uid) {
    throw refused(proposal, `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
  }
  const referred = referredIn(pod);
  if (referred === undefined) return;
  throw refused(proposal, `node ${quoted} can not create pods that reference ${referred}`);
}

/** The one owner, which is the node; its uid may be wrong. */
function checkOwner(proposal: Proposal, node: string): OwnerReference {
  const quoted = quoteText(node);
  const [owner, ...more] = proposal.object?.metadata.ownerReferences ?? [];
  const only = `node ${quoted} can only create pods with`;
  if (more.length > 0) {
    throw refused(proposal, `${only} a single owner reference set to itself`);
  }
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    throw refused(proposal, `${only} an owner reference set to itself`);
  }
  if (owner.controller !== true) {
    throw refused(proposal, `${only} a controller owner reference set to itself`);
  }
  if (owner.blockOwnerDeletion === true) {
    const what = 'must not set blockOwnerDeletion on an owner reference';
    throw refused(proposal, `node ${quoted} ${what}`);
  }
  return owner;
}

function checkStatus(proposal: Proposal, node: string): void {
  const { operation, object, oldObject } = proposal;
  if (operation !== 'UPDATE') {
    throw refused(proposal, `unexpected operation ${quoteText(operation)}`);
  }
  const quoted = quoteText(node);
  if (nodeNameOf(oldObject) !== node) {
    throw refused(proposal, `node ${quoted} can only update pod status for pods with ${ITSELF}`);
  }
  if (!deepEqual(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {})) {
    throw refused(proposal, `node ${quoted} cannot update labels through pod status`);
  }
  const [status, stored] = [object, oldObject].map((pod) => (pod as Pod | undefined)?.status ?? {});
  for (const [member, what] of CLAIM_STATUSES) {
    if (deepEqual(memberOf(status, member), memberOf(stored, member))) continue;
    throw refused(proposal, `node ${quoted} cannot update ${what}`);
  }
}

/** Members that tell of claimed devices, which others decide, and how refusals call them. */
const CLAIM_STATUSES = [
  ['resourceClaimStatuses', 'resource claim statues'],
  ['extendedResourceClaimStatus', 'extended resource claim status'],
  ['nodeAllocatableResourceClaimStatuses', 'node allocatable resource claim statuses'],
] as const;

/** A list that is empty is none. */
function memberOf(status: object | undefined, member: string): unknown {
  const value = (status as Readonly<Record<string, unknown>>)[member];
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

async function checkEviction(proposal: Proposal, node: string, facts: NodeFacts): Promise<void> {
  const { operation, name } = proposal;
  if (operation !== 'CREATE') throw refused(proposal, `unexpected operation ${operation}`);
  const pod = await storedPod(proposal, name, facts);
  if (nodeNameOf(pod) === node) return;
  throw refused(proposal, `node ${node} can only evict pods with ${ITSELF}`);
}

/** An agent gets tokens for pods that it has, and that end with them. */
export async function checkToken(
  proposal: Proposal,
  node: string,
  facts: NodeFacts,
): Promise<void> {
  if (proposal.operation !== 'CREATE' || proposal.subresource !== 'token') return;
  const {
    apiVersion,
    kind,
    name = '',
    uid = '',
  } = (proposal.object as TokenRequest).spec?.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') {
    throw refused(proposal, 'node requested token not bound to a pod');
  }
  if (uid === '') {
    throw refused(proposal, 'node requested token with a pod binding without a uid');
  }
  const pod = await storedPod(proposal, name, facts);
  if (uid !== pod.metadata.uid) {
    const what = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    throw refused(proposal, `${what}. The object might have been deleted and then recreated`);
  }
  if (nodeNameOf(pod) !== node) {
    throw refused(proposal, 'node requested token bound to a pod scheduled on a different node');
  }
  if (facts.gates.has('ServiceAccountNodeAudienceRestriction')) {
    await checkAudience(proposal, pod, facts);
  }
}

async function storedPod(proposal: Proposal, name: string, facts: NodeFacts): Promise<ApiObject> {
  const pod = await facts.objects('pods').get({ namespace: proposal.namespace, name });
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, name);
  return pod;
}

function nodeNameOf(pod: ApiObject | undefined): string {
  return (pod as Pod | undefined)?.spec?.nodeName ?? '';
}
