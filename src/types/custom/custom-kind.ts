/** The traits of a custom type in one of its versions, as a kind file says those of its own. */
import { deepEqual } from '../../base/deep-equal.ts';
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import { pathNames } from './custom-scale.ts';
import { unsupportedLabelText } from '../../semantics/selectors/field-selector.ts';
import type { DefinitionFacts, VersionFacts } from './definition-facts.ts';

/** `version` may lack a subresource that others have. */
export function customKind(
  { group, scope, names }: DefinitionFacts,
  version: VersionFacts,
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
