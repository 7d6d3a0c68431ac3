/**
 * A way of authentication as options and threads know it. Each is made of what its flags say in
 * three steps: the flags are checked (`read`), what they name is read once for all threads
 * (`load`), and each thread that needs it makes its own (`make`).
 */
import type { Flag } from '../../base/options/flag.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import type { User } from '../../semantics/user.ts';
import type { Authenticated, Credentials } from '../authenticator.ts';
import type { ServiceAccountTokens } from '../service-account-tokens.ts';
import type { AccountFacts } from './account-facts.ts';
import type { TokenWay } from './token-way.ts';

/** Facts about authentication that do not come from the flags of one entry. */
export interface AuthenticationSources {
  readonly dataDir: string;
  readonly adminToken: string;
  /** An option names authorities that sign certificates of clients. */
  readonly trustsClientCertificates: boolean;
}

/** The meaning of flags depends on these, besides their values. */
export interface ReadingNeeds {
  /** Those that authorize. */
  readonly modes: readonly string[];
  readonly gates: FeatureGates;
  /** Whether a flag was given. */
  readonly isGiven: (flag: string) => boolean;
}

/** The tools of a thread. */
export interface AuthenticationNeeds {
  readonly tokens: ServiceAccountTokens;
  readonly facts: AccountFacts;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
  /** The server, in the thread that counts how issuers are asked for keys. */
  readonly countsKeysAs?: string | undefined;
}

/** Undefined where the request shows nothing of this way's; throws AuthenticationError. */
export type RequestWay = (credentials: Credentials) => Authenticated | undefined;

/** Who shows nothing, where that is let in. */
export interface Nobody {
  readonly user: User;
  /** Those that are open to them; none for all. */
  readonly paths: readonly string[];
}

/** It looks at the request, before any token; at a bearer token; or at there being neither. */
export type Way =
  | { readonly ofRequest: RequestWay }
  | { readonly ofToken: TokenWay }
  | { readonly ofNobody: Nobody };

export interface AuthenticatorEntry<FlagName extends string, Config, Settings> {
  readonly flags: Readonly<Record<FlagName, Flag>>;
  /** Reads its flags into plain data, and no files. Throws ConfigError. */
  readonly read: (values: Readonly<Record<FlagName, string>>, needs: ReadingNeeds) => Config;
  /**
   * All that it takes to make it, as plain data that threads can be given; undefined where it is
   * off. Throws ConfigError.
   */
  readonly load: (config: Config, sources: AuthenticationSources) => Settings;
  /**
   * Makes it in a thread. Its code is loaded here: options are read before the dialect is chosen,
   * and what is imported above takes no names.
   */
  readonly make: (
    settings: Exclude<Settings, undefined>,
    needs: AuthenticationNeeds,
  ) => Way | Promise<Way>;
}

/** Any of them: whoever goes through all gives each what is its own. */
export interface AnyAuthenticator {
  readonly flags: Readonly<Record<string, Flag>>;
  readonly read: (values: Readonly<Record<string, string>>, needs: ReadingNeeds) => unknown;
  readonly load: (config: never, sources: AuthenticationSources) => unknown;
  readonly make: (settings: never, needs: AuthenticationNeeds) => Way | Promise<Way>;
}

/** Has its types follow from each other. */
export function authenticator<FlagName extends string, Config, Settings>(
  entry: AuthenticatorEntry<FlagName, Config, Settings>,
): AuthenticatorEntry<FlagName, Config, Settings> {
  return entry;
}
