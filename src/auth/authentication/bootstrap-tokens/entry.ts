/** Tokens by which nodes join (../../README.md#bootstrap-tokens). */
import { switchOf } from '../../../base/options/option-values.ts';
import { authenticator } from '../authenticator-entry.ts';

const FLAG = 'enable-bootstrap-token-auth';

export const bootstrapTokens = authenticator({
  flags: {
    [FLAG]: {
      value: 'BOOL',
      preset: 'false',
      isSwitch: true,
      help: 'nodes may join with the tokens in Secrets of the system namespace',
    },
  },
  read: ({ [FLAG]: value }) => ({ isOn: switchOf(FLAG, value) }),
  load: ({ isOn }) => isOn || undefined,
  make: async (_, { tokens: { apiAudiences }, facts, nowMs }) => {
    const { BootstrapTokens } = await import('./bootstrap-tokens.ts');
    return { ofToken: new BootstrapTokens({ facts, apiAudiences, nowMs }) };
  },
});
