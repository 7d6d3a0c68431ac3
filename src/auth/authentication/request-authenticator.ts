/** Authenticates a request: all ways, in their order (../README.md#who-asks). */
import { AuthenticationError } from '../authenticator.ts';
import type { Authenticated, Credentials, TokenAuthenticator } from '../authenticator.ts';
import type { AuthenticationNeeds, RequestWay, Way } from './authenticator-entry.ts';
import { AUTHENTICATORS, type AuthenticationSettings } from './authenticators.ts';
import { BearerTokens, joinProblems, noteProblem } from './token-way.ts';

export class RequestAuthenticator implements TokenAuthenticator {
  readonly #ofRequest: readonly RequestWay[];
  readonly #ofToken: BearerTokens;
  /** Undefined where nobody is let in who shows nothing. */
  readonly #nobody: Authenticated | undefined;
  /** Those that are open to them; undefined for all. */
  readonly #openPaths: ReadonlySet<string> | undefined;
  readonly #apiAudiences: readonly string[];

  constructor(ways: readonly Way[], apiAudiences: readonly string[]) {
    this.#ofRequest = ways.flatMap((way) => ('ofRequest' in way ? [way.ofRequest] : []));
    const ofToken = ways.flatMap((way) => ('ofToken' in way ? [way.ofToken] : []));
    this.#ofToken = new BearerTokens(ofToken);
    const [nobody] = ways.flatMap((way) => ('ofNobody' in way ? [way.ofNobody] : []));
    this.#nobody = nobody && { user: nobody.user, audiences: apiAudiences };
    this.#openPaths = nobody?.paths.length ? new Set(nobody.paths) : undefined;
    this.#apiAudiences = apiAudiences;
  }

  authenticate(
    credentials: Credentials,
  ): Authenticated | undefined | Promise<Authenticated | undefined> {
    const problems: string[] = [];
    const known = this.#byRequest(credentials, problems);
    if (known !== undefined) return known;
    const { token } = credentials;
    if (token !== '') return this.#ofToken.authenticate(token, this.#apiAudiences);
    // Nobody whose credentials are bad is taken for somebody who has none.
    if (problems.length > 0) throw new AuthenticationError(joinProblems(problems));
    const isOpen = this.#openPaths?.has(credentials.path) ?? true;
    return isOpen ? this.#nobody : undefined;
  }

  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Authenticated | Promise<Authenticated> {
    return this.#ofToken.authenticate(token, audiences);
  }

  #byRequest(credentials: Credentials, problems: string[]): Authenticated | undefined {
    for (const way of this.#ofRequest) {
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

/** All ways that the settings have. It reads no files, and may be called in any thread. */
export async function authenticationOf(
  settings: Partial<AuthenticationSettings>,
  needs: AuthenticationNeeds,
): Promise<RequestAuthenticator> {
  const names = Object.keys(AUTHENTICATORS) as readonly (keyof AuthenticationSettings)[];
  const on = names.filter((name) => settings[name] !== undefined);
  const ways = on.map(async (name) => AUTHENTICATORS[name].make(settings[name] as never, needs));
  return new RequestAuthenticator(await Promise.all(ways), needs.tokens.apiAudiences);
}
