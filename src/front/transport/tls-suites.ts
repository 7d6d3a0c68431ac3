/** Cipher suites of TLS 1.2, for both TLS that serve HTTPS. */
import type { Tls } from './tls.ts';

/** No client has a key for it: a list may have nothing else that a library knows. */
const NO_SUITE = 'ECDHE-PSK-AES128-CBC-SHA';

/** As OpenSSL calls them; undefined for those of the library. */
export function suitesOf({ minVersion, cipherSuites }: Tls): readonly string[] | undefined {
  // The HTTP library has no option for versions: without a suite none but the newest is served.
  if (minVersion === 'TLSv1.3') return [NO_SUITE];
  return cipherSuites && [...cipherSuites, NO_SUITE];
}
