/** Tokens of service accounts (../../README.md#service-account-tokens). */
import { ConfigError } from '../../../base/options/config-error.ts';
import type { FlagValues } from '../../../base/options/flag.ts';
import {
  durationOf,
  httpsOf,
  linesOf,
  listOf,
  switchOf,
} from '../../../base/options/option-values.ts';
import { readOption } from '../../../base/options/read-option.ts';
import { ownTokenKey, type TokenSettings } from '../../service-account-tokens.ts';
import { authenticator, type ReadingNeeds } from '../authenticator-entry.ts';
import { signingKeyOf, verifyingKeysOf } from './token-keys.ts';

const FLAGS = {
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
} as const;

interface ServiceAccountConfig extends Omit<TokenSettings, 'signingKey' | 'verifyingKeys'> {
  readonly keyFiles: readonly string[];
  /** '' for the key in the data folder. */
  readonly signingKeyFile: string;
  /** Legacy tokens count only while they stand in their Secrets. */
  readonly looksUpLegacy: boolean;
}

interface ServiceAccountSettings extends Pick<ServiceAccountConfig, 'looksUpLegacy'> {
  readonly tokens: TokenSettings;
}

export const serviceAccounts = authenticator({
  flags: FLAGS,
  read: configOf,
  load: (config, { dataDir }): ServiceAccountSettings => {
    const { keyFiles, signingKeyFile, looksUpLegacy, ...bounds } = config;
    const verifyingKeys = keyFiles.map(verifyingKeysIn);
    const tokens = { signingKey: signingKey(signingKeyFile, dataDir), verifyingKeys, ...bounds };
    return { tokens, looksUpLegacy };
  },
  make: async ({ looksUpLegacy }, { tokens, facts, nowMs, logError }) => {
    const { ServiceAccounts } = await import('./service-accounts.ts');
    return { ofToken: new ServiceAccounts({ tokens, facts, looksUpLegacy, nowMs, logError }) };
  },
});

const HOUR_MS = 3_600_000;
/** The longest lifetime of a token: 2^32 seconds. */
const EXPIRATION_MS_MAX = 2 ** 32 * 1000;

function configOf(values: FlagValues<typeof FLAGS>, { gates }: ReadingNeeds): ServiceAccountConfig {
  const apiAudiences = listOf('api-audiences', values['api-audiences']);
  const bound = 'service-account-max-token-expiration';
  const expirationMs = durationOf(bound, values[bound], EXPIRATION_MS_MAX);
  if (expirationMs !== 0 && expirationMs < HOUR_MS) {
    throw new ConfigError(`--${bound} is "${values[bound]}": give an hour or more, or 0s`);
  }
  const extend = 'service-account-extend-token-expiration';
  return {
    apiAudiences,
    gates: [...gates],
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

function verifyingKeysIn(file: string): string {
  const pem = readOption(file, 'the keys of service account tokens');
  checkKey(() => verifyingKeysOf(pem), `${file} holds no keys that tokens can be verified with`);
  return pem;
}

function signingKey(file: string, dataDir: string): string {
  if (file === '') {
    const own = ownTokenKey(dataDir);
    checkKey(
      () => signingKeyOf(own.pem),
      `${own.file} is no private key that tokens can be signed with`,
      'restore it, or remove it to invalidate all tokens of service accounts',
    );
    return own.pem;
  }
  const pem = readOption(file, 'the private key of service account tokens');
  checkKey(() => signingKeyOf(pem), `${file} is no private key that tokens can be signed with`);
  return pem;
}

function checkKey(read: () => unknown, what: string, help = 'give one in PEM'): void {
  try {
    read();
  } catch (error) {
    throw new ConfigError(`${what} (${(error as Error).message}): ${help}`);
  }
}
