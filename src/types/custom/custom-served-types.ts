/** The versions in which a custom type is served, as paths name them. */
import type { ServedType } from '../served-types.ts';
import { customKind } from './custom-kind.ts';
import { customKey, groupVersionIn, type CustomTypeFacts } from './custom-type-facts.ts';
import type { DefinitionFacts, VersionFacts } from './definition-facts.ts';
import { compareVersionNames } from './version-priority.ts';

/** Each version that is served, at its place. */
export function customServedTypes({ definition, places }: CustomTypeFacts): readonly ServedType[] {
  return definition.versions
    .filter(({ served }) => served)
    .map((version) => {
      const groupVersion = groupVersionIn(definition, version);
      return {
        definition: customKind(definition, version),
        index: places.indexOf(version.name) + 1,
        group: definition.group,
        version: version.name,
        groupVersion,
        deprecated: undefined,
        custom: {
          key: customKey(definition.name),
          warning: version.deprecated ? deprecationWarning(definition, version) : '',
          isTerminating: definition.isTerminating,
        },
      };
    });
}

/** The warning of the definition, or that a version is deprecated and which one to use. */
function deprecationWarning(definition: DefinitionFacts, version: VersionFacts): string {
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { names, versions } = definition;
  const what = (one: VersionFacts): string => `${groupVersionIn(definition, one)} ${names.kind}`;
  const [preferred] = versions
    .filter(({ served, deprecated }) => served && !deprecated)
    .filter(({ name }) => compareVersionNames(name, version.name) < 0)
    .sort((one, other) => compareVersionNames(one.name, other.name));
  const instead = preferred === undefined ? '' : `; use ${what(preferred)}`;
  return `${what(version)} is deprecated${instead}`;
}
