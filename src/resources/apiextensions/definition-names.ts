/** The names of a defined kind (README.md#custom-resource-definitions). */
import type { CustomResourceDefinitionNames } from '#messages/apiextensions.v1';
import {
  addJoinedProblems,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dns1035Label } from '../../semantics/metadata/names.ts';

/** Adds the problems of names at the path `field`; those of a status may be missing. */
export function checkDefinitionNames(
  names: CustomResourceDefinitionNames,
  field: string,
  needed: boolean,
  errors: FieldError[],
): void {
  const members = ['plural', 'singular', 'kind', 'listKind'] as const;
  for (const member of needed ? members : []) {
    if ((names[member] ?? '') === '') errors.push(required(`${field}.${member}`));
  }
  for (const member of members) {
    const value = names[member] ?? '';
    const path = `${field}.${member}`;
    if (value === '') continue;
    if (member === 'kind' || member === 'listKind') {
      const problems = dns1035Label(value.toLowerCase());
      if (problems.length === 0) continue;
      const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
      errors.push(invalid(path, value, detail));
    } else {
      addJoinedProblems(dns1035Label(value), path, value, errors);
    }
  }
  checkLabels(names.shortNames, `${field}.shortNames`, errors);
  const { kind = '', listKind = '' } = names;
  if (kind !== '' && kind === listKind) {
    const detail = 'kind and listKind may not be the same';
    errors.push(invalid(`${field}.listKind`, listKind, detail));
  }
  checkLabels(names.categories, `${field}.categories`, errors);
}

function checkLabels(labels: readonly string[] = [], field: string, errors: FieldError[]): void {
  labels.forEach((label, index) => {
    addJoinedProblems(dns1035Label(label), `${field}[${index}]`, label, errors);
  });
}
