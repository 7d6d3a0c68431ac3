/** Shows a definition in a Table. */
import type {
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionVersion,
} from '#messages/apiextensions.v1';
import { ownRelease } from '../../release/release.ts';
import { AGE, DEFAULT_PRINTER, NAME } from '../printer-cells.ts';
import { date, definePrinter, flag, text, wide } from '../printer.ts';

export const DEFINITION_PRINTER = ownRelease().has('columnsOfDefinitions')
  ? definePrinter([
      NAME,
      text('Scope', 'Whether its objects are in namespaces.', 'spec.scope'),
      text('Versions', 'Those that are served.', 'spec.versions{name served storage}', servedText),
      date('Created At', 'When the object was created, by the clock of the server.', AGE.reads),
      wide('Group', 'The API group of its objects.', 'spec.group'),
      wide('Kind', 'The kind of its objects.', 'spec.names.kind'),
      wide('ShortNames', 'Short names of its objects.', 'spec.names.shortNames', joined),
      {
        ...flag('Established', 'Whether it is served.', 'status.conditions{type status}', isServed),
        priority: 1,
      },
    ])
  : DEFAULT_PRINTER;

function servedText(versions: readonly CustomResourceDefinitionVersion[] = []): string {
  return versions
    .filter(({ served }) => served)
    .map(({ name = '', storage }) => `${name}${storage ? '(storage)' : ''}`)
    .sort()
    .join(',');
}

function joined(names: readonly string[] = []): string {
  return names.join(',');
}

function isServed(conditions: readonly CustomResourceDefinitionCondition[] = []): boolean {
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
