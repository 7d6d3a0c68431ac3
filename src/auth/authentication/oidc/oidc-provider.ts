/**
 * An OpenID Connect issuer: it says where its keys are, and which they are. It may be down when
 * this server starts, and may change its keys at any time.
 */
import type { IncomingMessage } from 'node:http';
import type { CompactVerifyGetKey, CryptoKey } from 'jose';
import { collectBytes } from '../../../base/collect-bytes.ts';
import { AuthenticationError } from '../../authenticator.ts';

export interface ProviderOptions {
  readonly issuer: string;
  /** PEM of those who sign its certificate; '' for those that the runtime trusts. */
  readonly authorities: string;
  readonly logError: (text: string) => void;
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
const ANSWER_MS_MAX = 30_000;
/** An issuer has a few keys of some KB. */
const ANSWER_BYTES_MAX = 1024 * 1024;

export class OidcProvider {
  readonly #options: ProviderOptions;
  #keys: Promise<Keys>;
  #lastError = '';

  /** Asks the issuer at once, and again until it answers. */
  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#keys = this.#ask();
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
        'oidc: verify token: failed to verify signature: failed to verify id token signature',
      );
    }
  }

  #ask(): Promise<Keys> {
    const keys = this.#discover().catch((error: unknown) => {
      this.#logOnce(`oidc: ${(error as Error).message}`);
      const again = (): void => {
        this.#keys = this.#ask();
      };
      setTimeout(again, RETRY_MS).unref();
      throw new AuthenticationError('oidc: authenticator not initialized');
    });
    // It concerns those who have tokens, if there are any.
    keys.catch(() => undefined);
    return keys;
  }

  async #discover(): Promise<Keys> {
    const { issuer, authorities } = this.#options;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
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
        const { status, body } = await getDocument(asked, authorities);
        return new Response(new Uint8Array(body), { status });
      },
    });
    return { library, keyOf };
  }

  #unreachable(error: unknown): AuthenticationError {
    const why = (error as Error).message;
    this.#logOnce(`oidc: cannot get the keys of ${this.#options.issuer}: ${why}`);
    return new AuthenticationError(
      'oidc: verify token: failed to verify signature: fetching keys oidc: get keys failed',
    );
  }

  #logOnce(text: string): void {
    if (text !== this.#lastError) this.#options.logError(text);
    this.#lastError = text;
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

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Rejects when there is no answer, in time and of a length that can be one. */
function getDocument(url: string, authorities: string): Promise<Answer> {
  // Not imported: that would load Node's HTTP client with each start.
  const https = process.getBuiltinModule('node:https');
  return new Promise((resolve, reject) => {
    const request = https.request(
      url,
      {
        agent: false,
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        // As in the reference what is in the file is trusted, signed by another or not.
        ...(authorities !== '' && { ca: authorities, allowPartialTrustChain: true }),
      },
      (message) => {
        readAnswer(message).then(resolve, reject);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

async function readAnswer(message: IncomingMessage): Promise<Answer> {
  const body = await collectBytes(message, ANSWER_BYTES_MAX + 1);
  if (body.length > ANSWER_BYTES_MAX) {
    throw new Error(`an answer is longer than ${ANSWER_BYTES_MAX} bytes`);
  }
  return { status: message.statusCode ?? 0, body };
}
