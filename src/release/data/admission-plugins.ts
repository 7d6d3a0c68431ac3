/**
 * The admission plugins of the reference that are not in every release, in the order in which it
 * asks them among all others. Those that the server does not have yet stand here too, with what
 * they will be: whether they are on, and the gate without which they do nothing.
 */
import type { FEATURE_GATES } from './feature-gates.ts';
import type { Life } from '../life.ts';

interface PluginLife extends Life {
  /** The one before it in that order. */
  readonly after: string;
  readonly isOn?: true;
  readonly gate?: keyof typeof FEATURE_GATES;
}

export const PLUGIN_LIVES = {
  SecurityContextDeny: { after: 'NamespaceExists', until: 30 },
  PodSecurityPolicy: { after: 'PodSecurity', until: 25 },
  PersistentVolumeLabel: { after: 'ExtendedResourceToleration', until: 31 },
  PodGroupProtection: {
    after: 'StorageObjectInUseProtection',
    since: 36,
    isOn: true,
    gate: 'GenericWorkload',
  },
  ClusterTrustBundleAttest: {
    after: 'CertificateSigning',
    since: 27,
    isOn: true,
    gate: 'ClusterTrustBundle',
  },
  PodTopologyLabels: {
    after: 'DenyServiceExternalIPs',
    since: 33,
    isOn: true,
    gate: 'PodTopologyLabelsAdmission',
  },
  PodGroupWorkloadExists: {
    after: 'PodTopologyLabels',
    since: 36,
    until: 37,
    isOn: true,
    gate: 'GenericWorkload',
  },
  NodeDeclaredFeatureValidator: {
    after: 'PodGroupWorkloadExists',
    since: 35,
    isOn: true,
    gate: 'NodeDeclaredFeatures',
  },
  JobValidation: {
    after: 'NodeDeclaredFeatureValidator',
    since: 36,
    until: 37,
    isOn: true,
    gate: 'WorkloadWithJob',
  },
  PodResizeValidator: {
    after: 'JobValidation',
    since: 36,
    isOn: true,
    gate: 'InPlacePodVerticalScaling',
  },
  MutatingAdmissionPolicy: {
    after: 'PodResizeValidator',
    since: 32,
    isOn: true,
    gate: 'MutatingAdmissionPolicy',
  },
  ValidatingAdmissionPolicy: {
    after: 'MutatingAdmissionWebhook',
    since: 26,
    isOn: true,
    gate: 'ValidatingAdmissionPolicy',
  },
} as const satisfies Record<string, PluginLife>;
