/** Which group and which version comes first (README.md#discovery). */
import { ownGroup } from '../../semantics/dialect/own-names.ts';

/** Those that are built in; all others come after them, by name. */
const GROUPS: readonly string[] = [
  '',
  ownGroup('apiregistration.cluster.io'),
  'apps',
  ownGroup('events.cluster.io'),
  ownGroup('authentication.cluster.io'),
  ownGroup('authorization.cluster.io'),
  'autoscaling',
  'batch',
  ownGroup('certificates.cluster.io'),
  ownGroup('networking.cluster.io'),
  'policy',
  ownGroup('rbac.authorization.cluster.io'),
  ownGroup('storage.cluster.io'),
  ownGroup('admissionregistration.cluster.io'),
  ownGroup('apiextensions.cluster.io'),
  ownGroup('scheduling.cluster.io'),
  ownGroup('coordination.cluster.io'),
  ownGroup('node.cluster.io'),
  ownGroup('discovery.cluster.io'),
  ownGroup('flowcontrol.apiserver.cluster.io'),
];

/** Where the reference has an order of its own. */
const VERSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['autoscaling', ['v2', 'v1', 'v2beta1', 'v2beta2']],
]);

/** Negative when the first group comes first; the core group precedes all. */
export function compareGroups(one: string, other: string): number {
  return rank(GROUPS, one) - rank(GROUPS, other) || compareTexts(one, other);
}

/** Negative when the first version is preferred to the other one of the same group. */
export function compareVersions(group: string, one: string, other: string): number {
  const order = VERSIONS.get(group) ?? [];
  return rank(order, one) - rank(order, other) || compareByStability(one, other);
}

function rank(order: readonly string[], name: string): number {
  const index = order.indexOf(name);
  return index === -1 ? order.length : index;
}

interface ParsedVersion {
  /** Larger is more stable. */
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const STABILITIES = ['alpha', 'beta', ''] as const;
/** As many digits as a number holds exactly. */
const CONVENTIONAL = /^v(\d{1,15})(?:(alpha|beta)(\d{1,15}))?$/;

/** Stable before beta before alpha, then the newer first; unconventional names last, by name. */
function compareByStability(one: string, other: string): number {
  const a = parseVersion(one);
  const b = parseVersion(other);
  if (a === undefined || b === undefined) {
    return Number(a === undefined) - Number(b === undefined) || compareTexts(one, other);
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor;
}

function parseVersion(version: string): ParsedVersion | undefined {
  const match = CONVENTIONAL.exec(version);
  if (match === null) return undefined;
  const [, major, word = '', minor = 0] = match;
  const stability = STABILITIES.findIndex((one) => one === word);
  return { stability, major: Number(major), minor: Number(minor) };
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
