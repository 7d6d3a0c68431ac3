/** An agent asks for certificates of its own node alone. */
import type { CertificateSigningRequest } from '#messages/certificates.v1';
import { readSigningRequest } from '../../../auth/signing-request.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  NODE_CLIENT_SIGNER,
  NODE_SERVING_SIGNER,
} from '../../../resources/certificates/signer-names.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import type { NodeFacts } from './node-facts.ts';

const NODE_SIGNERS: readonly string[] = [NODE_SERVING_SIGNER, NODE_CLIENT_SIGNER];

/** Rejects with StatusError 403. */
export function checkRequest(
  proposal: Proposal,
  node: string,
  { gates }: NodeFacts,
): void | Promise<void> {
  const isLooked =
    ownRelease().has('nodesByThemselves') &&
    !gates.has('AllowInsecureKubeletCertificateSigningRequests');
  if (!isLooked || proposal.operation !== 'CREATE' || proposal.subresource !== '') return;
  const { signerName = '', request = '' } =
    (proposal.object as CertificateSigningRequest).spec ?? {};
  if (NODE_SIGNERS.includes(signerName)) return checkName(proposal, node, request);
}

async function checkName(proposal: Proposal, node: string, request: string): Promise<void> {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const commonName = await readSigningRequest(pem).then(
    (asked) => asked.commonName,
    (error: unknown) => {
      throw refused(proposal, `unable to parse csr: ${(error as Error).message}`);
    },
  );
  const own = `system:node:${node}`;
  if (commonName !== own) throw refused(proposal, `can only create a node CSR with CN=${own}`);
}
