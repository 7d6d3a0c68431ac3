/** Options about other servers that answer for a part of the API. */
import type { AggregationSettings } from '../aggregation/settings.ts';
import type { AuthenticationConfig } from '../auth/authentication/authenticators.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { switchOf } from '../base/options/option-values.ts';
import type { TlsConfig } from './tls.ts';

const CERTIFICATE = 'proxy-client-cert-file';
const KEY = 'proxy-client-key-file';
const ROUTING = 'enable-aggregator-routing';
const REDIRECTS = 'aggregator-reject-forwarding-redirect';

export const AGGREGATION_FLAGS = {
  [CERTIFICATE]: {
    value: 'FILE',
    preset: '',
    help: 'shown to aggregated API servers (PEM); one of its own authority if none is given',
  },
  [KEY]: { value: 'FILE', preset: '', help: 'its private key (PEM)' },
  [ROUTING]: {
    value: 'BOOL',
    preset: 'true',
    help: 'reach aggregated API servers at endpoints, not at the addresses of their services',
    isSwitch: true,
  },
  [REDIRECTS]: {
    value: 'BOOL',
    preset: 'true',
    help: 'answer 502 in the place of a redirect of an aggregated API server',
    isSwitch: true,
  },
} as const satisfies Record<string, Flag>;

/** The settings of other options that count here. */
interface Others {
  readonly dataDir: string;
  readonly tls: Pick<TlsConfig, 'certFile'>;
  readonly authentication: Pick<AuthenticationConfig, 'frontProxy'>;
  /** 0 where nothing is served by HTTPS. */
  readonly securePort: number;
}

/** Throws ConfigError. */
export function aggregationSettings(
  values: FlagValues<typeof AGGREGATION_FLAGS>,
  { dataDir, tls, authentication, securePort }: Others,
): AggregationSettings {
  const { [CERTIFICATE]: certFile, [KEY]: keyFile } = values;
  if ((certFile === '') !== (keyFile === '')) {
    throw new ConfigError(`--${CERTIFICATE} and --${KEY} need each other`);
  }
  // As `publishedAuthentication` tells others whom to trust.
  const isOwnTrusted =
    securePort !== 0 && tls.certFile === '' && authentication.frontProxy.authorityFile === '';
  return {
    routing: switchOf(ROUTING, values[ROUTING]) ? 'endpoints' : 'serviceAddress',
    certificate: { certFile, keyFile, dataDir, isOwnTrusted },
    rejectsRedirects: switchOf(REDIRECTS, values[REDIRECTS]),
  };
}
