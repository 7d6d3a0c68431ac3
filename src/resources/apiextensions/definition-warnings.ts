/** Warnings to the clients that write a definition (README.md#custom-resource-definitions). */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import { ownRelease } from '../../release/release.ts';
import { isFormatOf } from '../../schema/string-formats.ts';
import { forEachBelow, itemSchema, schemaOf, typeOf, type Schema } from './schema-node.ts';

const WARNS_OF_FORMATS = ownRelease().has('warnedOfFormats');
const WARNS_OF_SETS = ownRelease().has('warnedOfSets');

/** Warnings of formats that nothing checks, and of sets whose items are no scalars, each once. */
export function definitionWarnings({ spec }: CustomResourceDefinition): string[] {
  if (!WARNS_OF_FORMATS) return [];
  const formats = new Set<string>();
  const sets = new Set<string>();
  const look = (schema: Schema): void => {
    const { format } = schema;
    if (typeof format === 'string' && format !== '' && !isFormatOf(typeOf(schema), format)) {
      formats.add(format);
    }
    const type = schema['x-kubernetes-list-type'] === 'set' ? typeOf(itemSchema(schema) ?? {}) : '';
    if (type === 'object' || type === 'array') sets.add(type);
    forEachBelow(schema, look);
  };
  for (const { schema } of spec?.versions ?? []) look(schemaOf(schema?.openAPIV3Schema));
  const ofFormats = [...formats].map((format) => `unrecognized format ${JSON.stringify(format)}`);
  return WARNS_OF_SETS ? [...ofFormats, ...[...sets].toSorted().map(setWarning)] : ofFormats;
}

/** Those that the stored definition does not have. */
export function newDefinitionWarnings(
  object: CustomResourceDefinition,
  stored: CustomResourceDefinition,
): string[] {
  const known = new Set(definitionWarnings(stored));
  return definitionWarnings(object).filter((warning) => !known.has(warning));
}

function setWarning(type: string): string {
  return (
    `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side ` +
    'apply or CEL validation rules'
  );
}
