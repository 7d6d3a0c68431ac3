/** Every kind that has more than one version, and how objects get from one to another. */
import {
  groupVersionOf,
  type ApiObject,
  type KindDefinition,
  type KindVersion,
} from '../resources/kind.ts';
import { boundsOf, everDeprecated, type KindInVersion } from '../resources/kind-lives.ts';
import { KINDS } from '../resources/registry.ts';
import { VIRTUAL_KINDS, type VirtualKind } from '../resources/virtual-kinds.ts';
import type { ManifestVersion, Report } from './manifest-version.ts';
import { REMOVED_VERSIONS } from './removed-versions.ts';
import { AFTER_FROM_STORED, AFTER_TO_STORED } from './served-rules.ts';

export interface ManifestKind {
  readonly kind: string;
  readonly plural: string;
  /** The first one is the stored one, which all others are converted by. */
  readonly versions: readonly ManifestVersion[];
}

/** By the kind's name: no two built-in kinds have the same. */
export const MANIFEST_KINDS: ReadonlyMap<string, ManifestKind> = new Map(
  [...KINDS, ...VIRTUAL_KINDS].map((kind) => [kind.kind, manifestKind(kind)] as const),
);

/** Every group version in the table. */
export const GROUP_VERSIONS: ReadonlySet<string> = new Set(
  [...MANIFEST_KINDS.values()].flatMap(({ versions }) =>
    versions.map(({ groupVersion }) => groupVersion),
  ),
);

const GROUPS: ReadonlySet<string> = new Set([...GROUP_VERSIONS].map(groupOf));

/** The version that an `apiVersion` and a kind name, if it is in the table. */
export function versionNamed(apiVersion: string, kind: string): ManifestVersion | undefined {
  return MANIFEST_KINDS.get(kind)?.versions.find(({ groupVersion }) => groupVersion === apiVersion);
}

/**
 * Whether the kind and the group are in the table and this version is not: one that is older, newer
 * or misspelled. Other groups may have kinds of the same name.
 */
export function isUnknownVersion(apiVersion: string, kind: string): boolean {
  const isKnown = MANIFEST_KINDS.has(kind) && GROUPS.has(groupOf(apiVersion));
  return isKnown && versionNamed(apiVersion, kind) === undefined;
}

/** '' for `v1`. */
function groupOf(groupVersion: string): string {
  return groupVersion.slice(0, Math.max(groupVersion.indexOf('/'), 0));
}

function manifestKind(definition: KindDefinition | VirtualKind): ManifestKind {
  const { kind, plural } = definition;
  const others = 'otherVersions' in definition ? (definition.otherVersions ?? []) : [];
  const stored = groupVersionOf(definition);
  const served = [
    { groupVersion: stored, ...messageOf(definition), ...lifeOf(definition, '') },
    ...others.map((other) => servedVersion(definition, other, [definition, ...others])),
  ];
  const removed = REMOVED_VERSIONS.filter(({ kinds }) => kinds.includes(kind));
  return { kind, plural, versions: [...served, ...removed] };
}

function servedVersion(
  definition: KindDefinition | VirtualKind,
  other: KindVersion,
  all: readonly (KindDefinition | VirtualKind | KindVersion)[],
): ManifestVersion {
  const { kind } = definition;
  const { version, group = definition.group, toStored, fromStored } = other;
  // Where nothing names a replacement, it is a version of the same group that stays.
  const staying = all.find(
    (one) =>
      (one.group ?? definition.group) === group &&
      boundsOf({ group, version: one.version, kind }).removedIn === undefined,
  );
  const instead = staying === undefined ? '' : groupVersionOf({ group, version: staying.version });
  const groupVersion = groupVersionOf({ group, version });
  return {
    groupVersion,
    ...messageOf(definition, other),
    ...lifeOf({ group, version, kind }, instead),
    toStored: followed(toStored, AFTER_TO_STORED.get(`${groupVersion} ${kind}`)),
    fromStored: followed(fromStored, AFTER_FROM_STORED.get(`${groupVersion} ${kind}`)),
  };
}

function messageOf(
  definition: KindDefinition | VirtualKind,
  other?: KindVersion,
): { readonly message?: string } {
  const message = other?.message ?? ('message' in definition ? definition.message : undefined);
  return message === undefined ? {} : { message };
}

function followed(
  convert: (object: ApiObject) => ApiObject = (object) => object,
  rule?: (object: ApiObject, report: Report) => void,
): (object: ApiObject, report: Report) => ApiObject {
  return (object, report) => {
    const result = convert(object);
    rule?.(result, report);
    return result;
  };
}

function lifeOf(
  view: KindInVersion,
  instead: string,
): Pick<ManifestVersion, 'deprecatedSince' | 'introducedIn' | 'removedIn' | 'replacement'> {
  const { kind } = view;
  const bounds = boundsOf(view);
  // A version that is never removed needs no other one.
  if (bounds.removedIn === undefined) return bounds;
  const { since, replacement = '' } = everDeprecated(view) ?? {};
  const named = replacement.endsWith(` ${kind}`) ? replacement.slice(0, -kind.length - 1) : instead;
  const deprecatedSince = since === undefined ? {} : { deprecatedSince: since };
  return { ...bounds, ...deprecatedSince, replacement: named };
}
