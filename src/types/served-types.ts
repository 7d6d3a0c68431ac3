/** Every resource type in every version in which it is served, as paths name it. */
import {
  groupVersionOf,
  type Deprecation,
  type KindDefinition,
  type KindVersion,
} from '../resources/kind.ts';
import { resourceKey } from '../resources/registry.ts';

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

/** The stored version of each kind, and its other versions. */
export function servedTypes(kinds: readonly KindDefinition[]): readonly ServedType[] {
  return kinds.flatMap((definition) =>
    [definition, ...(definition.otherVersions ?? [])].map((view, index) =>
      servedType(definition, view, index),
    ),
  );
}

function servedType(
  definition: KindDefinition,
  { group = definition.group, version, deprecated }: KindDefinition | KindVersion,
  index: number,
): ServedType {
  const groupVersion = groupVersionOf({ group, version });
  return { definition, index, group, version, groupVersion, deprecated };
}

/**
 * The warning to users of a deprecated version (src/resources/README.md#versions): `batch/v1beta1
 * CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob`.
 */
export function deprecationWarning({
  definition,
  groupVersion,
  deprecated,
  custom,
}: ServedType): string {
  if (deprecated === undefined) return custom?.warning ?? '';
  const { since, removedIn, replacement } = deprecated;
  const instead = replacement === '' ? '' : `; use ${replacement}`;
  const what = `${groupVersion} ${definition.kind}`;
  return `${what} is deprecated in v${since}+, unavailable in v${removedIn}+${instead}`;
}
