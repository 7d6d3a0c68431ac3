/** Which group and which version comes first (src/front/README.md#discovery). */
import { compareTexts } from '../../base/text/compare-texts.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { compareVersionNames } from '../../types/custom/version-priority.ts';
import {
  CUSTOM_PRIORITIES,
  groupPriorityOf,
  prioritiesOf,
} from '../../types/service-priorities.ts';

/** It has no APIService. Others have 20,000 at most. */
const API_SERVICES = ownGroup('apiregistration.cluster.io');
const API_SERVICES_PRIORITY = 20_001;
const CORE_PRIORITY = 20_002;

export interface RankedGroup {
  readonly name: string;
  /** Larger comes first. */
  readonly priority: number;
}

export interface RankedVersion {
  readonly version: string;
  readonly priority: number;
}

/** The priority of a group that this server has; the core group precedes all. */
export function ownGroupPriority(group: string): number {
  if (group === '') return CORE_PRIORITY;
  if (group === API_SERVICES) return API_SERVICES_PRIORITY;
  return groupPriorityOf(group) ?? CUSTOM_PRIORITIES.groupPriorityMinimum;
}

/** The priority of a version, among those of its group, that this server has. */
export function ownVersionPriority(group: string, version: string): number {
  if (groupPriorityOf(group) === undefined) return CUSTOM_PRIORITIES.versionPriority;
  return prioritiesOf(group, version)?.versionPriority ?? 0;
}

/** Negative when the first group comes first: those of the same priority by name. */
export function compareGroups(one: RankedGroup, other: RankedGroup): number {
  return other.priority - one.priority || compareTexts(one.name, other.name);
}

/** Negative when the first version is preferred to the other one of the same group. */
export function compareVersions(one: RankedVersion, other: RankedVersion): number {
  return other.priority - one.priority || compareVersionNames(one.version, other.version);
}
