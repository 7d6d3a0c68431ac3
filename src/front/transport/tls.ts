import type { SecureVersion } from 'node:tls';

/** HTTPS as the options want it. */
export interface Tls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Certificates for some names; without names, for those in them. */
  readonly namedPairs: readonly {
    readonly certFile: string;
    readonly keyFile: string;
    readonly names: readonly string[];
  }[];
  readonly minVersion: SecureVersion;
  /** As OpenSSL calls them, without those of TLS 1.3; undefined for those of the library. */
  readonly cipherSuites: readonly string[] | undefined;
  /** Who signs the certificates of clients, and that of the front proxy; '' for nobody. */
  readonly clientAuthorityFile: string;
  readonly proxyAuthorityFile: string;
}
