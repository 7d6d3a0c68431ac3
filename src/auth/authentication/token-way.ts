/** Ways to know whose a bearer token is, one after the other (../README.md#bearer-tokens). */
import { hash } from 'node:crypto';
import { AuthenticationError } from '../authenticator.ts';
import type { Authenticated } from '../authenticator.ts';

/** A token as a request shows it. */
export interface ShownToken {
  readonly text: string;
  /**
   * The key under which the token is kept, so that look-ups tell nothing about it by their time.
   */
  readonly digest: string;
}

/**
 * Undefined where the token is none of this way's, or is not for these audiences and the way does
 * not say so; throws AuthenticationError where it is and does not hold.
 */
export interface TokenWay {
  authenticate(
    token: ShownToken,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}

export function tokenDigest(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Longer ones are no tokens: requests cannot have them in headers. */
const TOKEN_LENGTH_MAX = 64 * 1024;
const INVALID = 'invalid bearer token';

export class BearerTokens {
  readonly #ways: readonly TokenWay[];

  constructor(ways: readonly TokenWay[]) {
    this.#ways = ways;
  }

  /**
   * The answer of the first way that knows the token. Throws AuthenticationError, at once or later,
   * with what is wrong with the token according to all ways.
   */
  authenticate(text: string, audiences: readonly string[]): Authenticated | Promise<Authenticated> {
    if (text.length > TOKEN_LENGTH_MAX) throw new AuthenticationError(INVALID);
    return this.#tryFrom(0, { text, digest: tokenDigest(text) }, audiences, [INVALID]);
  }

  #tryFrom(
    first: number,
    token: ShownToken,
    audiences: readonly string[],
    problems: string[],
  ): Authenticated | Promise<Authenticated> {
    for (let index = first; index < this.#ways.length; index++) {
      try {
        const found = this.#ways[index]?.authenticate(token, audiences);
        if (found instanceof Promise) {
          return found
            .catch((error: unknown) => noteProblem(error, problems))
            .then((user) => user ?? this.#tryFrom(index + 1, token, audiences, problems));
        }
        if (found !== undefined) return found;
      } catch (error) {
        noteProblem(error, problems);
      }
    }
    throw new AuthenticationError(joinProblems(problems));
  }
}

/** Another error is no word about the token: the request fails with it. */
export function noteProblem(error: unknown, problems: string[]): undefined {
  if (!(error instanceof AuthenticationError)) throw error;
  problems.push(error.message);
}

/** As the reference lists what several ways say. */
export function joinProblems(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
