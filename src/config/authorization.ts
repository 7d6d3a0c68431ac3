/** Options about who may do what. */
import { AUTHORIZATION_MODES } from '../auth/authorization-config.ts';
import type { AuthorizationConfig, AuthorizationMode } from '../auth/authorization-config.ts';
import { ConfigError } from './config-error.ts';
import type { Flag, FlagValues } from './flag.ts';

export const AUTHORIZATION_FLAGS = {
  'authorization-mode': {
    value: 'LIST',
    preset: 'Node,RBAC',
    help: `who decides, in order: some of ${AUTHORIZATION_MODES.join(', ')}`,
  },
} as const satisfies Record<string, Flag>;

/** Throws ConfigError. */
export function authorizationConfig(
  values: FlagValues<typeof AUTHORIZATION_FLAGS>,
): AuthorizationConfig {
  return { modes: modesOf(values['authorization-mode']) };
}

function modesOf(value: string): readonly AuthorizationMode[] {
  const modes = value.split(',').map((mode) => mode.trim());
  const isMode = (mode: string): mode is AuthorizationMode =>
    (AUTHORIZATION_MODES as readonly string[]).includes(mode);
  if (modes.every(isMode) && new Set(modes).size === modes.length) return modes;
  throw new ConfigError(
    `--authorization-mode is "${value}": give some of ${AUTHORIZATION_MODES.join(', ')}, ` +
      'each once, with commas between them',
  );
}
