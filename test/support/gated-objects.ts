/** Objects with every member that is dropped while its feature is off. */
import type { FeatureGate } from '../../src/release/feature-gates.ts';
import { CASES as SIGNING_REQUEST } from '../catalogue/certificates/certificate-signing-request.ts';
import type { Change } from './kind-cases.ts';

export interface GatedObject {
  readonly path: string;
  /** Without its metadata. */
  readonly body: Change;
  /** For its endpoint of that name. */
  readonly status?: Change;
  /** The members that features are about, of what the server answers. */
  // oxlint-disable-next-line no-explicit-any -- looks into documents of every kind
  readonly members: (object: any) => Partial<Record<FeatureGate, unknown>>;
  /** Without the feature, an update may not change these members, or may say them all the same. */
  readonly isOnlyMade?: boolean;
}

const IN_DEFAULT = 'namespaces/default';
export const RULES = 'x-kubernetes-validations';
const probe = { exec: { command: ['true'] }, terminationGracePeriodSeconds: 5 };
const selector = { matchLabels: { a: 'b' } };
const configSource = { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } };
const anyone = { rule: 'RunAsAny' };

const POD = {
  os: { name: 'linux' },
  containers: [
    { name: 'c', image: 'i', livenessProbe: probe, securityContext: { procMount: 'Unmasked' } },
  ],
};
const TEMPLATE = {
  metadata: { labels: selector.matchLabels },
  spec: { ...POD, overhead: { cpu: '1m' } },
};
// oxlint-disable-next-line no-explicit-any -- of whatever the server answers
const podMembers = ({ os, overhead, containers: [container] }: any) => ({
  IdentifyPodOS: os?.name,
  PodOverhead: overhead?.cpu,
  ProbeTerminationGracePeriod: container.livenessProbe.terminationGracePeriodSeconds,
  ProcMountType: container.securityContext.procMount,
});

/** In an order in which they can be made. A pod is of the classes of its own name. */
export const GATED_OBJECTS: readonly GatedObject[] = [
  {
    path: '/apis/scheduling.cluster.io/v1/priorityclasses',
    body: { value: 5, preemptionPolicy: 'Never' },
    members: ({ preemptionPolicy }) => ({ NonPreemptingPriority: preemptionPolicy }),
  },
  {
    path: '/apis/node.cluster.io/v1/runtimeclasses',
    body: { handler: 'h', overhead: { podFixed: { cpu: '1m' } } },
    members: ({ overhead }) => ({ PodOverhead: overhead?.podFixed.cpu }),
    isOnlyMade: true,
  },
  {
    path: `/api/v1/${IN_DEFAULT}/pods`,
    body: { spec: POD },
    members: ({ spec }) => ({
      ...podMembers(spec),
      NonPreemptingPriority: spec.preemptionPolicy,
    }),
    isOnlyMade: true,
  },
  {
    path: `/apis/apps/v1/${IN_DEFAULT}/deployments`,
    body: { spec: { selector, template: TEMPLATE } },
    members: ({ spec }) => podMembers(spec.template.spec),
  },
  {
    path: `/apis/apps/v1/${IN_DEFAULT}/statefulsets`,
    body: { spec: { serviceName: 's', minReadySeconds: 5, selector, template: TEMPLATE } },
    members: ({ spec }) => ({ StatefulSetMinReadySeconds: spec.minReadySeconds }),
    isOnlyMade: true,
  },
  {
    path: `/apis/batch/v1/${IN_DEFAULT}/jobs`,
    body: {
      spec: {
        suspend: true,
        completionMode: 'Indexed',
        completions: 1,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    },
    members: ({ spec }) => ({ SuspendJob: spec.suspend, IndexedJob: spec.completionMode }),
  },
  {
    path: `/apis/discovery.cluster.io/v1/${IN_DEFAULT}/endpointslices`,
    body: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'], hints: { forZones: [{ name: 'z' }] } }],
    },
    members: ({ endpoints: [endpoint] }) => ({
      TopologyAwareHints: endpoint.hints?.forZones[0].name,
    }),
  },
  {
    path: `/apis/networking.cluster.io/v1/${IN_DEFAULT}/networkpolicies`,
    body: {
      spec: {
        podSelector: {},
        ingress: [{ ports: [{ protocol: 'TCP', port: 80, endPort: 90 }] }],
      },
    },
    members: ({ spec }) => ({ NetworkPolicyEndPort: spec.ingress[0].ports[0].endPort }),
  },
  {
    path: `/api/v1/${IN_DEFAULT}/persistentvolumeclaims`,
    body: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    status: { allocatedResources: { storage: '2Gi' }, resizeStatus: '' },
    members: ({ status: { allocatedResources, resizeStatus } }) => ({
      RecoverVolumeExpansionFailure: allocatedResources && [allocatedResources, resizeStatus],
    }),
  },
  {
    path: '/api/v1/nodes',
    body: { spec: { configSource } },
    status: { config: { assigned: configSource } },
    members: ({ spec, status }) => ({
      DynamicKubeletConfig: spec.configSource && [spec.configSource, status.config],
    }),
  },
  {
    path: '/apis/certificates.cluster.io/v1/certificatesigningrequests',
    body: { spec: { ...(SIGNING_REQUEST.minimal['spec'] as Change), expirationSeconds: 3600 } },
    members: ({ spec }) => ({ CSRDuration: spec.expirationSeconds }),
  },
  {
    path: '/apis/policy/v1beta1/podsecuritypolicies',
    body: {
      spec: {
        seLinux: anyone,
        runAsUser: anyone,
        supplementalGroups: anyone,
        fsGroup: anyone,
        allowedProcMountTypes: ['Unmasked'],
      },
    },
    members: ({ spec }) => ({ ProcMountType: spec.allowedProcMountTypes?.[0] ?? 'Default' }),
  },
];

/** Its name is a part of it. */
export function gatedDefinition(name: string): Change {
  const group = `${name}.example.com`;
  const schema = { openAPIV3Schema: { type: 'object', [RULES]: [{ rule: 'true' }] } };
  return {
    metadata: { name: `as.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'as', kind: 'A' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
