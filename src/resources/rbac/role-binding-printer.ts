/** A RoleBinding or a ClusterRoleBinding in a Table. */
import type { Subject } from '#messages/rbac.v1';
import { AGE, NAME, nameBelow } from '../printer-cells.ts';
import { definePrinter, text, wide } from '../printer.ts';

const SUBJECTS = 'subjects{kind name namespace}';

// prettier-ignore
export const BINDING_PRINTER = definePrinter([
  NAME,
  text('Role', 'The role that is given, by kind and name.', 'roleRef.kind roleRef.name', nameBelow),
  AGE,
  wide('Users', 'The users that it is given to.', SUBJECTS, named('User')),
  wide('Groups', 'The groups that it is given to.', SUBJECTS, named('Group')),
  wide('ServiceAccounts', 'The accounts that it is given to, by namespace.', SUBJECTS,
    named('ServiceAccount')),
]);

function named(wanted: string) {
  return (subjects: readonly Subject[] = []): string =>
    subjects
      .filter(({ kind }) => kind === wanted)
      .map(({ name = '', namespace }) =>
        wanted === 'ServiceAccount' ? nameBelow(namespace, name) : name,
      )
      .join(', ');
}
