/**
 * All plugins, in the order in which they are asked: that of the reference. Each has a file in
 * `plugins/`, or a folder of its own, and is loaded where it is first needed.
 */
import { ownGroup } from '../semantics/dialect/own-names.ts';
import type { PluginEntry } from './plugin.ts';
import { concernsPodSecurity } from './pod-security/pod-templates.ts';
import type { ProposedWrite } from './proposal.ts';

const CERTIFICATES = ownGroup('certificates.cluster.io');

const WEBHOOK_GROUP = ownGroup('admissionregistration.cluster.io');

const REGISTRY = {
  NamespaceLifecycle: {
    isOnByDefault: true,
    concerns: ({ operation, resource }) => operation !== 'CONNECT' && !isReview(resource),
    load: async (context) => {
      const { NamespaceLifecycle } = await import('./plugins/namespace-lifecycle.ts');
      return new NamespaceLifecycle(context);
    },
  },
  NodeRestriction: {
    isOnByDefault: false,
    // An agent that does not say which node it is on may write nothing.
    concerns: ({ operation }) => operation !== 'CONNECT',
    load: async (context) => {
      const { NodeRestriction } = await import('./plugins/node-restriction/node-restriction.ts');
      return new NodeRestriction(context);
    },
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
  MutatingAdmissionWebhook: {
    isOnByDefault: true,
    concerns: isNoWebhookConfiguration,
    load: async (context) => {
      const { MutatingWebhooks } = await import('./plugins/webhooks/mutating-webhooks.ts');
      return new MutatingWebhooks(context);
    },
  },
  ValidatingAdmissionWebhook: {
    isOnByDefault: true,
    concerns: isNoWebhookConfiguration,
    load: async (context) => {
      const { ValidatingWebhooks } = await import('./plugins/webhooks/validating-webhooks.ts');
      return new ValidatingWebhooks(context);
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

/** Asking who may do what makes nothing. */
function isReview(resource: string): boolean {
  return resource.endsWith('reviews');
}

/** The objects of these types themselves, when they are made. */
export function creates(...resources: readonly string[]) {
  return ({ operation, resource, subresource }: ProposedWrite): boolean =>
    operation === 'CREATE' && subresource === '' && resources.includes(resource);
}

/** A request for a certificate, or a part of one. */
function isSigningRequest({ group, resource, subresource }: ProposedWrite, part: string): boolean {
  return (
    resource === 'certificatesigningrequests' && subresource === part && group === CERTIFICATES
  );
}

function updatesRequest(write: ProposedWrite, part: string): boolean {
  return write.operation === 'UPDATE' && isSigningRequest(write, part);
}

/** Webhooks never see configurations of webhooks: else a wrong one could not be removed. */
function isNoWebhookConfiguration({ group, resource }: ProposedWrite): boolean {
  return group !== WEBHOOK_GROUP || !resource.endsWith('webhookconfigurations');
}
