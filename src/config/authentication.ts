/** Options about who is known. */
import type { Flag, FlagValues } from './flag.ts';

export const AUTHENTICATION_FLAGS = {
  'token-auth-file': {
    value: 'FILE',
    preset: '',
    help: 'more bearer tokens: lines of token,user,uid[,"group1,group2"]',
  },
} as const satisfies Record<string, Flag>;

export interface AuthenticationConfig {
  /** '' when none is given. */
  readonly tokenAuthFile: string;
}

/** Throws ConfigError. */
export function authenticationConfig(
  values: FlagValues<typeof AUTHENTICATION_FLAGS>,
): AuthenticationConfig {
  return { tokenAuthFile: values['token-auth-file'] };
}
