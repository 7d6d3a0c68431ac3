/** Gives the user of a client certificate (../../README.md#client-certificates). */
import { AuthenticationError } from '../../authenticator.ts';
import type { Authenticated, Credentials } from '../../authenticator.ts';
import { CERTIFICATE_EXPIRATIONS } from '../authentication-counters.ts';
import { knownUser } from '../users.ts';

/** The common name is the user, each organization a group; without a name it is nobody's. */
export function certificateUser({ certificate }: Credentials): Authenticated | undefined {
  if (certificate === undefined) return undefined;
  const { commonName, organizations, endMs, signedBy } = certificate;
  CERTIFICATE_EXPIRATIONS.observe((endMs - Date.now()) / 1_000);
  if (!signedBy.clients) {
    throw new AuthenticationError('the certificate is signed by an unknown authority');
  }
  if (commonName === '') return undefined;
  return { user: knownUser({ name: commonName, uid: '', groups: organizations }) };
}
