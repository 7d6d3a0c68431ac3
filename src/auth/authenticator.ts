/** The interface of all ways of authentication, which stand in `authentication/`. */
import type { User } from '../semantics/user.ts';

/** A certificate that the client has shown, and proved that it has the key of. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The SHA-256 of the whole of it, in hexadecimal digits. */
  readonly fingerprint: string;
  /** When it ends, in milliseconds since 1970. */
  readonly endMs: number;
  /** Which authorities of the options have signed it: none where it does not hold, or not now. */
  readonly signedBy: { readonly clients: boolean; readonly frontProxy: boolean };
}

/** The credentials that a request shows. */
export interface Credentials {
  /** The bearer token, of a header or of a WebSocket subprotocol; '' for none. */
  readonly token: string;
  readonly certificate?: ClientCertificate;
  /** The path of the request, decoded and without the query. */
  readonly path: string;
  /** All values of a header, by its name in lower case. */
  headers(name: string): readonly string[];
  /** Names of all headers, in lower case. */
  headerNames(): readonly string[];
}

export interface Authenticated {
  readonly user: User;
  /** The audiences of the token that the caller may go by; absent where it has none. */
  readonly audiences?: readonly string[];
  /** Warnings for who shows the credentials. */
  readonly warnings?: readonly string[];
  /** The audit log is told this of the credentials. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Undefined where the credentials are none of this way's; throws AuthenticationError where they are
 * and do not hold. It answers at once where it can, so that such requests take one turn.
 */
export interface Authenticator {
  authenticate(
    credentials: Credentials,
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}

/** It also knows tokens that are shown to others, who ask whose they are. */
export interface TokenAuthenticator extends Authenticator {
  /**
   * Whose a token is that is for one of these audiences. Throws AuthenticationError, at once or
   * later, with what is wrong with it.
   */
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Authenticated | Promise<Authenticated>;
}

/** Credentials that do not hold. `message` says why, and nothing of what they are. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
}
