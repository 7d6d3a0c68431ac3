/** The settings of authentication, as plain data that every thread can be given. */
import type { TokenSettings } from '../service-account-tokens.ts';
import type { FrontProxySettings } from './front-proxy.ts';
import type { OidcSettings } from './oidc-tokens.ts';
import type { StaticUsers } from './static-tokens.ts';
import type { TokenWebhookSettings } from './webhook-tokens.ts';

export interface AuthenticationSettings {
  readonly staticUsers: StaticUsers;
  readonly tokens: TokenSettings;
  /** Legacy tokens count only while they stand in their Secrets. */
  readonly looksUpLegacyTokens: boolean;
  readonly allowsBootstrapTokens: boolean;
  /** Requests without credentials are of an anonymous user. */
  readonly allowsAnonymous: boolean;
  /** Users may show certificates. */
  readonly trustsClientCertificates: boolean;
  readonly frontProxy?: FrontProxySettings;
  readonly oidc?: OidcSettings;
  readonly webhook?: TokenWebhookSettings;
}
