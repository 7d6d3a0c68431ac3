/**
 * All plugins, in the order in which they are asked: that of the reference. Each has a file in
 * `plugins/`, or a folder of its own, and is loaded where it is first needed: what is imported here
 * takes no names, because options are read before the dialect is chosen.
 */
import type { PluginEntry } from './plugin.ts';
import { concernsPodSecurity } from './pod-security/pod-templates.ts';
import { ownGroup } from '../semantics/dialect/own-names.ts';
import type { AdmissionOperation, ProposedWrite } from './proposal.ts';

const POD_WRITES = writes('', 'pods', 'CREATE', 'UPDATE');
const NEW_POD = writes('', 'pods', 'CREATE');
const CLAIM_WRITES = writes('', 'persistentvolumeclaims', 'CREATE', 'UPDATE');
const PRIORITY_WRITES = writes('scheduling.cluster.io', 'priorityclasses', 'CREATE', 'UPDATE');
const NEW_CLAIM = writes('', 'persistentvolumeclaims', 'CREATE');
const NEW_VOLUME = writes('', 'persistentvolumes', 'CREATE');

/** Types whose objects may come to use more of a quota than they did. */
const GROWING: readonly string[] = ['services', 'persistentvolumeclaims'];

const WEBHOOK_SETTINGS: Pick<PluginEntry, 'check' | 'read'> = {
  check: async (settings) => {
    const { checkWebhookSettings } = await import('./plugins/webhooks/webhook-settings.ts');
    return checkWebhookSettings(settings);
  },
  read: async (settings) => {
    const { readWebhookSettings } = await import('./plugins/webhooks/webhook-settings.ts');
    return readWebhookSettings(settings);
  },
};

const REGISTRY = {
  NamespaceAutoProvision: {
    isOnByDefault: false,
    concerns: (write) => write.operation === 'CREATE' && !isNamespace(write),
    load: async (context) => {
      const { NamespaceAutoProvision } = await import('./plugins/namespace-auto-provision.ts');
      return new NamespaceAutoProvision(context);
    },
  },
  NamespaceLifecycle: {
    isOnByDefault: true,
    concerns: ({ operation, resource }) => operation !== 'CONNECT' && !isReview(resource),
    load: async (context) => {
      const { NamespaceLifecycle } = await import('./plugins/namespace-lifecycle.ts');
      return new NamespaceLifecycle(context);
    },
  },
  NamespaceExists: {
    isOnByDefault: false,
    concerns: (write) => write.operation !== 'CONNECT' && !isNamespace(write),
    load: async (context) => {
      const { NamespaceExists } = await import('./plugins/namespace-exists.ts');
      return new NamespaceExists(context);
    },
  },
  LimitPodHardAntiAffinityTopology: {
    isOnByDefault: false,
    concerns: POD_WRITES,
    load: async () =>
      (await import('./plugins/limit-pod-hard-anti-affinity-topology.ts'))
        .LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY,
  },
  LimitRanger: {
    isOnByDefault: true,
    concerns: (write) => NEW_POD(write) || CLAIM_WRITES(write),
    load: async (context) => {
      const { LimitRanger } = await import('./plugins/limit-ranger/limit-ranger.ts');
      return new LimitRanger(context);
    },
  },
  ServiceAccount: {
    isOnByDefault: true,
    concerns: NEW_POD,
    load: async (context) => {
      const { ServiceAccount } = await import('./plugins/service-account/service-account.ts');
      return new ServiceAccount(context);
    },
  },
  NodeRestriction: {
    isOnByDefault: false,
    // An agent that does not say which node it is on may write nothing.
    concerns: ({ operation }) => operation !== 'CONNECT',
    // An agent may not even try to change its taints.
    showsSent: ({ group, resource, subresource }) =>
      group === '' && resource === 'nodes' && subresource === 'status',
    load: async (context) => {
      const { NodeRestriction } = await import('./plugins/node-restriction/node-restriction.ts');
      return new NodeRestriction(context);
    },
  },
  TaintNodesByCondition: {
    isOnByDefault: true,
    concerns: writes('', 'nodes', 'CREATE'),
    load: async () =>
      (await import('./plugins/taint-nodes-by-condition.ts')).TAINT_NODES_BY_CONDITION,
  },
  AlwaysPullImages: {
    isOnByDefault: false,
    concerns: POD_WRITES,
    load: async () => (await import('./plugins/always-pull-images.ts')).ALWAYS_PULL_IMAGES,
  },
  PodSecurity: {
    isOnByDefault: true,
    concerns: concernsPodSecurity,
    check: async (settings) => {
      const { checkPodSecuritySettings } = await import('./pod-security/settings.ts');
      return checkPodSecuritySettings(settings);
    },
    load: async (context, settings) => {
      const { PodSecurity } = await import('./pod-security/pod-security.ts');
      return new PodSecurity(context, settings);
    },
  },
  PodNodeSelector: {
    isOnByDefault: false,
    concerns: NEW_POD,
    check: async (settings) =>
      (await import('./plugins/pod-node-selector.ts')).checkPodNodeSelector(settings),
    load: async (context, settings) => {
      const { PodNodeSelector } = await import('./plugins/pod-node-selector.ts');
      return new PodNodeSelector(context, settings);
    },
  },
  Priority: {
    isOnByDefault: true,
    concerns: (write) => POD_WRITES(write) || PRIORITY_WRITES(write),
    load: async (context) => {
      const { Priority } = await import('./plugins/priority.ts');
      return new Priority(context);
    },
  },
  DefaultTolerationSeconds: {
    isOnByDefault: true,
    concerns: POD_WRITES,
    load: async (_, settings) => {
      const { DefaultTolerationSeconds } = await import('./plugins/default-toleration-seconds.ts');
      return new DefaultTolerationSeconds(settings);
    },
  },
  PodTolerationRestriction: {
    isOnByDefault: false,
    concerns: POD_WRITES,
    check: async (settings) =>
      (await import('./plugins/pod-toleration-restriction.ts')).checkPodTolerationRestriction(
        settings,
      ),
    load: async (context, settings) => {
      const { PodTolerationRestriction } = await import('./plugins/pod-toleration-restriction.ts');
      return new PodTolerationRestriction(context, settings);
    },
  },
  EventRateLimit: {
    isOnByDefault: false,
    concerns: writes('', 'events', 'CREATE', 'UPDATE'),
    check: async (settings) =>
      (await import('./plugins/event-rate-limit.ts')).checkEventRateLimit(settings),
    load: async (context, settings) => {
      const { EventRateLimit } = await import('./plugins/event-rate-limit.ts');
      return new EventRateLimit(context, settings);
    },
  },
  ExtendedResourceToleration: {
    isOnByDefault: false,
    concerns: POD_WRITES,
    load: async () =>
      (await import('./plugins/extended-resource-toleration.ts')).EXTENDED_RESOURCE_TOLERATION,
  },
  DefaultStorageClass: {
    isOnByDefault: true,
    concerns: NEW_CLAIM,
    load: async (context) => {
      const { DefaultStorageClass } = await import('./plugins/default-storage-class.ts');
      return new DefaultStorageClass(context);
    },
  },
  StorageObjectInUseProtection: {
    isOnByDefault: true,
    concerns: (write) => NEW_VOLUME(write) || NEW_CLAIM(write),
    load: async () =>
      (await import('./plugins/storage-object-in-use-protection.ts'))
        .STORAGE_OBJECT_IN_USE_PROTECTION,
  },
  OwnerReferencesPermissionEnforcement: {
    isOnByDefault: false,
    concerns: ({ operation, group, resource, subresource }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      // Owners do not change with the status of a pod, and agents may have lost some of them.
      !(group === '' && resource === 'pods' && subresource === 'status'),
    load: async (context) => {
      const { OwnerReferences } = await import('./plugins/owner-references/owner-references.ts');
      return new OwnerReferences(context);
    },
  },
  PersistentVolumeClaimResize: {
    isOnByDefault: true,
    concerns: writes('', 'persistentvolumeclaims', 'UPDATE'),
    load: async (context) => {
      const { PersistentVolumeClaimResize } =
        await import('./plugins/persistent-volume-claim-resize.ts');
      return new PersistentVolumeClaimResize(context);
    },
  },
  RuntimeClass: {
    isOnByDefault: true,
    concerns: NEW_POD,
    load: async (context) => {
      const { RuntimeClass } = await import('./plugins/runtime-class.ts');
      return new RuntimeClass(context);
    },
  },
  CertificateApproval: {
    isOnByDefault: true,
    concerns: (write) => updatesRequest(write, 'approval'),
    load: async (context) => {
      const { CertificateApproval } = await import('./plugins/certificates/approval.ts');
      return new CertificateApproval(context);
    },
  },
  CertificateSigning: {
    isOnByDefault: true,
    concerns: (write) => updatesRequest(write, 'status'),
    load: async (context) => {
      const { CertificateSigning } = await import('./plugins/certificates/signing.ts');
      return new CertificateSigning(context);
    },
  },
  CertificateSubjectRestriction: {
    isOnByDefault: true,
    concerns: (write) => write.operation === 'CREATE' && isSigningRequest(write, ''),
    load: async () =>
      (await import('./plugins/certificates/subject-restriction.ts'))
        .CERTIFICATE_SUBJECT_RESTRICTION,
  },
  DefaultIngressClass: {
    isOnByDefault: true,
    concerns: writes('networking.cluster.io', 'ingresses', 'CREATE'),
    load: async (context) => {
      const { DefaultIngressClass } = await import('./plugins/default-ingress-class.ts');
      return new DefaultIngressClass(context);
    },
  },
  DenyServiceExternalIPs: {
    isOnByDefault: false,
    concerns: writes('', 'services', 'CREATE', 'UPDATE'),
    load: async () =>
      (await import('./plugins/deny-service-external-ips.ts')).DENY_SERVICE_EXTERNAL_IPS,
  },
  MutatingAdmissionWebhook: {
    isOnByDefault: true,
    concerns: isNoWebhookConfiguration,
    showsSent: () => true,
    ...WEBHOOK_SETTINGS,
    load: async (context, settings) => {
      const { MutatingWebhooks } = await import('./plugins/webhooks/mutating-webhooks.ts');
      return new MutatingWebhooks(context, settings);
    },
  },
  ValidatingAdmissionWebhook: {
    isOnByDefault: true,
    concerns: isNoWebhookConfiguration,
    ...WEBHOOK_SETTINGS,
    load: async (context, settings) => {
      const { ValidatingWebhooks } = await import('./plugins/webhooks/validating-webhooks.ts');
      return new ValidatingWebhooks(context, settings);
    },
  },
  ResourceQuota: {
    isOnByDefault: true,
    concerns: ({ operation, resource, subresource }) =>
      subresource === '' &&
      (operation === 'CREATE' || (operation === 'UPDATE' && GROWING.includes(resource))),
    check: async (settings) => {
      const { checkLimitedResources } =
        await import('./plugins/resource-quota/limited-resources.ts');
      return checkLimitedResources(settings);
    },
    load: async (context, settings) => {
      const { ResourceQuotaPlugin } = await import('./plugins/resource-quota/resource-quota.ts');
      return new ResourceQuotaPlugin(context, settings);
    },
  },
  AlwaysDeny: {
    isOnByDefault: false,
    concerns: () => true,
    load: async () => (await import('./plugins/always-deny.ts')).ALWAYS_DENY,
  },
} as const satisfies Record<string, PluginEntry>;

/** By name, in their order. */
export const PLUGINS: Readonly<Record<string, PluginEntry>> = REGISTRY;

function isNamespace({ group, resource }: ProposedWrite): boolean {
  return group === '' && resource === 'namespaces';
}

/** Asking who may do what makes nothing. */
function isReview(resource: string): boolean {
  return resource.endsWith('reviews');
}

/** A request for a certificate, or a part of one. */
function isSigningRequest({ group, resource, subresource }: ProposedWrite, part: string): boolean {
  return (
    resource === 'certificatesigningrequests' &&
    subresource === part &&
    group === ownGroup('certificates.cluster.io')
  );
}

function updatesRequest(write: ProposedWrite, part: string): boolean {
  return write.operation === 'UPDATE' && isSigningRequest(write, part);
}

/** Webhooks never see configurations of webhooks: else a wrong one could not be removed. */
function isNoWebhookConfiguration({ group, resource }: ProposedWrite): boolean {
  return (
    group !== ownGroup('admissionregistration.cluster.io') ||
    !resource.endsWith('webhookconfigurations')
  );
}

/** Such writes of the objects of a type themselves; its group is spelled neutrally. */
function writes(
  group: string,
  plural: string,
  ...operations: readonly AdmissionOperation[]
): PluginEntry['concerns'] {
  return ({ operation, subresource, resource, group: of }) =>
    resource === plural &&
    subresource === '' &&
    operations.includes(operation) &&
    of === ownGroup(group);
}
