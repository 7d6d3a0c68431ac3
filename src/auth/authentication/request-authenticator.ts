/** Authenticates a request: all ways, in their order (../README.md#who-asks). */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebhookClient } from '../../webhooks/webhook-client.ts';
import { WebhookError } from '../../webhooks/webhook-errors.ts';
import { AuthenticationError } from '../authenticator.ts';
import type { Authenticated, Credentials, TokenAuthenticator } from '../authenticator.ts';
import type { ServiceAccountTokens } from '../service-account-tokens.ts';
import type { AccountFacts } from './account-facts.ts';
import { BootstrapTokens } from './bootstrap-tokens.ts';
import { certificateUser } from './client-certificate.ts';
import { proxiedUser } from './front-proxy.ts';
import { OidcTokens } from './oidc-tokens.ts';
import { ServiceAccounts } from './service-accounts.ts';
import type { AuthenticationSettings } from './settings.ts';
import { StaticTokens } from './static-tokens.ts';
import { BearerTokens, joinProblems, noteProblem } from './token-way.ts';
import type { TokenWay } from './token-way.ts';
import { ANONYMOUS } from './users.ts';
import { WebhookTokens } from './webhook-tokens.ts';

export interface AuthenticationDependencies {
  readonly tokens: ServiceAccountTokens;
  readonly facts: AccountFacts;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

type CertificateWay = (credentials: Credentials) => Authenticated | undefined;

interface Ways {
  readonly certificates: readonly CertificateWay[];
  readonly tokens: readonly TokenWay[];
  readonly apiAudiences: readonly string[];
  readonly allowsAnonymous: boolean;
}

export class RequestAuthenticator implements TokenAuthenticator {
  readonly #ways: Ways;
  readonly #bearerTokens: BearerTokens;
  readonly #anonymous: Authenticated;

  constructor(ways: Ways) {
    this.#ways = ways;
    this.#bearerTokens = new BearerTokens(ways.tokens);
    this.#anonymous = { user: ANONYMOUS, audiences: ways.apiAudiences };
  }

  authenticate(
    credentials: Credentials,
  ): Authenticated | undefined | Promise<Authenticated | undefined> {
    const { certificate, token } = credentials;
    const problems: string[] = [];
    const known = certificate && this.#byCertificate(credentials, problems);
    if (known !== undefined) return known;
    if (token !== '') return this.#bearerTokens.authenticate(token, this.#ways.apiAudiences);
    // Nobody whose credentials are bad is taken for somebody who has none.
    if (problems.length > 0) throw new AuthenticationError(joinProblems(problems));
    return this.#ways.allowsAnonymous ? this.#anonymous : undefined;
  }

  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Authenticated | Promise<Authenticated> {
    return this.#bearerTokens.authenticate(token, audiences);
  }

  #byCertificate(credentials: Credentials, problems: string[]): Authenticated | undefined {
    for (const way of this.#ways.certificates) {
      try {
        const known = way(credentials);
        if (known !== undefined) return known;
      } catch (error) {
        noteProblem(error, problems);
      }
    }
    return undefined;
  }
}

/** All that the settings ask for. It reads no files, and may be called in any thread. */
export function authenticationOf(
  settings: AuthenticationSettings,
  dependencies: AuthenticationDependencies,
): RequestAuthenticator {
  const { frontProxy, allowsAnonymous } = settings;
  const certificates: CertificateWay[] = [];
  if (frontProxy !== undefined) {
    certificates.push((credentials) => proxiedUser(frontProxy, credentials));
  }
  if (settings.trustsClientCertificates) certificates.push(certificateUser);
  return new RequestAuthenticator({
    certificates,
    tokens: tokenWays(settings, dependencies),
    apiAudiences: dependencies.tokens.apiAudiences,
    allowsAnonymous,
  });
}

/** Those that ask somebody else come last. */
function tokenWays(
  settings: AuthenticationSettings,
  { tokens, facts, nowMs, logError }: AuthenticationDependencies,
): readonly TokenWay[] {
  const { staticUsers, looksUpLegacyTokens, allowsBootstrapTokens, oidc, webhook } = settings;
  const { apiAudiences } = tokens;
  const ways: TokenWay[] = [
    new StaticTokens(staticUsers, apiAudiences),
    new ServiceAccounts({ tokens, facts, looksUpLegacy: looksUpLegacyTokens, nowMs }),
  ];
  if (allowsBootstrapTokens) ways.push(new BootstrapTokens({ facts, apiAudiences, nowMs }));
  if (oidc !== undefined) {
    ways.push(new OidcTokens({ settings: oidc, apiAudiences, nowMs, logError }));
  }
  if (webhook !== undefined) {
    const client = new WebhookClient(noServices);
    const options = { settings: webhook, client, apiAudiences, nowMs, logError };
    ways.push(new WebhookTokens({ ...options, wait: (ms) => sleep(ms) }));
  }
  return ways;
}

/** A kubeconfig names addresses alone. */
function noServices(): Promise<never> {
  return Promise.reject(new WebhookError('services are not looked up for tokens'));
}
