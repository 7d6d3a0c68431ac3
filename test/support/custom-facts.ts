/** Definitions of custom types as the server knows them, with as much as a test says. */
import type { DefinitionFacts, VersionFacts } from '../../src/types/custom/definition-facts.ts';

export function versionFacts(name: string, more: Partial<VersionFacts> = {}): VersionFacts {
  const facts = { served: true, storage: name === 'v1', deprecated: false, hasStatus: false };
  return { name, ...facts, columns: [], schemaText: '{"type":"object"}', ...more };
}

/** An established definition of `kind` in `example.com/v1`. */
export function definitionOf(kind: string, more: Partial<DefinitionFacts> = {}): DefinitionFacts {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const { group = 'example.com' } = more;
  return {
    name: `${plural}.${group}`,
    uid: `uid of ${kind}`,
    generation: 1,
    group,
    scope: 'Namespaced',
    names: { plural, singular, kind, listKind: `${kind}List`, shortNames: [], categories: [] },
    versions: [versionFacts('v1')],
    conversion: { strategy: 'None' },
    preserveUnknownFields: false,
    isEstablished: true,
    isTerminating: false,
    ...more,
  };
}
