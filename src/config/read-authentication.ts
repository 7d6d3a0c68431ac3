/** What the options about authentication mean, with all files that they name. */
import type { FrontProxySettings } from '../auth/authentication/front-proxy.ts';
import type { AuthenticationSettings } from '../auth/authentication/settings.ts';
import { parseTokenFile } from '../auth/authentication/static-tokens.ts';
import { signingKeyOf, verifyingKeysOf } from '../auth/authentication/token-keys.ts';
import { tokenDigest } from '../auth/authentication/token-way.ts';
import { ownTokenKey } from '../auth/service-account-tokens.ts';
import type { TokenSettings } from '../auth/service-account-tokens.ts';
import type { User } from '../semantics/user.ts';
import type {
  AuthenticationConfig,
  FrontProxyConfig,
  ServiceAccountConfig,
} from './authentication.ts';
import { ConfigError } from './config-error.ts';
import { readOption } from './read-option.ts';

/** Who may everything, and whose token the first start makes. */
const ADMIN: User = { name: 'admin', uid: 'admin', groups: ['system:masters'] };

export interface AuthenticationSources {
  readonly dataDir: string;
  readonly adminToken: string;
  /** An option names authorities that sign certificates of clients. */
  readonly trustsClientCertificates: boolean;
}

/** Reads all files that it takes to know users. Throws ConfigError, or TokenFileError. */
export function readAuthentication(
  config: AuthenticationConfig,
  { dataDir, adminToken, trustsClientCertificates }: AuthenticationSources,
): AuthenticationSettings {
  const { tokenAuthFile, apiAudiences, serviceAccounts, frontProxy } = config;
  const users =
    tokenAuthFile === '' ? [] : parseTokenFile(readOption(tokenAuthFile, 'the token file'));
  return {
    staticUsers: [...users, [tokenDigest(adminToken), ADMIN]],
    tokens: tokenSettings(serviceAccounts, apiAudiences, dataDir),
    looksUpLegacyTokens: serviceAccounts.looksUpLegacy,
    allowsBootstrapTokens: config.allowsBootstrapTokens,
    allowsAnonymous: config.allowsAnonymous,
    trustsClientCertificates,
    ...(frontProxy.authorityFile !== '' && { frontProxy: frontProxySettings(frontProxy) }),
  };
}

function tokenSettings(
  config: ServiceAccountConfig,
  apiAudiences: readonly string[],
  dataDir: string,
): TokenSettings {
  const { issuers, expirationSecondsMax, extendsPodTokens, keySetUrl } = config;
  const verifyingKeys = config.keyFiles.map((file) => {
    const pem = readOption(file, 'the keys of service account tokens');
    checkKey(() => verifyingKeysOf(pem), `${file} holds no keys that tokens can be verified with`);
    return pem;
  });
  return {
    signingKey: signingKey(config.signingKeyFile, dataDir),
    verifyingKeys,
    issuers,
    apiAudiences,
    expirationSecondsMax,
    extendsPodTokens,
    keySetUrl,
  };
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

/** The listener has the authority itself: it verifies certificates. */
function frontProxySettings({
  authorityFile: _authorityFile,
  ...settings
}: FrontProxyConfig): FrontProxySettings {
  if (settings.userHeaders.length > 0) return settings;
  throw new ConfigError(
    '--requestheader-client-ca-file needs --requestheader-username-headers, ' +
      'such as X-Remote-User',
  );
}
