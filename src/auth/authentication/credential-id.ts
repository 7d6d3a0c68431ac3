/** By what the credentials that a request showed can be told from others. */
import { ownName } from '../../semantics/dialect/own-names.ts';

/** Where a user has the id: `JTI=…` of a token, `X509SHA256=…` of a certificate. */
export const CREDENTIAL_ID = ownName('authentication.cluster.io/credential-id');

/** That of a token, by the id (`jti`) that it has. */
export function tokenCredentialId(id: string): string {
  return `JTI=${id}`;
}
