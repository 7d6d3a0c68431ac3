/** All checks, in the order in which the reference tells of them. */
import {
  allowPrivilegeEscalation,
  defaultCapabilities,
  privileged,
  procMount,
  restrictedCapabilities,
} from './checks/privileges.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, hostProcess, sysctls } from './checks/host.ts';
import {
  appArmor,
  requiredSeccompProfile,
  seccompAnnotations,
  seccompProfile,
  seLinuxOptions,
} from './checks/profiles.ts';
import { runAsNonRoot, runAsUser } from './checks/users.ts';
import { restrictedVolumes } from './checks/volumes.ts';
import { LATEST, type Level, type LevelVersion, type Standard } from './levels.ts';
import type { CheckedPod, PodCheck, Violation } from './pod-check.ts';

/** It counts in versions from `since` to `until`: `1.x` by its x. */
interface VersionedCheck {
  readonly check: PodCheck;
  readonly since: number;
  readonly until?: number;
}

/** The checks of each level. Those of the looser level count for the stricter one too. */
const CHECKS: Readonly<Record<Exclude<Level, 'privileged'>, readonly VersionedCheck[]>> = {
  baseline: [
    { check: appArmor, since: 0 },
    { check: defaultCapabilities, since: 0 },
    { check: hostNamespaces, since: 0 },
    { check: hostPathVolumes, since: 0 },
    { check: hostPorts, since: 0 },
    { check: privileged, since: 0 },
    { check: procMount, since: 0 },
    { check: seLinuxOptions, since: 0 },
    { check: seccompAnnotations, since: 0, until: 18 },
    { check: seccompProfile, since: 19 },
    { check: sysctls, since: 0 },
    { check: hostProcess, since: 0 },
  ],
  restricted: [
    { check: allowPrivilegeEscalation, since: 8 },
    { check: restrictedCapabilities, since: 22 },
    { check: restrictedVolumes, since: 0 },
    { check: runAsNonRoot, since: 0 },
    { check: runAsUser, since: 23 },
    { check: requiredSeccompProfile, since: 19 },
  ],
};

/** Since then nothing has changed: what comes later is checked so too. */
const NEWEST = 23;

/** Why the pod is not of the standard; none where it is. */
export function violationsOf(pod: CheckedPod, { level, version }: Standard): Violation[] {
  if (level === 'privileged') return [];
  const minor = Math.min(NEWEST, minorOf(version));
  const checks = level === 'baseline' ? [CHECKS.baseline] : [CHECKS.baseline, CHECKS.restricted];
  const violations: Violation[] = [];
  for (const { check, since, until = NEWEST } of checks.flat()) {
    if (minor < since || minor > until) continue;
    const violation = check(pod);
    if (violation !== undefined) violations.push(violation);
  }
  return violations;
}

/** A version that this release cannot know the rules of. */
export function isLaterThanKnown(version: LevelVersion): boolean {
  return minorOf(version) > NEWEST;
}

function minorOf(version: LevelVersion): number {
  return version === LATEST ? NEWEST : Number(version.slice('v1.'.length));
}

/** `host namespaces, hostPort`: of many pods. */
export function reasonsText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}

/** `host namespaces (hostPID=true), …`: of one pod. */
export function detailsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
