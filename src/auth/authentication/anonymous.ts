/** Requests that show nothing (../README.md#who-asks): they are of nobody who is known. */
import { switchOf } from '../../base/options/option-values.ts';
import { authenticator, type Nobody } from './authenticator-entry.ts';
import { ANONYMOUS } from './users.ts';

export interface AnonymousConfig {
  readonly isAllowed: boolean;
  /** Whether the option says so, and no file can. */
  readonly isGiven: boolean;
  /** Those that are open; none for all. */
  readonly paths: readonly string[];
}

const FLAG = 'anonymous-auth';

export const anonymous = authenticator({
  flags: {
    [FLAG]: {
      value: 'BOOL',
      preset: 'true',
      isSwitch: true,
      help: 'requests without credentials are of system:anonymous; never with AlwaysAllow',
    },
  },
  /** Where everybody may do everything, nobody does so without a name. */
  read: (values, { modes, isGiven }): AnonymousConfig => {
    const isAllowed = switchOf(FLAG, values[FLAG]) && !modes.includes('AlwaysAllow');
    return { isAllowed, isGiven: isGiven(FLAG), paths: [] };
  },
  load: ({ isAllowed, paths }): Nobody | undefined => {
    return isAllowed ? { user: ANONYMOUS, paths } : undefined;
  },
  make: (ofNobody) => ({ ofNobody }),
});
