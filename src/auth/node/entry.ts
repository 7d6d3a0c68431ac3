/** The mode `Node` (README.md). */
import { authorizer } from '../authorizer-entry.ts';

export const node = authorizer({
  flags: {},
  read: () => undefined,
  load: async () => {
    const { NodeAuthorizer } = await import('./node-authorizer.ts');
    return (_, { follow }) => new NodeAuthorizer(follow);
  },
});
