/** One object of many kinds, and what the server adds to it, for the typed calls of the client. */
import {
  AppsV1Api,
  AutoscalingV2Api,
  BatchV1Api,
  CoordinationV1Api,
  CoreV1Api,
  DiscoveryV1Api,
  EventsV1Api,
  NetworkingV1Api,
  NodeV1Api,
  PolicyV1Api,
  RbacAuthorizationV1Api,
  SchedulingV1Api,
  StorageV1Api,
  V1MicroTime,
} from '@kubernetes/client-node';
import type { ApiConstructor } from '@kubernetes/client-node';

export interface TypedKind {
  readonly api: ApiConstructor<object>;
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  /** The members beside the metadata. */
  readonly members: object;
  /** Part of what the server makes of it. */
  readonly made: object;
}

const LABELS = { app: 'web' };
const POD = { containers: [{ name: 'main', image: 'example.com/main:1' }] };
const TEMPLATE = { metadata: { labels: LABELS }, spec: POD };
const JOB_TEMPLATE = { spec: { ...POD, restartPolicy: 'Never' } };
const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const RULES = [{ apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get'] }];
const RBAC = 'rbac.authorization.k8s.io';
const SUBJECTS = [{ kind: 'ServiceAccount', name: 'default', namespace: 'kube-system' }];
/** The client writes such times from dates, and reads them as the text that they are. */
const MICRO_TIME = '2026-01-02T03:04:05.678000Z';
const MOMENT = new V1MicroTime(MICRO_TIME);
const EVENT = {
  regarding: { kind: 'Lease', name: 'l', namespace: 'typed', apiVersion: 'coordination.k8s.io/v1' },
  action: 'Testing',
  reason: 'Tested',
  type: 'Normal',
  note: 'of storage.k8s.io',
  reportingController: 'kubernetes.io/kubelet',
  reportingInstance: 'node-1',
};
const PEM = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');

function inNamespaces(
  api: ApiConstructor<object>,
  apiVersion: string,
  kind: string,
  members: object,
  made: object = members,
): TypedKind {
  return { api, kind, apiVersion, namespaced: true, members, made };
}

function inTheCluster(
  api: ApiConstructor<object>,
  apiVersion: string,
  kind: string,
  members: object,
  made: object = members,
): TypedKind {
  return { api, kind, apiVersion, namespaced: false, members, made };
}

const CORE: readonly TypedKind[] = [
  inNamespaces(CoreV1Api, 'v1', 'ConfigMap', { data: { a: '1', 'b.txt': 'ä\n"\u2028' } }),
  inNamespaces(CoreV1Api, 'v1', 'Secret', {
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': PEM, 'tls.key': PEM },
  }),
  inNamespaces(
    CoreV1Api,
    'v1',
    'Service',
    { spec: { selector: LABELS, ports: [{ port: 80 }] } },
    { spec: { type: 'ClusterIP', ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] } },
  ),
  inNamespaces(CoreV1Api, 'v1', 'Pod', { spec: POD }, { status: { phase: 'Pending' } }),
  inNamespaces(
    CoreV1Api,
    'v1',
    'PersistentVolumeClaim',
    { spec: CLAIM },
    { spec: { ...CLAIM, volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
  ),
  inNamespaces(CoreV1Api, 'v1', 'ServiceAccount', { automountServiceAccountToken: false }),
  inTheCluster(CoreV1Api, 'v1', 'Node', {
    spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
  }),
  inTheCluster(
    CoreV1Api,
    'v1',
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'csi.example.com', volumeHandle: 'v-1' },
      },
    },
    { spec: { persistentVolumeReclaimPolicy: 'Retain' }, status: { phase: 'Pending' } },
  ),
];

const WORKLOADS: readonly TypedKind[] = [
  inNamespaces(
    AppsV1Api,
    'apps/v1',
    'Deployment',
    { spec: { selector: { matchLabels: LABELS }, template: TEMPLATE } },
    { spec: { replicas: 1, strategy: { rollingUpdate: { maxSurge: '25%' } } } },
  ),
  inNamespaces(
    AppsV1Api,
    'apps/v1',
    'StatefulSet',
    { spec: { serviceName: 'web', selector: { matchLabels: LABELS }, template: TEMPLATE } },
    { spec: { podManagementPolicy: 'OrderedReady' } },
  ),
  inNamespaces(AppsV1Api, 'apps/v1', 'ControllerRevision', {
    revision: 3,
    data: { apiVersion: 'storage.k8s.io/v1', any: { kind: ['of', 'thing'] } },
  }),
  inNamespaces(
    BatchV1Api,
    'batch/v1',
    'Job',
    { spec: { template: JOB_TEMPLATE } },
    { spec: { backoffLimit: 6, completions: 1, parallelism: 1 } },
  ),
  inNamespaces(
    BatchV1Api,
    'batch/v1',
    'CronJob',
    { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: JOB_TEMPLATE } } } },
    { spec: { concurrencyPolicy: 'Allow', successfulJobsHistoryLimit: 3 } },
  ),
  inNamespaces(
    AutoscalingV2Api,
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 3,
      },
    },
    { spec: { minReplicas: 1, metrics: [{ type: 'Resource', resource: { name: 'cpu' } }] } },
  ),
  inNamespaces(PolicyV1Api, 'policy/v1', 'PodDisruptionBudget', {
    spec: { minAvailable: '50%', selector: { matchLabels: LABELS } },
  }),
];

const OF_THE_DOMAIN: readonly TypedKind[] = [
  inNamespaces(RbacAuthorizationV1Api, `${RBAC}/v1`, 'Role', { rules: RULES }),
  inTheCluster(RbacAuthorizationV1Api, `${RBAC}/v1`, 'ClusterRole', { rules: RULES }),
  inNamespaces(RbacAuthorizationV1Api, `${RBAC}/v1`, 'RoleBinding', {
    roleRef: { kind: 'Role', name: 'r', apiGroup: RBAC },
    subjects: SUBJECTS,
  }),
  inNamespaces(NetworkingV1Api, 'networking.k8s.io/v1', 'Ingress', {
    spec: {
      ingressClassName: 'web',
      tls: [{ hosts: ['a.example.com'], secretName: 'web' }],
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
    },
  }),
  inNamespaces(
    NetworkingV1Api,
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { spec: { podSelector: {}, ingress: [{ _from: [{ podSelector: { matchLabels: LABELS } }] }] } },
    { spec: { policyTypes: ['Ingress'] } },
  ),
  inNamespaces(
    CoordinationV1Api,
    'coordination.k8s.io/v1',
    'Lease',
    { spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: MOMENT } },
    { spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: MICRO_TIME } },
  ),
  inNamespaces(
    DiscoveryV1Api,
    'discovery.k8s.io/v1',
    'EndpointSlice',
    {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.0.1'] }],
      ports: [{ name: 'web', port: 80 }],
    },
    { ports: [{ name: 'web', port: 80, protocol: 'TCP' }] },
  ),
  inNamespaces(
    EventsV1Api,
    'events.k8s.io/v1',
    'Event',
    { ...EVENT, eventTime: MOMENT },
    { ...EVENT, eventTime: MICRO_TIME },
  ),
  inTheCluster(
    StorageV1Api,
    'storage.k8s.io/v1',
    'StorageClass',
    { provisioner: 'kubernetes.io/no-provisioner', parameters: { 'kubernetes.io/a': 'k8s.io' } },
    { provisioner: 'kubernetes.io/no-provisioner', reclaimPolicy: 'Delete' },
  ),
  inTheCluster(
    StorageV1Api,
    'storage.k8s.io/v1',
    'CSIDriver',
    { spec: { podInfoOnMount: true } },
    { spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'] } },
  ),
  inTheCluster(StorageV1Api, 'storage.k8s.io/v1', 'VolumeAttachment', {
    spec: {
      attacher: 'csi.example.com',
      nodeName: 'node-1',
      source: { persistentVolumeName: 'pv-1' },
    },
  }),
  inTheCluster(SchedulingV1Api, 'scheduling.k8s.io/v1', 'PriorityClass', { value: 7 }),
  inTheCluster(NodeV1Api, 'node.k8s.io/v1', 'RuntimeClass', { handler: 'small' }),
];

/** Kinds of every group that the client has calls for and the server serves. */
export const TYPED_KINDS: readonly TypedKind[] = [...CORE, ...WORKLOADS, ...OF_THE_DOMAIN];
