/**
 * The controllers inside the process, in the order in which options and the help name them: who
 * adds one adds it here. What each is stands beside it (controller-entry.ts).
 */
import type { FeatureGates } from '../release/feature-gates.ts';
import type { Begins, ControllerEntry } from './controller-entry.ts';
import { legacyTokenCleaner, serviceAccountToken } from './accounts/entry.ts';
import { apiServiceStatus, apiServices } from './api-services/entry.ts';
import { bootstrap } from './bootstrap/entry.ts';
import { bootstrapSigner, tokenCleaner } from './bootstrap-tokens/entry.ts';
import { csrApproving, csrSigning, csrCleaner } from './certificates/entry.ts';
import { definitions } from './definitions/entry.ts';
import { eventExpiry } from './events/entry.ts';
import { fakeNodes } from './fake-nodes/entry.ts';
import { flowControl } from './flow-control/entry.ts';
import { garbageCollector } from './garbage/entry.ts';
import { podGroupProtection } from './groups/entry.ts';
import { identityLease, storageVersions } from './identity/entry.ts';
import { serviceAccount, rootCaCertPublisher } from './namespace-objects/entry.ts';
import { coordinatedLeaderElection } from './leader-election/entry.ts';
import { namespace } from './namespaces/entry.ts';
import { policyStatus } from './policy-status/entry.ts';
import { resourceQuota } from './resource-quota/entry.ts';
import { clusterRoleAggregation } from './roles/entry.ts';
import { defaultServiceCidr, serviceCidr, serviceIpRepair } from './service-addresses/entry.ts';
import { bootstrapPolicy, systemPriorityClasses } from './start-objects/entry.ts';
import type { Release } from '../release/release.ts';
import { storageVersionMigrator } from './storage-migrations/entry.ts';
import { pvcProtection, pvProtection } from './volumes/entry.ts';

const REGISTRY = {
  definitions,
  'bootstrap-policy': bootstrapPolicy,
  'system-priority-classes': systemPriorityClasses,
  'flow-control': flowControl,
  'api-services': apiServices,
  'identity-lease': identityLease,
  'storage-versions': storageVersions,
  'default-servicecidr': defaultServiceCidr,
  'service-ip-repair': serviceIpRepair,
  bootstrap,
  namespace,
  'garbage-collector': garbageCollector,
  'event-expiry': eventExpiry,
  'serviceaccount-token': serviceAccountToken,
  csrapproving: csrApproving,
  csrsigning: csrSigning,
  csrcleaner: csrCleaner,
  bootstrapsigner: bootstrapSigner,
  tokencleaner: tokenCleaner,
  'legacy-service-account-token-cleaner': legacyTokenCleaner,
  serviceaccount: serviceAccount,
  'root-ca-cert-publisher': rootCaCertPublisher,
  resourcequota: resourceQuota,
  'pvc-protection': pvcProtection,
  'pv-protection': pvProtection,
  'service-cidr-controller': serviceCidr,
  'podgroup-protection': podGroupProtection,
  'coordinated-leader-election': coordinatedLeaderElection,
  'storage-version-migrator-controller': storageVersionMigrator,
  'clusterrole-aggregation': clusterRoleAggregation,
  'api-service-status': apiServiceStatus,
  'validatingadmissionpolicy-status-controller': policyStatus,
  'fake-nodes': fakeNodes,
};

export type ControllerName = keyof typeof REGISTRY;
export const CONTROLLERS: Readonly<Record<ControllerName, ControllerEntry>> = REGISTRY;
const NAMES = Object.keys(REGISTRY) as readonly ControllerName[];
/** Those that `--controllers` may name. */
export const CONTROLLER_NAMES = NAMES.filter((name) => CONTROLLERS[name].requiredBy === undefined);

export function isControllerName(name: string): name is ControllerName {
  return Object.hasOwn(REGISTRY, name);
}

/** By which name a shard knows its port to a controller. */
export function controllerPort(name: ControllerName): string {
  return `${CONTROLLERS[name].hasOwnVerbs ? 'controller' : 'client'}:${name}`;
}

/** Those of them that begin then. */
export function beginning(
  names: Iterable<ControllerName>,
  begins: Begins,
): readonly ControllerName[] {
  return [...names].filter((name) => CONTROLLERS[name].begins === begins);
}

/** The names of the start's steps that a controller does. */
export function controllerSteps(name: ControllerName): readonly string[] {
  return CONTROLLERS[name].steps ?? [`poststarthook/${name}-controller`];
}

/** Those that run whatever `--controllers` says, with these ways to authorize and features. */
export function requiredControllers(
  on: readonly string[],
  release: Release,
): readonly ControllerName[] {
  return NAMES.filter((name) => {
    const { requiredBy, change } = CONTROLLERS[name];
    const isThere = change === undefined || release.has(change);
    return isThere && requiredBy?.every((it) => on.includes(it)) === true;
  });
}

/** Whether there is that controller with these features. */
export function isController(name: ControllerName, gates: FeatureGates): boolean {
  const { needs } = CONTROLLERS[name];
  return needs === undefined || gates.has(needs);
}

/**
 * Reads a list as the reference's controller manager does: `*` is all that are on by default,
 * `name` that one, `-name` not that one, and what is named wins over `*`. Throws RangeError for a
 * name that there is not.
 */
export function parseControllers(list: string): ReadonlySet<ControllerName> {
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const item of items) {
    const name = item.replace(/^-/, '');
    if (item !== '*' && !(CONTROLLER_NAMES as readonly string[]).includes(name)) {
      throw new RangeError(`there is no controller "${name}"`);
    }
  }
  // Where a name comes both with and without a dash, the first one counts.
  const isOn = (name: ControllerName): boolean => {
    const named = items.find((item) => item === name || item === `-${name}`);
    if (named === undefined) return items.includes('*') && !CONTROLLERS[name].isOffByDefault;
    return named === name;
  };
  return new Set(CONTROLLER_NAMES.filter(isOn));
}
