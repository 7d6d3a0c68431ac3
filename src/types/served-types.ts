/** Every resource type in every version in which it is served, as paths name it. */
import { groupVersionOf, type KindDefinition, type KindVersion } from '../resources/kind.ts';
import {
  deprecationOf,
  deprecationText,
  isReleased,
  type Deprecation,
} from '../resources/kind-lives.ts';
import { KINDS, resourceKey } from '../resources/registry.ts';

/** Facts of a version of a custom type alone. */
export interface CustomServing {
  /** The name of its shard: that of the definition. */
  readonly key: string;
  /** The warning to users of a deprecated version; '' for others. */
  readonly warning: string;
  /** Its objects are going, and none may be made. */
  readonly isTerminating: boolean;
}

export interface ServedType {
  readonly definition: KindDefinition;
  /** The place of the version among those of the kind; 0 is the stored one. */
  readonly index: number;
  readonly group: string;
  readonly version: string;
  /** `v1`, `batch/v1`. */
  readonly groupVersion: string;
  readonly deprecated: Deprecation | undefined;
  /** Absent for built-in types. */
  readonly custom?: CustomServing;
}

/** The name of the shard that serves the type. */
export function shardKey({ definition, custom }: ServedType): string {
  return custom?.key ?? resourceKey(definition);
}

/**
 * The stored version of each built-in kind, and its other versions: those that the release has. A
 * thread needs them at several places of its start.
 */
export const BUILT_IN_TYPES: readonly ServedType[] = KINDS.flatMap((definition) => {
  const { group, kind, otherVersions = [] } = definition;
  return [definition, ...otherVersions]
    .map((view, index) => ({ view, index }))
    .filter(({ view }) => {
      return isReleased({ group: view.group ?? group, version: view.version, kind });
    })
    .map(({ view, index }) => servedType(definition, view, index));
});

function servedType(
  definition: KindDefinition,
  { group = definition.group, version }: KindDefinition | KindVersion,
  index: number,
): ServedType {
  const groupVersion = groupVersionOf({ group, version });
  const deprecated = deprecationOf({ group, version, kind: definition.kind });
  return { definition, index, group, version, groupVersion, deprecated };
}

/** The warning to users of a deprecated version; '' for others. */
export function deprecationWarning({
  definition,
  groupVersion,
  deprecated,
  custom,
}: ServedType): string {
  if (deprecated === undefined) return custom?.warning ?? '';
  return deprecationText(`${groupVersion} ${definition.kind}`, deprecated);
}
