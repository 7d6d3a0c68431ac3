/**
 * All ways of authentication, in the order in which they are asked: who adds one adds it here. What
 * each is stands beside it (authenticator-entry.ts).
 */
import type { Flag } from '../../base/options/flag.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { anonymous } from './anonymous.ts';
import type {
  AnyAuthenticator,
  AuthenticationSources,
  ReadingNeeds,
} from './authenticator-entry.ts';
import { bootstrapTokens } from './bootstrap-tokens/entry.ts';
import { clientCertificates } from './client-certificates/entry.ts';
import { frontProxy } from './front-proxy.ts';
import { oidc } from './oidc/entry.ts';
import { serviceAccounts } from './service-accounts/entry.ts';
import { staticTokens } from './static-tokens.ts';
import { webhook } from './webhook-tokens/entry.ts';

/** Those that look at the whole request are asked before those that look at its token. */
const ENTRIES = {
  frontProxy,
  clientCertificates,
  staticTokens,
  serviceAccounts,
  bootstrapTokens,
  oidc,
  webhook,
  anonymous,
};

/** Whose flags the help tells first, and which are read first; the others follow in their order. */
const TOLD_FIRST: readonly Name[] = [
  'staticTokens',
  'anonymous',
  'bootstrapTokens',
  'serviceAccounts',
];

type Entries = typeof ENTRIES;
type Name = keyof Entries;
type FlagsOf<Entry> = Entry extends { readonly flags: infer Flags } ? keyof Flags & string : never;
type AuthenticationFlag = { [N in Name]: FlagsOf<Entries[N]> }[Name];

/** The flags of each, read. */
export type AuthenticationConfig = {
  readonly [N in Name]: ReturnType<Entries[N]['read']>;
};

/** The settings of each, as plain data that every thread can be given; undefined: it is off. */
export type AuthenticationSettings = {
  readonly [N in Name]: ReturnType<Entries[N]['load']>;
};

export const AUTHENTICATORS: Readonly<Record<Name, AnyAuthenticator>> = ENTRIES;
const NAMES = Object.keys(ENTRIES) as readonly Name[];
const AS_TOLD = [...new Set([...TOLD_FIRST, ...NAMES])];

export const AUTHENTICATION_FLAGS = Object.assign(
  {},
  ...AS_TOLD.map((name) => AUTHENTICATORS[name].flags),
) as Readonly<Record<AuthenticationFlag, Flag>>;

/** Reads no files. Throws ConfigError. */
export function authenticationConfig(
  values: Readonly<Record<AuthenticationFlag, string>>,
  needs: ReadingNeeds,
): AuthenticationConfig {
  return ofEach((entry) => entry.read(values, needs)) as AuthenticationConfig;
}

/** Reads all files that it takes to know users. Throws ConfigError, or TokenFileError. */
export function readAuthentication(
  config: AuthenticationConfig,
  sources: AuthenticationSources,
): AuthenticationSettings {
  return ofEach((entry, name) => {
    return entry.load(config[name] as never, sources) as unknown;
  }) as AuthenticationSettings;
}

/** Undefined where no option names one; its code is not loaded then. Rejects with ConfigError. */
export async function readAuthenticationFile(config: AuthenticationConfig, gates: FeatureGates) {
  if (config.oidc.file === '') return undefined;
  const file = await import('./authentication-file.ts');
  const read = await file.readAuthenticationFile(config, gates);
  return { read, follow: file.reloadJwtFile };
}

function ofEach(get: (entry: AnyAuthenticator, name: Name) => unknown): object {
  return Object.fromEntries(AS_TOLD.map((name) => [name, get(AUTHENTICATORS[name], name)]));
}
