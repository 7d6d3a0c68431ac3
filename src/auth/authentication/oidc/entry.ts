/** Issuers of tokens (../../README.md#issuers-of-tokens): of options, or of a file. */
import { X509Certificate } from 'node:crypto';
import { ConfigError } from '../../../base/options/config-error.ts';
import type { FlagValues } from '../../../base/options/flag.ts';
import { httpsOf, linesOf, listOf } from '../../../base/options/option-values.ts';
import { readOption } from '../../../base/options/read-option.ts';
import { authenticator, type ReadingNeeds } from '../authenticator-entry.ts';
import { TOKEN_ALGORITHMS } from '../json-web-token.ts';
import type { JwtDocument } from './jwt-form.ts';

const FILE = 'authentication-config';
const GATE = 'StructuredAuthenticationConfiguration';

const OIDC_FLAGS = {
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

const FLAGS = {
  ...OIDC_FLAGS,
  [FILE]: {
    value: 'FILE',
    preset: '',
    help: 'issuers whose tokens count, with rules, and paths that are open: instead of --oidc-*',
  },
} as const;

export interface OidcConfig {
  /** Those of options, in the form of the file; without the authorities. */
  readonly issuers: readonly JwtDocument[];
  readonly algorithms: readonly string[];
  /** '' for those that the runtime trusts. */
  readonly authorityFile: string;
  /** The file that names issuers, which is not read yet; '' for none. */
  readonly file: string;
}

interface OidcSettings {
  readonly issuers: readonly JwtDocument[];
  readonly algorithms: readonly string[];
  /** Whether the file may name others later. */
  readonly isFollowed: boolean;
}

export const oidc = authenticator({
  flags: FLAGS,
  read: configOf,
  load: ({ issuers, algorithms, authorityFile, file }): OidcSettings | undefined => {
    if (issuers.length === 0 && file === '') return undefined;
    const isFollowed = file !== '';
    if (authorityFile === '') return { issuers, algorithms, isFollowed };
    const certificateAuthority = readAuthorities(authorityFile);
    const trusting = issuers.map((one) => {
      return { ...one, issuer: { ...one.issuer, certificateAuthority } };
    });
    return { issuers: trusting, algorithms, isFollowed };
  },
  make: async ({ issuers, algorithms, isFollowed }, needs) => {
    const { OidcIssuers } = await import('./oidc-issuers.ts');
    const { apiAudiences } = needs.tokens;
    const { nowMs, logError, countsKeysAs: serverId } = needs;
    const all = new OidcIssuers({ algorithms, apiAudiences, nowMs, logError, serverId });
    await all.use(issuers);
    if (isFollowed) all.follow();
    return { ofToken: all };
  },
});

function configOf(values: FlagValues<typeof FLAGS>, { gates, isGiven }: ReadingNeeds): OidcConfig {
  const file = values[FILE];
  const options = optionsOf(values);
  if (file === '') return { ...options, file };
  if (!gates.has(GATE)) {
    throw new ConfigError(`set --feature-gates=${GATE}=true to use --${FILE}`);
  }
  if (Object.keys(OIDC_FLAGS).some(isGiven)) {
    throw new ConfigError('authentication-config file and oidc-* flags are mutually exclusive');
  }
  return { issuers: [], algorithms: TOKEN_ALGORITHMS.toSorted(), authorityFile: '', file };
}

function optionsOf(values: FlagValues<typeof OIDC_FLAGS>): Omit<OidcConfig, 'file'> {
  const url = httpsOf('oidc-issuer-url', values['oidc-issuer-url']);
  const clientId = values['oidc-client-id'];
  if ((url === '') !== (clientId === '')) {
    throw new ConfigError('--oidc-issuer-url and --oidc-client-id need each other');
  }
  const claim = values['oidc-username-claim'];
  if (claim === '') throw new ConfigError('--oidc-username-claim is "": name a claim');
  const algorithms = listOf('oidc-signing-algs', values['oidc-signing-algs']);
  for (const algorithm of algorithms) {
    if (TOKEN_ALGORITHMS.includes(algorithm)) continue;
    const known = TOKEN_ALGORITHMS.join(', ');
    throw new ConfigError(`--oidc-signing-algs has "${algorithm}": give some of ${known}`);
  }
  const groupsClaim = values['oidc-groups-claim'];
  const prefix = userPrefixOf(values['oidc-username-prefix'], claim, url);
  const rules = new Map(linesOf(values['oidc-required-claim']).map(requiredClaim));
  const jwt: JwtDocument = {
    issuer: { url, audiences: [clientId] },
    claimValidationRules: [...rules].map(([name, requiredValue]) => {
      return { claim: name, requiredValue };
    }),
    claimMappings: {
      username: { claim, prefix },
      ...(groupsClaim !== '' && {
        groups: { claim: groupsClaim, prefix: values['oidc-groups-prefix'] },
      }),
    },
  };
  return {
    issuers: url === '' ? [] : [jwt],
    algorithms: algorithms.length === 0 ? ['RS256'] : algorithms,
    authorityFile: values['oidc-ca-file'],
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
