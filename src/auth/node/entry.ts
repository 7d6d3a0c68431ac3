/** The mode `Node` (README.md). */
import { authorizer } from '../authorizer-entry.ts';

export const node = authorizer({
  flags: {},
  read: (_values, _isOn, gates) => gates,
  load: async () => {
    const { NodeAuthorizer } = await import('./node-authorizer.ts');
    return (gates, { follow }) => new NodeAuthorizer(follow, gates);
  },
});
