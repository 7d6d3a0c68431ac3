/** Options about who is known. */
import type { OidcSettings } from '../auth/authentication/oidc-tokens.ts';
import { TOKEN_ALGORITHMS } from '../auth/authentication/json-web-token.ts';
import type { AuthorizationMode } from '../auth/authorization-config.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { durationOf, httpsOf, linesOf, listOf, switchOf } from '../base/options/option-values.ts';

export const AUTHENTICATION_FLAGS = {
  'token-auth-file': {
    value: 'FILE',
    preset: '',
    help: 'more bearer tokens: lines of token,user,uid[,"group1,group2"]',
  },
  'anonymous-auth': {
    value: 'BOOL',
    preset: 'true',
    isSwitch: true,
    help: 'requests without credentials are of system:anonymous; never with AlwaysAllow',
  },
  'enable-bootstrap-token-auth': {
    value: 'BOOL',
    preset: 'false',
    isSwitch: true,
    help: 'nodes may join with the tokens in Secrets of the system namespace',
  },
  'api-audiences': {
    value: 'LIST',
    preset: '',
    isMany: true,
    help: 'what tokens for this API are for; the issuers of its tokens if none',
  },
  'service-account-key-file': {
    value: 'FILE',
    preset: '',
    isMany: true,
    help: 'more keys (PEM) whose tokens of service accounts count',
  },
  'service-account-signing-key-file': {
    value: 'FILE',
    preset: '',
    help: 'private key (PEM) of those tokens; if none is given one is made',
  },
  'service-account-issuer': {
    value: 'ISSUER',
    preset: '',
    isMany: true,
    help: 'whose tokens of service accounts count; the first issues them',
  },
  'service-account-jwks-uri': {
    value: 'URL',
    preset: '',
    help: 'where others find the keys of those tokens, if not here',
  },
  'service-account-max-token-expiration': {
    value: 'DURATION',
    preset: '0s',
    help: 'how long such a token may count; 0s for no bound',
  },
  'service-account-lookup': {
    value: 'BOOL',
    preset: 'true',
    isSwitch: true,
    help: 'legacy tokens count only while they stand in their Secrets',
  },
  'service-account-extend-token-expiration': {
    value: 'BOOL',
    preset: 'true',
    isSwitch: true,
    help: 'tokens that pods are given by default count for a year',
  },
  'requestheader-client-ca-file': {
    value: 'FILE',
    preset: '',
    help: 'authorities (PEM) of proxies that name users in headers',
  },
  'requestheader-allowed-names': {
    value: 'LIST',
    preset: '',
    isMany: true,
    help: 'common names of their certificates; any if none',
  },
  'requestheader-username-headers': {
    value: 'LIST',
    preset: '',
    isMany: true,
    help: 'headers that name the user, such as X-Remote-User',
  },
  'requestheader-group-headers': {
    value: 'LIST',
    preset: '',
    isMany: true,
    help: 'headers that name groups, such as X-Remote-Group',
  },
  'requestheader-extra-headers-prefix': {
    value: 'LIST',
    preset: '',
    isMany: true,
    help: 'what headers with more begin with, such as X-Remote-Extra-',
  },
  'oidc-issuer-url': {
    value: 'URL',
    preset: '',
    help: 'whose OpenID Connect tokens count (https)',
  },
  'oidc-client-id': { value: 'ID', preset: '', help: 'the client that they must be for' },
  'oidc-ca-file': {
    value: 'FILE',
    preset: '',
    help: 'authorities (PEM) of that issuer; those of the machine if none',
  },
  'oidc-username-claim': { value: 'CLAIM', preset: 'sub', help: 'the claim with the user' },
  'oidc-username-prefix': {
    value: 'PREFIX',
    preset: '',
    help: 'goes before the user; - for none; ISSUER# if not given, but for email',
  },
  'oidc-groups-claim': { value: 'CLAIM', preset: '', help: 'the claim with the groups' },
  'oidc-groups-prefix': { value: 'PREFIX', preset: '', help: 'goes before each group' },
  'oidc-required-claim': {
    value: 'CLAIM=TEXT',
    preset: '',
    isMany: true,
    help: 'what such a token must claim besides',
  },
  'oidc-signing-algs': {
    value: 'LIST',
    preset: 'RS256',
    isMany: true,
    help: 'how they may be signed',
  },
  'authentication-token-webhook-config-file': {
    value: 'FILE',
    preset: '',
    help: 'kubeconfig of a service that knows tokens',
  },
  'authentication-token-webhook-version': {
    value: 'VERSION',
    preset: 'v1beta1',
    help: 'version of the TokenReviews that it is sent: v1 or v1beta1',
  },
  'authentication-token-webhook-cache-ttl': {
    value: 'DURATION',
    preset: '2m',
    help: 'how long its answers count',
  },
} as const satisfies Record<string, Flag>;

type Values = FlagValues<typeof AUTHENTICATION_FLAGS>;

export interface ServiceAccountConfig {
  readonly keyFiles: readonly string[];
  /** '' for the key in the data folder. */
  readonly signingKeyFile: string;
  /** Empty for the Service of this API. */
  readonly issuers: readonly string[];
  readonly keySetUrl: string;
  /** 0 for no bound. */
  readonly expirationSecondsMax: number;
  readonly looksUpLegacy: boolean;
  readonly extendsPodTokens: boolean;
}

/** Names of headers are in lower case. */
export interface FrontProxyConfig {
  /** '' where no proxy is trusted. */
  readonly authorityFile: string;
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/** The issuer is '' where there is none. */
export interface OidcConfig extends Omit<OidcSettings, 'authorities'> {
  /** '' for those that the runtime trusts. */
  readonly authorityFile: string;
}

export interface TokenWebhookConfig {
  /** '' where there is none. */
  readonly file: string;
  readonly version: 'v1' | 'v1beta1';
  readonly keptMs: number;
}

export interface AuthenticationConfig {
  /** '' when none is given. */
  readonly tokenAuthFile: string;
  readonly allowsAnonymous: boolean;
  readonly allowsBootstrapTokens: boolean;
  readonly apiAudiences: readonly string[];
  readonly serviceAccounts: ServiceAccountConfig;
  readonly frontProxy: FrontProxyConfig;
  readonly oidc: OidcConfig;
  readonly webhook: TokenWebhookConfig;
}

/** Throws ConfigError. Where everybody may do everything, nobody does so without a name. */
export function authenticationConfig(
  values: Values,
  modes: readonly AuthorizationMode[],
): AuthenticationConfig {
  const allowsAnonymous = switchOf('anonymous-auth', values['anonymous-auth']);
  return {
    tokenAuthFile: values['token-auth-file'],
    allowsAnonymous: allowsAnonymous && !modes.includes('AlwaysAllow'),
    allowsBootstrapTokens: switchOf(
      'enable-bootstrap-token-auth',
      values['enable-bootstrap-token-auth'],
    ),
    apiAudiences: listOf('api-audiences', values['api-audiences']),
    serviceAccounts: serviceAccountsOf(values),
    frontProxy: frontProxyOf(values),
    oidc: oidcOf(values),
    webhook: webhookOf(values),
  };
}

const HOUR_MS = 3_600_000;
/** The longest lifetime of a token: 2^32 seconds. */
const EXPIRATION_MS_MAX = 2 ** 32 * 1000;

function serviceAccountsOf(values: Values): ServiceAccountConfig {
  const bound = 'service-account-max-token-expiration';
  const expirationMs = durationOf(bound, values[bound], EXPIRATION_MS_MAX);
  if (expirationMs !== 0 && expirationMs < HOUR_MS) {
    throw new ConfigError(`--${bound} is "${values[bound]}": give an hour or more, or 0s`);
  }
  const extend = 'service-account-extend-token-expiration';
  return {
    keyFiles: linesOf(values['service-account-key-file']),
    signingKeyFile: values['service-account-signing-key-file'],
    issuers: issuersOf(linesOf(values['service-account-issuer'])),
    keySetUrl: httpsOf('service-account-jwks-uri', values['service-account-jwks-uri']),
    expirationSecondsMax: expirationMs / 1000,
    looksUpLegacy: switchOf('service-account-lookup', values['service-account-lookup']),
    extendsPodTokens: switchOf(extend, values[extend]),
  };
}

function issuersOf(issuers: readonly string[]): readonly string[] {
  const flag = '--service-account-issuer';
  for (const [index, issuer] of issuers.entries()) {
    if (issuers.indexOf(issuer) < index) {
      throw new ConfigError(`${flag} has "${issuer}" twice: give each once`);
    }
    if (!issuer.includes(':') || URL.canParse(issuer)) continue;
    throw new ConfigError(`${flag} is "${issuer}": give a URL, or a name without colons`);
  }
  return issuers;
}

function frontProxyOf(values: Values): FrontProxyConfig {
  const list = (name: keyof Values): readonly string[] => listOf(name, values[name]);
  const headers = (name: keyof Values): readonly string[] =>
    list(name).map((header) => header.toLowerCase());
  return {
    authorityFile: values['requestheader-client-ca-file'],
    allowedNames: list('requestheader-allowed-names'),
    userHeaders: headers('requestheader-username-headers'),
    groupHeaders: headers('requestheader-group-headers'),
    extraPrefixes: headers('requestheader-extra-headers-prefix'),
  };
}

function oidcOf(values: Values): OidcConfig {
  const issuer = httpsOf('oidc-issuer-url', values['oidc-issuer-url']);
  const clientId = values['oidc-client-id'];
  if ((issuer === '') !== (clientId === '')) {
    throw new ConfigError('--oidc-issuer-url and --oidc-client-id need each other');
  }
  const userClaim = values['oidc-username-claim'];
  if (userClaim === '') throw new ConfigError('--oidc-username-claim is "": name a claim');
  const algorithms = listOf('oidc-signing-algs', values['oidc-signing-algs']);
  for (const algorithm of algorithms) {
    if (TOKEN_ALGORITHMS.includes(algorithm)) continue;
    const known = TOKEN_ALGORITHMS.join(', ');
    throw new ConfigError(`--oidc-signing-algs has "${algorithm}": give some of ${known}`);
  }
  return {
    issuer,
    clientId,
    authorityFile: values['oidc-ca-file'],
    userClaim,
    userPrefix: userPrefixOf(values['oidc-username-prefix'], userClaim, issuer),
    groupsClaim: values['oidc-groups-claim'],
    groupsPrefix: values['oidc-groups-prefix'],
    requiredClaims: Object.fromEntries(linesOf(values['oidc-required-claim']).map(requiredClaim)),
    algorithms: algorithms.length === 0 ? ['RS256'] : algorithms,
  };
}

/** Names of different issuers do not meet unless that is asked for. */
function userPrefixOf(given: string, claim: string, issuer: string): string {
  if (given === '-') return '';
  return given === '' && claim !== 'email' ? `${issuer}#` : given;
}

function requiredClaim(pair: string): readonly [claim: string, value: string] {
  const equals = pair.indexOf('=');
  if (equals < 1) throw new ConfigError(`--oidc-required-claim is "${pair}": give CLAIM=TEXT`);
  return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}

function webhookOf(values: Values): TokenWebhookConfig {
  const version = values['authentication-token-webhook-version'];
  if (version !== 'v1' && version !== 'v1beta1') {
    const flag = '--authentication-token-webhook-version';
    throw new ConfigError(`${flag} is "${version}": give v1 or v1beta1`);
  }
  const kept = 'authentication-token-webhook-cache-ttl';
  return {
    file: values['authentication-token-webhook-config-file'],
    version,
    keptMs: durationOf(kept, values[kept]),
  };
}
