/** Options of HTTPS. */
import { parseCipherSuites } from './cipher-suites.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { extraNamesOf, parsedOf } from './values.ts';

export const TLS_FLAGS = {
  'tls-cert-file': {
    value: 'FILE',
    preset: '',
    help: 'certificate for HTTPS (PEM); if none is given one is made, and an authority for it',
  },
  'tls-private-key-file': { value: 'FILE', preset: '', help: 'its private key (PEM)' },
  'tls-extra-san': {
    value: 'NAMES',
    preset: '',
    help: 'more names for the certificate that is made, such as a.example.org,192.0.2.1',
  },
  'tls-sni-cert-key': {
    value: 'CERT,KEY[:NAMES]',
    preset: '',
    help: 'certificate and key (PEM) for some names, or those in it; may come several times',
    isMany: true,
  },
  'tls-min-version': {
    value: 'VERSION',
    preset: 'VersionTLS12',
    help: 'oldest version of TLS: VersionTLS10 to VersionTLS13',
  },
  'tls-cipher-suites': {
    value: 'LIST',
    preset: '',
    help: 'cipher suites of TLS 1.2, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  },
  'client-ca-file': {
    value: 'FILE',
    preset: '',
    help: 'authorities (PEM) whose certificates clients may show: CN is the user, O the groups',
  },
} as const satisfies Record<string, Flag>;

/** Versions of TLS, as the runtime calls them. */
const VERSIONS = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
} as const;

/** A certificate and its key for some names. */
export interface NamedPair {
  readonly certFile: string;
  readonly keyFile: string;
  /** Empty for those of the certificate. */
  readonly names: readonly string[];
}

export interface TlsConfig {
  /** Files of the certificate for HTTPS and its key; '' for those that the server makes. */
  readonly certFile: string;
  readonly keyFile: string;
  /** More DNS names and addresses for the certificate that the server makes. */
  readonly extraNames: readonly string[];
  readonly namedPairs: readonly NamedPair[];
  readonly minVersion: (typeof VERSIONS)[keyof typeof VERSIONS];
  /** As OpenSSL calls them, without those of TLS 1.3; undefined for those of the library. */
  readonly cipherSuites: readonly string[] | undefined;
  /** '' for none. */
  readonly clientAuthorityFile: string;
}

/** Throws ConfigError. */
export function tlsConfig(values: FlagValues<typeof TLS_FLAGS>): TlsConfig {
  const certFile = values['tls-cert-file'];
  const keyFile = values['tls-private-key-file'];
  if ((certFile === '') !== (keyFile === '')) {
    throw new ConfigError('--tls-cert-file and --tls-private-key-file need each other');
  }
  const named = values['tls-sni-cert-key'];
  return {
    certFile,
    keyFile,
    extraNames: extraNamesOf(values['tls-extra-san']),
    namedPairs: named === '' ? [] : named.split('\n').map(namedPairOf),
    minVersion: minVersionOf(values['tls-min-version']),
    cipherSuites: parsedOf('tls-cipher-suites', values['tls-cipher-suites'], parseCipherSuites),
    clientAuthorityFile: values['client-ca-file'],
  };
}

function minVersionOf(value: string): TlsConfig['minVersion'] {
  if (Object.hasOwn(VERSIONS, value)) return VERSIONS[value as keyof typeof VERSIONS];
  const known = Object.keys(VERSIONS).join(', ');
  throw new ConfigError(`--tls-min-version is "${value}": give one of ${known}`);
}

function namedPairOf(value: string): NamedPair {
  const at = value.indexOf(':');
  const names = at === -1 ? undefined : splitTrimmed(value.slice(at + 1));
  const [certFile = '', keyFile = '', ...more] = splitTrimmed(
    at === -1 ? value : value.slice(0, at),
  );
  const isWhole = certFile !== '' && keyFile !== '' && more.length === 0;
  if (isWhole && names?.includes('') !== true) return { certFile, keyFile, names: names ?? [] };
  throw new ConfigError(
    `--tls-sni-cert-key is "${value}": give the files of a certificate and its key, ` +
      'and names if you like: a.crt,a.key:a.example.org,*.b.example.org',
  );
}

function splitTrimmed(list: string): readonly string[] {
  return list.split(',').map((part) => part.trim());
}
