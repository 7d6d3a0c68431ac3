/** Reads the options about authentication, with all files that they name. */
import { X509Certificate } from 'node:crypto';
import type { FrontProxySettings } from '../auth/authentication/front-proxy.ts';
import type { OidcSettings } from '../auth/authentication/oidc-tokens.ts';
import type { AuthenticationSettings } from '../auth/authentication/settings.ts';
import { parseTokenFile } from '../auth/authentication/static-tokens.ts';
import { signingKeyOf, verifyingKeysOf } from '../auth/authentication/token-keys.ts';
import { tokenDigest } from '../auth/authentication/token-way.ts';
import type { TokenWebhookSettings } from '../auth/authentication/webhook-tokens.ts';
import { ownTokenKey } from '../auth/service-account-tokens.ts';
import type { TokenSettings } from '../auth/service-account-tokens.ts';
import type { User } from '../semantics/user.ts';
import type {
  AuthenticationConfig,
  FrontProxyConfig,
  OidcConfig,
  ServiceAccountConfig,
  TokenWebhookConfig,
} from './authentication.ts';
import { ConfigError } from '../base/options/config-error.ts';
import { webhookTargetOf } from '../webhooks/kubeconfig.ts';
import { readOption } from '../base/options/read-option.ts';

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
  const { tokenAuthFile, apiAudiences, serviceAccounts, frontProxy, oidc, webhook } = config;
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
    ...(oidc.issuer !== '' && { oidc: oidcSettings(oidc) }),
    ...(webhook.file !== '' && { webhook: webhookSettings(webhook) }),
  };
}

function oidcSettings({ authorityFile, ...settings }: OidcConfig): OidcSettings {
  const flag = '--oidc-ca-file';
  return { ...settings, authorities: authorityFile && readAuthorities(authorityFile, flag) };
}

/** Certificates of authorities as they stand in a file. */
function readAuthorities(file: string, flag: string): string {
  const pem = readOption(file, `the certificates of ${flag}`);
  try {
    new X509Certificate(pem);
  } catch (error) {
    const why = (error as Error).message;
    throw new ConfigError(`${flag} is ${file}, which has no certificates in PEM (${why})`);
  }
  return pem;
}

function webhookSettings({ file, version, keptMs }: TokenWebhookConfig): TokenWebhookSettings {
  const target = webhookTargetOf('authentication-token-webhook-config-file', file);
  return { target, version, keptMs };
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
