/** Requests that show nothing (../README.md#who-asks): they are of nobody who is known. */
import { switchOf } from '../../base/options/option-values.ts';
import { authenticator } from './authenticator-entry.ts';
import { ANONYMOUS } from './users.ts';

export const anonymous = authenticator({
  flags: {
    'anonymous-auth': {
      value: 'BOOL',
      preset: 'true',
      isSwitch: true,
      help: 'requests without credentials are of system:anonymous; never with AlwaysAllow',
    },
  },
  /** Where everybody may do everything, nobody does so without a name. */
  read: (values, modes) => {
    const isAllowed = switchOf('anonymous-auth', values['anonymous-auth']);
    return { isAllowed: isAllowed && !modes.includes('AlwaysAllow') };
  },
  load: ({ isAllowed }) => (isAllowed ? ANONYMOUS : undefined),
  make: (ofNobody) => ({ ofNobody }),
});
