/**
 * Certificates of clients (../../README.md#client-certificates). Their option is one of HTTPS,
 * because the listener asks for them.
 */
import { authenticator } from '../authenticator-entry.ts';

export const clientCertificates = authenticator({
  flags: {},
  read: () => undefined,
  load: (_, { trustsClientCertificates }) => trustsClientCertificates || undefined,
  make: async () => {
    const { certificateUser } = await import('./certificate-user.ts');
    return { ofRequest: certificateUser };
  },
});
