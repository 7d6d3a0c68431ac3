/** Options of signing certificates for others. */
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { durationOf } from '../base/options/option-values.ts';

const DURATION_MS_MAX = 100 * 365 * 86_400_000;

export const SIGNING_FLAGS = {
  'cluster-signing-cert-file': {
    value: 'FILE',
    preset: '',
    help: 'authority that signs approved requests (PEM); its own if none is given',
  },
  'cluster-signing-key-file': { value: 'FILE', preset: '', help: 'its private key (PEM)' },
  'cluster-signing-duration': {
    value: 'DURATION',
    preset: '8760h',
    help: 'for how long what it signs is valid at most',
  },
} as const satisfies Record<string, Flag>;

export interface SigningConfig {
  /** Files of the authority and its key; '' for the server's own. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly durationMs: number;
}

/** Throws ConfigError. */
export function signingConfig(values: FlagValues<typeof SIGNING_FLAGS>): SigningConfig {
  const certFile = values['cluster-signing-cert-file'];
  const keyFile = values['cluster-signing-key-file'];
  if ((certFile === '') !== (keyFile === '')) {
    throw new ConfigError(
      '--cluster-signing-cert-file and --cluster-signing-key-file need each other',
    );
  }
  const name = 'cluster-signing-duration';
  return { certFile, keyFile, durationMs: durationOf(name, values[name], DURATION_MS_MAX) };
}
