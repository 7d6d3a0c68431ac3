/** All issuers of tokens that count, those that a changed file names too. */
import type { Authenticated } from '../../authenticator.ts';
import { ConfigurationChannel } from '../../configuration/configuration-channel.ts';
import type { ShownToken, TokenWay } from '../token-way.ts';
import type { JwtDocument } from './jwt-form.ts';
import { OidcTokens, type OidcOptions } from './oidc-tokens.ts';

export type IssuerOptions = Omit<OidcOptions, 'jwt' | 'programs'>;

/** The main thread tells of a changed file with these. */
export type ToldIssuers = readonly JwtDocument[];

export const ISSUERS_CHANNEL = new ConfigurationChannel<ToldIssuers>('authentication');

/** So long issuers that are new are waited for, in the main thread and in others. */
export const ISSUER_READY_MS_MAX = 60_000;

export class OidcIssuers implements TokenWay {
  readonly #options: IssuerOptions;
  #issuers: readonly OidcTokens[] = [];
  #changes: Promise<void> = Promise.resolve();

  constructor(options: IssuerOptions) {
    this.#options = options;
  }

  async use(issuers: readonly JwtDocument[]): Promise<void> {
    this.#issuers = await issuersOf(issuers, this.#options);
  }

  /** From now on it goes by what a changed file says. */
  follow(): void {
    ISSUERS_CHANNEL.follow((told) => {
      this.#changes = this.#changes.then(() => this.#replace(told));
    });
  }

  /** Each token is of one issuer at most. */
  authenticate(
    token: ShownToken,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined> {
    for (const issuer of this.#issuers) {
      const found = issuer.authenticate(token, audiences);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Those before count until the new ones can tell whose tokens are. */
  async #replace(told: ToldIssuers): Promise<void> {
    const next = await issuersOf(told, this.#options);
    await Promise.all(next.map((one) => one.problemAfter(ISSUER_READY_MS_MAX)));
    const before = this.#issuers;
    this.#issuers = next;
    for (const issuer of before) issuer.close();
  }
}

/** The code that evaluates expressions is loaded where there are some. */
export function issuersOf(
  issuers: readonly JwtDocument[],
  options: IssuerOptions,
): Promise<readonly OidcTokens[]> {
  return Promise.all(
    issuers.map(async (jwt) => {
      if (!hasExpressions(jwt)) return new OidcTokens({ ...options, jwt });
      const { ClaimPrograms } = await import('./claim-programs.ts');
      return new OidcTokens({ ...options, jwt, programs: new ClaimPrograms(jwt) });
    }),
  );
}

export function hasExpressions(jwt: JwtDocument): boolean {
  const { username, groups, uid, extra } = jwt.claimMappings ?? {};
  const rules = [...(jwt.claimValidationRules ?? []), ...(jwt.userValidationRules ?? [])];
  const expressions = [username, groups, uid, ...rules].map((one) => one?.expression ?? '');
  return !!extra?.length || expressions.some((text) => text !== '');
}
