/**
 * Approves what nodes ask for who may have it without a person's look
 * (src/controllers/README.md#certificates).
 */
import type { SigningRequest } from '../../auth/signing-request.ts';
import type { Authorizer } from '../../auth/authorizer.ts';
import { NODE_CLIENT_SIGNER } from '../../resources/certificates/signer-names.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { Ports } from '../run-controller.ts';
import { TryLater } from '../work-queue.ts';
import { handleOpenRequests, type ParsedRequest } from './open-requests.ts';
import { SIGNER_RULES } from './signers.ts';

/** A right to create requests that are approved unseen. */
interface Right {
  readonly subresource: 'selfnodeclient' | 'nodeclient';
  /** The message of the approval. */
  readonly message: string;
}

const SELF: Right = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const ANY: Right = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

export interface ApprovingOptions {
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly logError: (text: string) => void;
}

/** Resolves when it was told to stop. */
export async function approveNodes(
  ports: Ports,
  { authorizer, logError }: ApprovingOptions,
): Promise<void> {
  await handleOpenRequests(ports, {
    isOpen: ({ spec, status }) =>
      spec?.signerName === NODE_CLIENT_SIGNER &&
      !status?.conditions?.some(({ type }) => type === 'Approved' || type === 'Denied'),
    handle: async (request, asked, client) => {
      const rights = sufficientRights(request, asked);
      if (rights.length === 0) return;
      const right = await firstHeld(authorizer, request, rights);
      if (right === undefined) throw new TryLater('the right to it may be given later');
      const { message } = right;
      const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
      const { metadata, status = {} } = request;
      const conditions = [...(status.conditions ?? []), approved];
      const changed = { ...request, status: { ...status, conditions } };
      await client.update({ namespace: '', name: metadata.name ?? '' }, changed, 'approval');
    },
    logError,
  });
}

/** Rights of which each is enough for a request to be approved; none where a person is to look. */
export function sufficientRights(
  { spec = {} }: ParsedRequest,
  asked: SigningRequest,
): readonly Right[] {
  const { username = '', usages = [] } = spec;
  if (SIGNER_RULES.get(NODE_CLIENT_SIGNER)?.(asked, usages) !== '') return [];
  return username === asked.commonName ? [SELF, ANY] : [ANY];
}

async function firstHeld(
  authorizer: ApprovingOptions['authorizer'],
  { spec = {} }: ParsedRequest,
  rights: readonly Right[],
): Promise<Right | undefined> {
  const { username = '', uid = '', groups = [], extra = {} } = spec;
  for (const right of rights) {
    const { verdict } = await authorizer.authorize({
      user: { name: username, uid, groups, extra },
      verb: 'create',
      isResource: true,
      namespace: '',
      group: ownGroup('certificates.cluster.io'),
      version: '',
      resource: 'certificatesigningrequests',
      subresource: right.subresource,
      name: '',
      path: '',
    });
    if (verdict === 'allow') return right;
  }
  return undefined;
}
