/**
 * An OpenID Connect issuer: it says where its keys are, and which they are. It may be down when
 * this server starts, and may change its keys at any time.
 */
import type { CompactVerifyGetKey, CryptoKey } from 'jose';
import { AuthenticationError } from '../../authenticator.ts';
import { ANSWER_MS_MAX, getDocument, type Answer } from './issuer-client.ts';

export interface ProviderOptions {
  readonly issuer: string;
  /** Where it describes itself, '' for the usual place. */
  readonly discoveryUrl: string;
  /** PEM of those who sign its certificate; '' for those that the runtime trusts. */
  readonly authorities: string;
  readonly logError: (text: string) => void;
  /** Is told each time that keys were asked for: undefined where there were none. */
  readonly onKeys: (keys: string | undefined) => void;
}

/** Verifies tokens with the keys that the issuer has now. */
interface Keys {
  readonly library: typeof import('jose');
  readonly keyOf: CompactVerifyGetKey;
}

/** The time after a failure until it is asked again. */
const RETRY_MS = 10_000;
/** Tokens that name unknown keys make it be asked for keys, so often at most. */
const KEYS_COOLDOWN_MS = 1_000;

export class OidcProvider {
  readonly #options: ProviderOptions;
  readonly #whenReady = Promise.withResolvers<void>();
  #keys: Promise<Keys>;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #lastError = '';

  /** Asks the issuer at once, and again until it answers. */
  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#keys = this.#ask();
  }

  /** Resolves once it has said where its keys are; '' or why it has not by then. */
  async problemAfter(milliseconds: number): Promise<string> {
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, milliseconds);
    const ready = this.#whenReady.promise.then(() => true);
    const isReady = await Promise.race([ready, timeout.promise.then(() => false)]);
    clearTimeout(timer);
    if (isReady) return '';
    const { issuer } = this.#options;
    return `oidc: authenticator for issuer "${issuer}" is not healthy: ${this.#lastError}`;
  }

  /** It is asked no more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  /** Throws AuthenticationError where none of the issuer's keys has signed the token. */
  async verify(token: string): Promise<void> {
    const { library, keyOf } = await this.#keys;
    try {
      await library.compactVerify(token, keyOf);
    } catch (error) {
      if (!(error instanceof library.errors.JOSEError)) throw this.#unreachable(error);
      if (error instanceof library.errors.JWKSMultipleMatchingKeys) {
        // Without a name of its key any may have signed it.
        for await (const key of error) {
          if (await isSignedWith(library, token, key)) return;
        }
      }
      throw new AuthenticationError(
        'failed to verify signature: failed to verify id token signature',
      );
    }
  }

  #ask(): Promise<Keys> {
    const keys = this.#discover().catch((error: unknown) => {
      this.#logOnce(`oidc: ${(error as Error).message}`);
      const again = (): void => {
        this.#keys = this.#ask();
      };
      if (!this.#isClosed) this.#retry = setTimeout(again, RETRY_MS).unref();
      throw new NotReady();
    });
    // That it has none concerns those who have tokens, if there are any.
    keys.then(() => this.#whenReady.resolve()).catch(() => undefined);
    return keys;
  }

  async #discover(): Promise<Keys> {
    const { issuer, discoveryUrl, authorities } = this.#options;
    const url = discoveryUrl || `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await getDocument(url, authorities);
    if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
    const { issuer: named, jwks_uri: keySet } = JSON.parse(answer.body.toString()) as {
      readonly issuer?: unknown;
      readonly jwks_uri?: unknown;
    };
    if (named !== issuer) throw new Error(`${url} names another issuer than ${issuer}`);
    if (typeof keySet !== 'string' || !URL.canParse(keySet)) {
      throw new Error(`${url} does not say where the keys are`);
    }
    const library = await import('jose');
    const keyOf = library.createRemoteJWKSet(new URL(keySet), {
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: ANSWER_MS_MAX,
      [library.customFetch]: async (asked: string) => {
        const { status, body } = await this.#keyDocument(asked);
        return new Response(new Uint8Array(body), { status });
      },
    });
    return { library, keyOf };
  }

  async #keyDocument(url: string): Promise<Answer> {
    const { authorities, onKeys } = this.#options;
    try {
      const answer = await getDocument(url, authorities);
      onKeys(answer.status === 200 && isJson(answer.body) ? answer.body.toString() : undefined);
      return answer;
    } catch (error) {
      onKeys(undefined);
      throw error;
    }
  }

  #unreachable(error: unknown): AuthenticationError {
    const why = (error as Error).message;
    this.#logOnce(`oidc: cannot get the keys of ${this.#options.issuer}: ${why}`);
    return new AuthenticationError(
      'failed to verify signature: fetching keys oidc: get keys failed',
    );
  }

  #logOnce(text: string): void {
    if (text !== this.#lastError) this.#options.logError(text);
    this.#lastError = text;
  }
}

/** The issuer has not said yet where its keys are. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

async function isSignedWith(
  { compactVerify }: typeof import('jose'),
  token: string,
  key: CryptoKey,
): Promise<boolean> {
  try {
    await compactVerify(token, key);
    return true;
  } catch {
    // The next key may have.
    return false;
  }
}
