/** Tokens of one issuer (../../README.md#issuers-of-tokens), and what they say. */
import { RecentMap } from '../../../base/recent-map.ts';
import type { User } from '../../../semantics/user.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { Authenticated } from '../../authenticator.ts';
import { readJsonWebToken, type JsonMembers, type JsonWebToken } from '../json-web-token.ts';
import type { ShownToken, TokenWay } from '../token-way.ts';
import { forThisApi } from '../users.ts';
import type { ClaimPrograms } from './claim-programs.ts';
import { DistributedClaims } from './distributed-claims.ts';
import { expiryOf, IdTokens } from './id-tokens.ts';
import { IssuerMetrics } from './issuer-metrics.ts';
import type { JwtDocument } from './jwt-form.ts';
import { NotReady } from './oidc-provider.ts';
import { tokenUser } from './token-user.ts';

export interface OidcOptions {
  readonly jwt: JwtDocument;
  readonly algorithms: readonly string[];
  /** Those of the issuer, where it has expressions. */
  readonly programs?: ClaimPrograms | undefined;
  readonly apiAudiences: readonly string[];
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
  /** Where how it is asked for keys is counted. */
  readonly serverId?: string | undefined;
}

/** A token that was verified, until it is to be verified again. */
interface Known {
  readonly user: User;
  readonly untilMs: number;
}

/** For so long keys that were withdrawn may go on to count. */
const KNOWN_MS_MAX = 10_000;
const KNOWN_TOKENS = 1_024;
/** The one issuer whose tokens name it without the scheme. */
const SCHEMELESS = 'accounts.google.com';

export class OidcTokens implements TokenWay {
  readonly #options: OidcOptions;
  readonly #issuer: string;
  readonly #tokens: IdTokens;
  readonly #metrics: IssuerMetrics;
  readonly #elsewhere: DistributedClaims | undefined;
  readonly #known = new RecentMap<string, Known>(KNOWN_TOKENS);

  constructor(options: OidcOptions) {
    const { jwt, algorithms, nowMs, logError, serverId } = options;
    const { url = '', discoveryURL = '', certificateAuthority = '', audiences } = jwt.issuer ?? {};
    this.#options = options;
    this.#issuer = url;
    this.#metrics = new IssuerMetrics({ issuer: url, serverId });
    const issuer = {
      issuer: url,
      discoveryUrl: discoveryURL,
      authorities: certificateAuthority,
      audiences: audiences ?? [],
      algorithms,
      nowMs,
      logError,
      onKeys: (keys: string | undefined) => this.#metrics.asked(keys),
    };
    this.#tokens = new IdTokens(issuer);
    const groups = jwt.claimMappings?.groups?.claim ?? '';
    this.#elsewhere = groups === '' ? undefined : new DistributedClaims(groups, issuer);
  }

  authenticate(
    { text, digest }: ShownToken,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined> {
    const { apiAudiences, nowMs } = this.#options;
    const known = this.#known.get(digest);
    if (known !== undefined && nowMs() < known.untilMs) {
      return forThisApi(known.user, apiAudiences, audiences);
    }
    const token = readJsonWebToken(text);
    if (token === undefined || !this.#isOwn(token.claims['iss'])) return undefined;
    return this.#metrics.timed(this.#verified(text, token)).then((user) => {
      const untilMs = Math.min(nowMs() + KNOWN_MS_MAX, expiryOf(token.claims));
      this.#known.set(digest, { user, untilMs });
      return forThisApi(user, apiAudiences, audiences);
    });
  }

  /** '' once the issuer has said where its keys are; why not, by then. */
  problemAfter(milliseconds: number): Promise<string> {
    return this.#tokens.provider.problemAfter(milliseconds);
  }

  /** The issuer is asked no more. */
  close(): void {
    this.#tokens.provider.close();
    this.#elsewhere?.close();
    this.#metrics.close();
  }

  #isOwn(named: unknown): boolean {
    const isSchemeless = named === SCHEMELESS && this.#issuer === `https://${SCHEMELESS}`;
    return named === this.#issuer || isSchemeless;
  }

  async #verified(text: string, token: JsonWebToken): Promise<User> {
    try {
      await this.#tokens.verify(text, token);
    } catch (error) {
      if (error instanceof NotReady) {
        throw new AuthenticationError('oidc: authenticator not initialized');
      }
      if (!(error instanceof AuthenticationError)) throw error;
      throw new AuthenticationError(`oidc: verify token: ${error.message}`);
    }
    const { jwt, programs } = this.#options;
    return tokenUser(await this.#allClaims(token.claims), jwt, programs);
  }

  #allClaims(claims: JsonMembers): JsonMembers | Promise<JsonMembers> {
    return this.#elsewhere?.expand(claims) ?? claims;
  }
}
