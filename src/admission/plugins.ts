/**
 * All plugins, in the order in which they are asked: that of the reference. Who adds one adds it
 * here. What each is stands beside it (`PluginEntry`).
 */
import type { Flag } from '../base/options/flag.ts';
import { PLUGIN_LIVES } from '../release/data/admission-plugins.ts';
import { isIn, type Life } from '../release/life.ts';
import type { Release } from '../release/release.ts';
import type { PluginEntry, PluginSettings } from './plugin.ts';
import { podSecurity } from './pod-security/entry.ts';
import { alwaysDeny } from './plugins/always-deny/entry.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from './plugins/certificates/entry.ts';
import { defaultIngressClass, defaultStorageClass } from './plugins/classes/entry.ts';
import { eventRateLimit } from './plugins/event-rate-limit/entry.ts';
import { limitRanger } from './plugins/limit-ranger/entry.ts';
import {
  namespaceAutoProvision,
  namespaceExists,
  namespaceLifecycle,
} from './plugins/namespaces/entry.ts';
import { nodeRestriction } from './plugins/node-restriction/entry.ts';
import { taintNodesByCondition } from './plugins/nodes/entry.ts';
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references/entry.ts';
import {
  alwaysPullImages,
  defaultTolerationSeconds,
  extendedResourceToleration,
  limitPodHardAntiAffinityTopology,
  podGroupProtection,
  podNodeSelector,
  podTolerationRestriction,
  podTopologyLabels,
  priority,
  runtimeClass,
} from './plugins/pods/entry.ts';
import { mutatingAdmissionPolicy, validatingAdmissionPolicy } from './plugins/policies/entry.ts';
import { resourceQuota } from './plugins/resource-quota/entry.ts';
import { serviceAccount } from './plugins/service-account/entry.ts';
import { denyServiceExternalIPs } from './plugins/services/entry.ts';
import {
  persistentVolumeClaimResize,
  storageObjectInUseProtection,
} from './plugins/volumes/entry.ts';
import { jobValidation, podGroupWorkloadExists } from './plugins/workloads/entry.ts';
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './plugins/webhooks/entry.ts';

const ENTRIES = {
  NamespaceAutoProvision: namespaceAutoProvision,
  NamespaceLifecycle: namespaceLifecycle,
  NamespaceExists: namespaceExists,
  LimitPodHardAntiAffinityTopology: limitPodHardAntiAffinityTopology,
  LimitRanger: limitRanger,
  ServiceAccount: serviceAccount,
  NodeRestriction: nodeRestriction,
  TaintNodesByCondition: taintNodesByCondition,
  AlwaysPullImages: alwaysPullImages,
  PodSecurity: podSecurity,
  PodNodeSelector: podNodeSelector,
  Priority: priority,
  DefaultTolerationSeconds: defaultTolerationSeconds,
  PodTolerationRestriction: podTolerationRestriction,
  EventRateLimit: eventRateLimit,
  ExtendedResourceToleration: extendedResourceToleration,
  DefaultStorageClass: defaultStorageClass,
  StorageObjectInUseProtection: storageObjectInUseProtection,
  PodGroupProtection: podGroupProtection,
  OwnerReferencesPermissionEnforcement: ownerReferencesPermissionEnforcement,
  PersistentVolumeClaimResize: persistentVolumeClaimResize,
  RuntimeClass: runtimeClass,
  CertificateApproval: certificateApproval,
  CertificateSigning: certificateSigning,
  CertificateSubjectRestriction: certificateSubjectRestriction,
  DefaultIngressClass: defaultIngressClass,
  DenyServiceExternalIPs: denyServiceExternalIPs,
  PodTopologyLabels: podTopologyLabels,
  PodGroupWorkloadExists: podGroupWorkloadExists,
  JobValidation: jobValidation,
  MutatingAdmissionPolicy: mutatingAdmissionPolicy,
  MutatingAdmissionWebhook: mutatingAdmissionWebhook,
  ValidatingAdmissionPolicy: validatingAdmissionPolicy,
  ValidatingAdmissionWebhook: validatingAdmissionWebhook,
  ResourceQuota: resourceQuota,
  AlwaysDeny: alwaysDeny,
};

type Entries = typeof ENTRIES;
type FlagsOf<Entry> = Entry extends { readonly options: { readonly flags: infer Flags } }
  ? keyof Flags & string
  : never;
type PluginFlag = { [N in keyof Entries]: FlagsOf<Entries[N]> }[keyof Entries];

/** By name, in their order. */
export const PLUGINS: Readonly<Record<string, PluginEntry>> = ENTRIES;

/** Those that a release has, in their order. */
export function pluginsOf({ minor }: Release): readonly (readonly [string, PluginEntry])[] {
  const lives: Readonly<Record<string, Life>> = PLUGIN_LIVES;
  return Object.entries(PLUGINS).filter(([name]) => isIn(lives[name] ?? {}, minor));
}

/** The flags of all that have some of their own. */
export const PLUGIN_FLAGS = Object.assign(
  {},
  ...Object.values(PLUGINS).map(({ options }) => options?.flags),
) as Readonly<Record<PluginFlag, Flag>>;

/** Reads these flags, by the plugin. Throws ConfigError. */
export function pluginFlagSettings(
  values: Readonly<Record<PluginFlag, string>>,
): Readonly<Record<string, PluginSettings>> {
  return Object.fromEntries(
    Object.entries(PLUGINS).flatMap(([name, { options }]) =>
      options === undefined ? [] : [[name, options.read(values as never)]],
    ),
  );
}
