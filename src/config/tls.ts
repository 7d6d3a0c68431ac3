/** Options of HTTPS. */
import { ConfigError } from './config-error.ts';
import type { Flag, FlagValues } from './flag.ts';
import { extraNamesOf } from './values.ts';

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
} as const satisfies Record<string, Flag>;

export interface TlsConfig {
  /** Of the certificate for HTTPS and its key; '' for those that the server makes. */
  readonly certFile: string;
  readonly keyFile: string;
  /** More DNS names and addresses for the certificate that the server makes. */
  readonly extraNames: readonly string[];
}

/** Throws ConfigError. */
export function tlsConfig(values: FlagValues<typeof TLS_FLAGS>): TlsConfig {
  const certFile = values['tls-cert-file'];
  const keyFile = values['tls-private-key-file'];
  if ((certFile === '') !== (keyFile === '')) {
    throw new ConfigError('--tls-cert-file and --tls-private-key-file need each other');
  }
  return { certFile, keyFile, extraNames: extraNamesOf(values['tls-extra-san']) };
}
