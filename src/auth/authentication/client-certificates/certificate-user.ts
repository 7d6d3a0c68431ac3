/** Gives the user of a client certificate (../../README.md#client-certificates). */
import { serverNowMs } from '../../../base/time/server-clock.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { Authenticated, Credentials } from '../../authenticator.ts';
import { CERTIFICATE_EXPIRATIONS } from '../authentication-counters.ts';
import { ownRelease } from '../../../release/release.ts';
import { CREDENTIAL_ID } from '../credential-id.ts';
import { knownUser } from '../users.ts';

const TELLS_ID = ownRelease().has('credentialIdsTold');

/** The common name is the user, each organization a group; without a name it is nobody's. */
export function certificateUser({ certificate }: Credentials): Authenticated | undefined {
  if (certificate === undefined) return undefined;
  const { commonName, organizations, fingerprint, endMs, signedBy } = certificate;
  CERTIFICATE_EXPIRATIONS.observe((endMs - serverNowMs()) / 1_000);
  if (!signedBy.clients) {
    throw new AuthenticationError('the certificate is signed by an unknown authority');
  }
  if (commonName === '') return undefined;
  const user = { name: commonName, uid: '', groups: organizations };
  if (!TELLS_ID) return { user: knownUser(user) };
  const extra = { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] };
  return { user: knownUser({ ...user, extra }) };
}
