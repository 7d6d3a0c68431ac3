/** A RoleBinding or a ClusterRoleBinding in a Table (README.md#tables). */
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf, wideColumn } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import type { Binding } from './role-binding-rules.ts';

export const BINDING_PRINTER = definePrinter<Binding>()({
  columns: [
    NAME_COLUMN,
    column('Role', 'string', 'The role that is given, by kind and name.'),
    AGE_COLUMN,
    wideColumn('Users', 'string', 'The users that it is given to.'),
    wideColumn('Groups', 'string', 'The groups that it is given to.'),
    wideColumn('ServiceAccounts', 'string', 'The accounts that it is given to, by namespace.'),
  ],
  members: {
    roleRef: { kind: true, name: true },
    subjects: { kind: true, name: true, namespace: true },
  },
  cells(object) {
    const { roleRef = {}, subjects = [] } = object;
    const named = (kind: string): string =>
      subjects
        .filter((subject) => subject.kind === kind)
        .map(({ name = '', namespace = '' }) =>
          kind === 'ServiceAccount' ? `${namespace}/${name}` : name,
        )
        .join(', ');
    return [
      nameOf(object),
      `${roleRef.kind ?? ''}/${roleRef.name ?? ''}`,
      ageOf(object),
      named('User'),
      named('Group'),
      named('ServiceAccount'),
    ];
  },
});
