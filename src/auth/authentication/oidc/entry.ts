/** Tokens of an OpenID Connect issuer (../../README.md#openid-connect). */
import { X509Certificate } from 'node:crypto';
import { ConfigError } from '../../../base/options/config-error.ts';
import type { FlagValues } from '../../../base/options/flag.ts';
import { httpsOf, linesOf, listOf } from '../../../base/options/option-values.ts';
import { readOption } from '../../../base/options/read-option.ts';
import { authenticator } from '../authenticator-entry.ts';
import { TOKEN_ALGORITHMS } from '../json-web-token.ts';
import type { OidcSettings } from './oidc-tokens.ts';

const FLAGS = {
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
} as const;

/** The issuer is '' where there is none. */
interface OidcConfig extends Omit<OidcSettings, 'authorities'> {
  /** '' for those that the runtime trusts. */
  readonly authorityFile: string;
}

export const oidc = authenticator({
  flags: FLAGS,
  read: configOf,
  load: ({ authorityFile, ...settings }): OidcSettings | undefined =>
    settings.issuer === ''
      ? undefined
      : { ...settings, authorities: authorityFile && readAuthorities(authorityFile) },
  make: async (settings, { tokens: { apiAudiences }, nowMs, logError }) => {
    const { OidcTokens } = await import('./oidc-tokens.ts');
    return { ofToken: new OidcTokens({ settings, apiAudiences, nowMs, logError }) };
  },
});

function configOf(values: FlagValues<typeof FLAGS>): OidcConfig {
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

/** Certificates of authorities as they stand in a file. */
function readAuthorities(file: string): string {
  const flag = '--oidc-ca-file';
  const pem = readOption(file, `the certificates of ${flag}`);
  try {
    new X509Certificate(pem);
  } catch (error) {
    const why = (error as Error).message;
    throw new ConfigError(`${flag} is ${file}, which has no certificates in PEM (${why})`);
  }
  return pem;
}
