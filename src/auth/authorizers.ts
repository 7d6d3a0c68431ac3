/**
 * All modes of authorization, in the order in which the help names them; options or a file say in
 * which they are asked. Who adds one adds it here. What each is stands beside it
 * (authorizer-entry.ts).
 */
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag } from '../base/options/flag.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { AnyAuthorizer } from './authorizer-entry.ts';
import { alwaysAllow, alwaysDeny } from './fixed-authorizers.ts';
import { node } from './node/entry.ts';
import { rbac } from './rbac/entry.ts';
import { webhook } from './webhook/entry.ts';

const ENTRIES = {
  Node: node,
  RBAC: rbac,
  Webhook: webhook,
  AlwaysAllow: alwaysAllow,
  AlwaysDeny: alwaysDeny,
};

type Entries = typeof ENTRIES;
/** As options name them. */
export type AuthorizationMode = keyof Entries;
type FlagsOf<Entry> = Entry extends { readonly flags: infer Flags } ? keyof Flags & string : never;
type ModeFlag = { [M in AuthorizationMode]: FlagsOf<Entries[M]> }[AuthorizationMode];

/** One of those that are asked, as plain data that every thread can be given. */
export interface ChainedAuthorizer {
  readonly mode: AuthorizationMode;
  /** As reasons and metrics call it. */
  readonly name: string;
  /** Those of the mode, where it has some. */
  readonly settings: unknown;
}

export interface AuthorizationConfig {
  /** In the order in which they are asked; none where a file tells that is not read yet. */
  readonly chain: readonly ChainedAuthorizer[];
  /** The file that tells it, '' where options do. */
  readonly file: string;
}

export const AUTHORIZERS: Readonly<Record<AuthorizationMode, AnyAuthorizer>> = ENTRIES;
export const MODES = Object.keys(ENTRIES) as readonly AuthorizationMode[];

const MODE = 'authorization-mode';
const FILE = 'authorization-config';
const GATE = 'StructuredAuthorizationConfiguration';

const OWN_FLAGS = {
  [MODE]: {
    value: 'LIST',
    preset: 'Node,RBAC',
    help: `who decides, in order: some of ${MODES.join(', ')}`,
  },
  [FILE]: {
    value: 'FILE',
    preset: '',
    help: 'who decides, in order, with webhooks: instead of the options above and below',
  },
} as const;

const MODE_FLAGS = Object.assign({}, ...MODES.map((mode) => AUTHORIZERS[mode].flags)) as Readonly<
  Record<ModeFlag, Flag>
>;

export const AUTHORIZATION_FLAGS: Readonly<Record<keyof typeof OWN_FLAGS | ModeFlag, Flag>> = {
  ...OWN_FLAGS,
  ...MODE_FLAGS,
};

/**
 * Reads the files that the flags of modes name, but not that of `--authorization-config`.
 * `isGiven`: that flag was given. Throws ConfigError.
 */
export function authorizationConfig(
  values: Readonly<Record<keyof typeof AUTHORIZATION_FLAGS, string>>,
  gates: FeatureGates,
  isGiven: (flag: string) => boolean,
): AuthorizationConfig {
  const file = values[FILE];
  if (file !== '') {
    if (!gates.has(GATE)) {
      throw new ConfigError(`--${FILE} cannot be used without enabling ${GATE} feature flag`);
    }
    if ([MODE, ...Object.keys(MODE_FLAGS)].some(isGiven)) {
      throw new ConfigError(
        `--${FILE} can not be specified when --${MODE} or --authorization-webhook-* ` +
          'flags are defined',
      );
    }
    return { chain: [], file };
  }
  const modes = modesOf(values[MODE]);
  const settings = new Map(
    MODES.map((mode) => [mode, AUTHORIZERS[mode].read(values, modes.includes(mode), gates)]),
  );
  const chain = modes.map((mode) => {
    return { mode, name: nameOfMode(mode), settings: settings.get(mode) };
  });
  return { chain, file };
}

export function isMode(text: string): text is AuthorizationMode {
  return Object.hasOwn(ENTRIES, text);
}

/** The one that options name; webhooks of files have names of their own. */
export function nameOfMode(mode: AuthorizationMode): string {
  return mode === 'Webhook' ? 'default' : mode.toLowerCase();
}

function modesOf(value: string): readonly AuthorizationMode[] {
  const modes = value.split(',').map((mode) => mode.trim());
  if (modes.every(isMode) && new Set(modes).size === modes.length) return modes;
  throw new ConfigError(
    `--${MODE} is "${value}": give some of ${MODES.join(', ')}, ` +
      'each once, with commas between them',
  );
}
