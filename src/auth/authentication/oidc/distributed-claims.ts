/** Claims that a token has in another place (`_claim_sources`): they are fetched from there. */
import { AuthenticationError } from '../../authenticator.ts';
import { readJsonWebToken, type JsonMembers } from '../json-web-token.ts';
import { hasClaim } from './go-claims.ts';
import { IdTokens, type IdTokenOptions } from './id-tokens.ts';
import { getDocument } from './issuer-client.ts';
import { NotReady } from './oidc-provider.ts';

/** Each other issuer is asked for its keys: there are no more of them at once. */
const ISSUERS_MAX = 16;

interface Source {
  readonly endpoint?: string | null;
  readonly access_token?: string | null;
}

interface Endpoint {
  readonly url: string;
  readonly accessToken: string;
}

export class DistributedClaims {
  readonly #claim: string;
  readonly #options: IdTokenOptions;
  readonly #issuers = new Map<string, IdTokens>();

  /** `options` are those of the issuer whose tokens have claims elsewhere. */
  constructor(claim: string, options: IdTokenOptions) {
    this.#claim = claim;
    this.#options = options;
  }

  /** The claims with the one that is elsewhere. Rejects with AuthenticationError. */
  async expand(claims: JsonMembers): Promise<JsonMembers> {
    if (hasClaim(claims, this.#claim) || !hasClaim(claims, '_claim_names')) return claims;
    try {
      const endpoint = this.#endpointOf(claims);
      if (endpoint === undefined) return claims;
      return { ...claims, [this.#claim]: await this.#resolve(endpoint) };
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      throw new AuthenticationError(`oidc: could not expand distributed claims: ${error.message}`);
    }
  }

  close(): void {
    for (const { provider } of this.#issuers.values()) provider.close();
  }

  /** The types of these claims are known to be right. */
  #endpointOf({ _claim_names: names, _claim_sources: sources }: JsonMembers): Endpoint | undefined {
    if (sources === undefined) throw problem('oidc: no claim sources');
    const name = ((names ?? {}) as Readonly<Record<string, string>>)[this.#claim];
    if (name === undefined) return undefined;
    const source = ((sources ?? {}) as Readonly<Record<string, Source | null>>)[name];
    // One without is a claim that the token brings along, which is not read.
    if (!source?.endpoint) return undefined;
    return { url: source.endpoint, accessToken: source.access_token ?? '' };
  }

  async #resolve({ url, accessToken }: Endpoint): Promise<unknown> {
    const text = await this.#fetch(url, accessToken);
    const token = readJsonWebToken(text);
    if (token === undefined) {
      const start = `getting untrusted issuer from endpoint ${url} failed`;
      throw problem(`${start} for claim "${this.#claim}": malformed token`);
    }
    const { iss } = token.claims;
    const issuer = typeof iss === 'string' ? iss : '';
    await this.#verify(issuer, text, token);
    if (hasClaim(token.claims, this.#claim)) return token.claims[this.#claim];
    throw problem(
      `jwt returned by distributed claim endpoint "${url}" did not contain claim: ${this.#claim}`,
    );
  }

  async #fetch(url: string, accessToken: string): Promise<string> {
    const start = `while getting distributed claim "${this.#claim}"`;
    const headers: Record<string, string> =
      accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };
    let answer: Awaited<ReturnType<typeof getDocument>>;
    try {
      answer = await getDocument(url, this.#options.authorities, headers);
    } catch (error) {
      throw problem(`${start}: Get "${url}": ${(error as Error).message}`);
    }
    const { status, reason, body } = answer;
    if (status >= 200 && status <= 226) return body.toString();
    throw problem(`${start}: error while getting distributed claim JWT: ${status} ${reason}`);
  }

  async #verify(
    issuer: string,
    text: string,
    token: NonNullable<ReturnType<typeof readJsonWebToken>>,
  ): Promise<void> {
    try {
      await this.#tokensOf(issuer).verify(text, token);
    } catch (error) {
      if (error instanceof NotReady) {
        const why = `verifier not initialized for issuer: "${issuer}"`;
        throw problem(`verifying untrusted issuer ${issuer} failed: ${why}`);
      }
      if (!(error instanceof AuthenticationError)) throw error;
      throw problem(`verify distributed claim token: ${error.message}`);
    }
  }

  #tokensOf(issuer: string): IdTokens {
    let tokens = this.#issuers.get(issuer);
    if (tokens === undefined) {
      const [oldest] = this.#issuers.keys();
      if (oldest !== undefined && this.#issuers.size >= ISSUERS_MAX) {
        this.#issuers.get(oldest)?.provider.close();
        this.#issuers.delete(oldest);
      }
      tokens = new IdTokens({
        ...this.#options,
        issuer,
        discoveryUrl: '',
        onKeys: () => undefined,
      });
      this.#issuers.set(issuer, tokens);
    }
    return tokens;
  }
}

function problem(what: string): AuthenticationError {
  return new AuthenticationError(what);
}
