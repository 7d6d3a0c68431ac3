/**
 * All modes of `--authorization-mode`, in the order in which the help names them; the option says
 * in which they are asked. Who adds one adds it here. What each is stands beside it
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

/** The settings of authorization, as plain data that every thread can be given. */
export interface AuthorizationConfig {
  /** In the order in which they are asked. */
  readonly modes: readonly AuthorizationMode[];
  /** Those of each mode that has some. */
  readonly settings: {
    readonly [M in AuthorizationMode]?: ReturnType<Entries[M]['read']>;
  };
}

export const AUTHORIZERS: Readonly<Record<AuthorizationMode, AnyAuthorizer>> = ENTRIES;
const MODES = Object.keys(ENTRIES) as readonly AuthorizationMode[];

const MODE_FLAG = {
  'authorization-mode': {
    value: 'LIST',
    preset: 'Node,RBAC',
    help: `who decides, in order: some of ${MODES.join(', ')}`,
  },
} as const;

export const AUTHORIZATION_FLAGS = Object.assign(
  {},
  MODE_FLAG,
  ...MODES.map((mode) => AUTHORIZERS[mode].flags),
) as Readonly<Record<keyof typeof MODE_FLAG | ModeFlag, Flag>>;

/** Reads the files that the flags name. Throws ConfigError. */
export function authorizationConfig(
  values: Readonly<Record<keyof typeof AUTHORIZATION_FLAGS, string>>,
  gates: FeatureGates,
): AuthorizationConfig {
  const modes = modesOf(values['authorization-mode']);
  const settings = MODES.map((mode) => {
    return [mode, AUTHORIZERS[mode].read(values, modes.includes(mode), gates)] as const;
  });
  return {
    modes,
    settings: Object.fromEntries(settings.filter(([, its]) => its !== undefined)),
  };
}

function modesOf(value: string): readonly AuthorizationMode[] {
  const modes = value.split(',').map((mode) => mode.trim());
  const isMode = (mode: string): mode is AuthorizationMode => Object.hasOwn(ENTRIES, mode);
  if (modes.every(isMode) && new Set(modes).size === modes.length) return modes;
  throw new ConfigError(
    `--authorization-mode is "${value}": give some of ${MODES.join(', ')}, ` +
      'each once, with commas between them',
  );
}
