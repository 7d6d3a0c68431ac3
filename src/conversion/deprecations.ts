/** Finds uses of versions that will break: in which release, and what replaces them. */
import { dialectOf, neutralSpelling, type Dialect } from './convert.ts';
import { isMembers, objectAt, type Members } from './members.ts';
import { MANIFEST_KINDS, versionNamed } from './version-table.ts';
import { swapGroupVersion } from '../semantics/dialect/names.ts';

export interface DeprecatedUse {
  readonly kind: string;
  /** As it is spelled where it was found. */
  readonly apiVersion: string;
  /** As `1.25`. */
  readonly removedIn: string;
  /** A group version; '' when there is none. */
  readonly replacement: string;
  /** The user of it: '' for the object itself. */
  readonly by: string;
}

/** The annotations with the object that a client applied last, in both dialects. */
const APPLIED = [
  'client.cluster.io/last-applied-configuration',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/**
 * The use that an `apiVersion` of a kind is; undefined for a version that stays. `dialect` is that
 * of names around it, for groups that are spelled the same in both.
 */
export function deprecatedUse(
  apiVersion: unknown,
  kind: unknown,
  dialect: Dialect,
  by = '',
): DeprecatedUse | undefined {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const neutral = neutralSpelling(apiVersion);
  const version = versionNamed(neutral, kind);
  if (version?.removedIn === undefined) return undefined;
  const { removedIn, replacement = '' } = version;
  const isNeutral = dialectOf(apiVersion, dialect) === 'cluster.io';
  const spelled = isNeutral ? replacement : swapGroupVersion(replacement);
  return { kind, apiVersion, removedIn, replacement: spelled, by };
}

/** The deprecated use of a resource by its plural, as metrics name it. */
export function deprecatedResource(
  apiVersion: string,
  plural: string,
  dialect: Dialect,
  by: string,
): DeprecatedUse | undefined {
  const kinds = [...MANIFEST_KINDS.values()].filter((kind) => kind.plural === plural);
  return kinds
    .map(({ kind }) => deprecatedUse(apiVersion, kind, dialect, by))
    .find((use) => use !== undefined);
}

/** All uses that an object shows: its own version, and those of writers and appliers. */
export function deprecatedUses(object: Members, dialect: Dialect): readonly DeprecatedUse[] {
  const { kind, apiVersion } = object;
  const metadata = objectAt(object, 'metadata');
  const owners: readonly unknown[] = Array.isArray(metadata?.['managedFields'])
    ? metadata['managedFields']
    : [];
  const uses = [
    deprecatedUse(apiVersion, kind, dialect),
    ...owners.filter(isMembers).map(({ apiVersion: written, manager }) => {
      return deprecatedUse(written, kind, dialect, `manager ${String(manager)}`);
    }),
    ...APPLIED.map((name) =>
      appliedUse(objectAt(object, 'metadata', 'annotations')?.[name], dialect),
    ),
  ];
  return uses.filter((use) => use !== undefined);
}

function appliedUse(text: unknown, dialect: Dialect): DeprecatedUse | undefined {
  if (typeof text !== 'string') return undefined;
  let applied: unknown;
  try {
    applied = JSON.parse(text);
  } catch {
    // Anybody may write an annotation; what is not JSON was applied by nobody.
    return undefined;
  }
  if (!isMembers(applied)) return undefined;
  return deprecatedUse(applied['apiVersion'], applied['kind'], dialect, 'what was applied last');
}

/** `batch/v1beta1 CronJob is gone in 1.25: use batch/v1`. */
export function deprecatedUseText({
  kind,
  apiVersion,
  removedIn,
  replacement,
  by,
}: DeprecatedUse): string {
  const instead = replacement === '' ? 'nothing replaces it' : `use ${replacement}`;
  const who = by === '' ? '' : ` (${by})`;
  return `${apiVersion} ${kind}${who} is gone in ${removedIn}: ${instead}`;
}
