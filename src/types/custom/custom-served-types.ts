/** The versions in which a custom type is served, as paths name them. */
import type { ServedType } from '../served-types.ts';
import { customKind } from './custom-kind.ts';
import { groupVersionIn, type CustomTypeFacts } from './custom-type-facts.ts';

/** Each version that is served, at its place. */
export function customServedTypes({ definition, places }: CustomTypeFacts): readonly ServedType[] {
  return definition.versions
    .filter(({ served }) => served)
    .map((version) => {
      const groupVersion = groupVersionIn(definition, version);
      const { kind } = definition.names;
      const { deprecationWarning = `${groupVersion} ${kind} is deprecated` } = version;
      return {
        definition: customKind(definition, version),
        index: places.indexOf(version.name) + 1,
        group: definition.group,
        version: version.name,
        groupVersion,
        deprecated: undefined,
        custom: {
          key: definition.name,
          warning: version.deprecated ? deprecationWarning : '',
          isTerminating: definition.isTerminating,
        },
      };
    });
}
