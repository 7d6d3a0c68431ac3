/** Finds what an applied configuration would replace as a whole (README.md#mutations). */
import type { Members } from '../../../codec/model/schema-model.ts';
import { memberType, type FieldType } from '../../../semantics/fields/field-types.ts';
import { isMembers } from '../../../semantics/patch/document.ts';

/** The paths of the atomic lists, maps and structs in a document that fits its type. */
export function atomicParts(type: FieldType, document: Members): readonly string[] {
  const found: string[] = [];
  collect(type, document, '', found);
  return found;
}

function collect(type: FieldType, value: unknown, path: string, found: string[]): void {
  if (Array.isArray(value)) {
    if (type.kind !== 'list') return;
    if (type.relation === 'atomic') found.push(path);
    value.forEach((item, at) => collect(type.item, item, `${path}[${at}]`, found));
  } else if (isMembers(value) && (type.kind === 'struct' || type.kind === 'map')) {
    if (type.isAtomic) found.push(path);
    for (const name of Object.keys(value)) {
      collect(memberType(type, name), value[name], `${path}.${name}`, found);
    }
  }
}
