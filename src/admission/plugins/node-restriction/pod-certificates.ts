/** An agent asks for certificates of pods that it has, with signers that their volumes name. */
import type { PodCertificateRequest } from '#messages/certificates.v1';
import type { Pod } from '#messages/core.v1';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { MIRROR_ANNOTATION } from '../../../resources/core/pods/pod-annotations.ts';
import { groupResourceText, serverFailure } from '../../../semantics/errors/status.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import type { NodeFacts, NodeFactType } from './node-facts.ts';

type Asked = NonNullable<PodCertificateRequest['spec']>;

/** Rejects with StatusError 403, and 500 for what may not be known yet. */
export async function checkPodCertificate(
  proposal: Proposal,
  node: string,
  facts: NodeFacts,
): Promise<void> {
  const { operation, subresource } = proposal;
  if (!facts.gates.has('PodCertificateRequest')) {
    throw refused(proposal, 'PodCertificateRequest feature gate is disabled');
  }
  if (operation !== 'CREATE') throw refused(proposal, `unexpected operation ${operation}`);
  if (subresource !== '') throw refused(proposal, `unexpected subresource ${subresource}`);
  const { spec: asked = {} } = proposal.object as PodCertificateRequest;
  await checkItself(proposal, node, asked, facts);
  const pod = await checkedPod(proposal, asked, facts);
  await checkAccount(proposal, asked, pod, facts);
  await checkSigner(proposal, asked, pod, facts);
}

async function checkItself(
  proposal: Proposal,
  node: string,
  { nodeName = '', nodeUID = '', podName = '' }: Asked,
  facts: NodeFacts,
): Promise<void> {
  if (nodeName !== node) {
    const what = `PodCertificateRequest.Spec.NodeName=${quoteText(nodeName)}`;
    throw refused(proposal, `${what}, which is not the requesting node ${quoteText(node)}`);
  }
  const stored = await found(facts, 'nodes', 'node', { namespace: '', name: nodeName });
  const uid = stored.metadata.uid ?? '';
  if (uid === nodeUID) return;
  const pod = quoteText(`${proposal.namespace}/${podName}`);
  throw serverFailure(
    `PodCertificateRequest for pod ${pod} names node UID ${quoteText(nodeUID)}, ` +
      `inconsistent with the running node (${quoteText(uid)})`,
  );
}

async function checkedPod(
  proposal: Proposal,
  { nodeName = '', podName = '', podUID = '', serviceAccountName = '' }: Asked,
  facts: NodeFacts,
): Promise<Pod> {
  const { namespace } = proposal;
  const pod = (await found(facts, 'pods', 'pod', { namespace, name: podName })) as Pod;
  const quoted = quoteText(`${namespace}/${podName}`);
  const { uid = '', annotations = {} } = pod.metadata;
  if (podUID !== uid) {
    throw serverFailure(
      `PodCertificateRequest for pod ${quoted} contains pod UID (${quoteText(podUID)}) ` +
        `which differs from running pod ${quoteText(uid)}`,
    );
  }
  if ((pod.spec?.nodeName ?? '') !== nodeName) {
    const where = `node ${quoteText(nodeName)} named in the PodCertificateRequest`;
    throw refused(proposal, `pod ${quoted} is not running on ${where}`);
  }
  if (annotations[MIRROR_ANNOTATION] !== undefined) {
    throw refused(proposal, `pod ${quoted} is a mirror pod`);
  }
  const { serviceAccountName: its = '' } = pod.spec ?? {};
  if (serviceAccountName === its) return pod;
  throw refused(
    proposal,
    `PodCertificateRequest for pod ${quoted} contains serviceAccountName ` +
      `(${quoteText(serviceAccountName)}) that differs from running pod (${quoteText(its)})`,
  );
}

async function checkAccount(
  { namespace }: Proposal,
  { podName = '', serviceAccountName: name = '', serviceAccountUID = '' }: Asked,
  _pod: Pod,
  facts: NodeFacts,
): Promise<void> {
  const account = await found(facts, 'serviceaccounts', 'service account', { namespace, name });
  const { uid = '' } = account.metadata;
  if (serviceAccountUID === uid) return;
  const pod = quoteText(`${namespace}/${podName}`);
  throw serverFailure(
    `PodCertificateRequest for pod ${pod} names service account UID ` +
      `${quoteText(serviceAccountUID)}, which differs from the running service account ` +
      `(${quoteText(uid)})`,
  );
}

/** A volume of the pod needs it, or somebody gave the agent the right to it. */
async function checkSigner(
  proposal: Proposal,
  { signerName = '', podName = '', serviceAccountName = '' }: Asked,
  { spec = {} }: Pod,
  { authorizer }: NodeFacts,
): Promise<void> {
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  const isMounted = sources.some((source) => {
    const { podCertificate } = source as { readonly podCertificate?: { signerName?: string } };
    return podCertificate !== undefined && (podCertificate.signerName ?? '') === signerName;
  });
  if (isMounted) return;
  const { user, namespace, group, version } = proposal;
  const { verdict, error } = await authorizer().authorize({
    user,
    verb: 'request-serviceaccounts-podcertificate-signer',
    isResource: true,
    namespace,
    group,
    version,
    // Roles could not name what has slashes.
    resource: signerName.replaceAll('/', ':'),
    subresource: '',
    name: serviceAccountName,
    path: '',
  });
  if (verdict === 'allow') return;
  const signer = `signer ${quoteText(signerName)}`;
  const quoted = quoteText(`${namespace}/${podName}`);
  throw refused(
    proposal,
    error === undefined
      ? `pod ${quoted} does not mount a podCertificate projected volume for ${signer}`
      : `error authorizing ${user.name} to request podcertificaterequests for ${signer}: ${error}`,
  );
}

/** Rejects where it is not there, or not known yet. */
async function found(
  { objects }: NodeFacts,
  type: NodeFactType,
  kind: string,
  of: { readonly namespace: string; readonly name: string },
): Promise<ApiObject> {
  const stored = await objects(type).get(of);
  if (stored !== undefined) return stored;
  const { namespace, name } = of;
  const shown = quoteText(namespace === '' ? name : `${namespace}/${name}`);
  const resource = groupResourceText({ group: '', resource: kind.replace(' ', '') });
  throw serverFailure(
    `while retrieving ${kind} ${shown} named in the PodCertificateRequest: ` +
      `${resource} ${quoteText(name)} not found`,
  );
}
