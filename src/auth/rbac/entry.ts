/** The mode `RBAC` (README.md). */
import { authorizer } from '../authorizer-entry.ts';

export const rbac = authorizer({
  flags: {},
  read: () => undefined,
  load: async () => {
    const { RbacAuthorizer } = await import('./rbac-authorizer.ts');
    return ({ follow, rbac: followed }) => followed ?? new RbacAuthorizer(follow);
  },
});
