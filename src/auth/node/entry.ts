/** The mode `Node` (README.md). */
import { authorizer } from '../authorizer-entry.ts';

export const node = authorizer({
  flags: {},
  read: (_values, _isOn, gates) => gates,
  load: async (gates) => {
    const { NodeAuthorizer } = await import('./node-authorizer.ts');
    return ({ follow }) => new NodeAuthorizer(follow, gates);
  },
});
