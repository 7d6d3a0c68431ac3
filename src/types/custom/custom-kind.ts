/** The traits of a custom type in one of its versions, as a kind file says those of its own. */
import { deepEqual } from '../../base/deep-equal.ts';
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import { pathNames } from './custom-scale.ts';
import { unsupportedLabelText } from '../../semantics/selectors/field-selector.ts';
import type { DefinitionFacts, VersionFacts } from './definition-facts.ts';

/**
 * `version` may lack a subresource that others have; `fields` are the selectable fields of all
 * versions, with their values as stored objects have them.
 */
export function customKind(
  { group, scope, names }: DefinitionFacts,
  version: VersionFacts,
  fields: readonly string[] = [],
): KindDefinition {
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  const { hasStatus, scale } = version;
  return {
    group,
    version: version.name,
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    namespaced: scope === 'Namespaced',
    // Schemas describe its objects, no message does.
    nameRule: 'dnsSubdomain',
    ...(hasStatus && { statusSubresource: { metadataWritable: false, ownsSent: true } }),
    ...(scale !== undefined && {
      scaleSelector: () => '',
      replicasPath: pathNames(scale.specReplicasPath),
    }),
    freeGenerateName: true,
    unsupportedFieldText: unsupportedLabelText,
    ...(fields.length > 0 && {
      selectableFields: Object.fromEntries(
        fields.map((field) => [field, (object: ApiObject) => fieldValue(object, field)]),
      ),
    }),
    putCreates: false,
    unconditionalUpdate: false,
    deleteReturns: 'status',
    checksFinalizerNames: false,
    bumpsGeneration: (object, stored) => !deepEqual(withoutOwn(object), withoutOwn(stored), true),
  };

  /** The members whose changes the generation counts. */
  function withoutOwn(object: ApiObject): object {
    const { metadata: _metadata, ...members } = object;
    if (hasStatus) delete members['status'];
    return members;
  }
}

/** The values of selectable fields: texts as they are, others as JSON has them. */
export function fieldValues(object: ApiObject, fields: readonly string[]): readonly string[] {
  return fields.map((field) => fieldValue(object, field));
}

type Scalar = string | number | bigint | boolean;

function fieldValue(object: ApiObject, field: string): string {
  let value: unknown = object;
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return typeof value === 'object' || value === undefined ? '' : String(value as Scalar);
}
