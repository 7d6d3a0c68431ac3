/** The signers whose certificates this server signs, and what each of them requires. */
import type { SigningRequest } from '../../auth/signing-request.ts';
import { PRIVILEGED_GROUP } from '../../auth/fixed-authorizers.ts';
import { NODE_USER_PREFIX, NODES_GROUP } from '../../auth/node/node-user.ts';
import { FRONT_PROXY } from '../../auth/published-authentication.ts';
import {
  CLIENT_SIGNER,
  NODE_CLIENT_SIGNER,
  NODE_SERVING_SIGNER,
} from '../../resources/certificates/signer-names.ts';

/** Checks a request for these usages: the error in the reference's words, '' if there is none. */
type SignerRule = (asked: SigningRequest, usages: readonly string[]) => string;

/** By the names of the signers. */
export const SIGNER_RULES: ReadonlyMap<string, SignerRule> = new Map([
  [CLIENT_SIGNER, clientProblem],
  [NODE_CLIENT_SIGNER, nodeClientProblem],
  [NODE_SERVING_SIGNER, nodeServingProblem],
]);

/** Who may approve requests is not to become more than that by one. */
function clientProblem(
  { commonName, organizations }: SigningRequest,
  usages: readonly string[],
): string {
  if (organizations.includes(PRIVILEGED_GROUP)) {
    return `use of ${CLIENT_SIGNER} signer with ${PRIVILEGED_GROUP} group is not allowed`;
  }
  if (commonName === FRONT_PROXY) {
    return `use of ${CLIENT_SIGNER} signer with the name ${FRONT_PROXY} is not allowed`;
  }
  const allowed = ['digital signature', 'key encipherment', 'client auth'];
  const other = usages.find((usage) => !allowed.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  if (usages.includes('client auth')) return '';
  return 'missing required usage for client certificate: client auth';
}

function nodeClientProblem(asked: SigningRequest, usages: readonly string[]): string {
  const { dnsNames, emailAddresses, ipAddresses, uris } = asked;
  return (
    organizationProblem(asked) ||
    (dnsNames.length > 0 && 'DNS subjectAltNames are not allowed') ||
    (emailAddresses.length > 0 && 'Email subjectAltNames are not allowed') ||
    (ipAddresses.length > 0 && 'IP subjectAltNames are not allowed') ||
    (uris.length > 0 && 'URI subjectAltNames are not allowed') ||
    nodeNameProblem(asked) ||
    usagesProblem(usages, ['client auth', 'digital signature', 'key encipherment'])
  );
}

function nodeServingProblem(asked: SigningRequest, usages: readonly string[]): string {
  const { dnsNames, emailAddresses, ipAddresses, uris } = asked;
  const hasNames = dnsNames.length > 0 || ipAddresses.length > 0;
  return (
    organizationProblem(asked) ||
    (!hasNames && 'DNS or IP subjectAltName is required') ||
    (emailAddresses.length > 0 && 'Email subjectAltNames are not allowed') ||
    (uris.length > 0 && 'URI subjectAltNames are not allowed') ||
    usagesProblem(usages, ['digital signature', 'key encipherment', 'server auth']) ||
    nodeNameProblem(asked)
  );
}

function organizationProblem({ organizations }: SigningRequest): string {
  const isNodes = organizations.length === 1 && organizations[0] === NODES_GROUP;
  return isNodes ? '' : `subject organization is not ${NODES_GROUP}`;
}

function nodeNameProblem({ commonName }: SigningRequest): string {
  if (commonName.startsWith(NODE_USER_PREFIX)) return '';
  return `subject common name does not begin with ${NODE_USER_PREFIX}`;
}

/** `required` is sorted. */
function usagesProblem(usages: readonly string[], required: readonly string[]): string {
  const isSame = [...new Set(usages)].sort().join() === required.join();
  return isSame ? '' : `usages did not match [${required.join(' ')}]`;
}
