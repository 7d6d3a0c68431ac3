/** The rows of the migration table; `conversion-row.ts` says what is in one. */
import type { ConversionRow } from './conversion-row.ts';
import { DEFINITION_ROWS } from './definition-rows.ts';
import { NETWORK_ROWS } from './network-rows.ts';
import { WEBHOOK_ROWS } from './webhook-rows.ts';
import { WORKLOAD_ROWS } from './workload-rows.ts';

const metadata = { name: 'a' };

/** Kinds of which nothing but the version changes. */
const SAME: readonly (readonly [kind: string, from: string, to: string])[] = [
  ['FlowSchema', 'flowcontrol.apiserver.cluster.io/v1beta1', 'v1beta2'],
  ['PriorityLevelConfiguration', 'flowcontrol.apiserver.cluster.io/v1beta1', 'v1beta2'],
  ['HorizontalPodAutoscaler', 'autoscaling/v2beta2', 'v2'],
  ['CronJob', 'batch/v1beta1', 'v1'],
  ['RuntimeClass', 'node.cluster.io/v1beta1', 'v1'],
  ['APIService', 'apiregistration.cluster.io/v1beta1', 'v1'],
  ['TokenReview', 'authentication.cluster.io/v1beta1', 'v1'],
  ['SelfSubjectAccessReview', 'authorization.cluster.io/v1beta1', 'v1'],
  ['Lease', 'coordination.cluster.io/v1beta1', 'v1'],
  ['IngressClass', 'networking.cluster.io/v1beta1', 'v1'],
  ['ClusterRole', 'rbac.authorization.cluster.io/v1beta1', 'v1'],
  ['ClusterRoleBinding', 'rbac.authorization.cluster.io/v1beta1', 'v1'],
  ['Role', 'rbac.authorization.cluster.io/v1beta1', 'v1'],
  ['RoleBinding', 'rbac.authorization.cluster.io/v1beta1', 'v1'],
  ['PriorityClass', 'scheduling.cluster.io/v1beta1', 'v1'],
  ['CSIDriver', 'storage.cluster.io/v1beta1', 'v1'],
  ['CSINode', 'storage.cluster.io/v1beta1', 'v1'],
  ['StorageClass', 'storage.cluster.io/v1beta1', 'v1'],
  ['VolumeAttachment', 'storage.cluster.io/v1beta1', 'v1'],
];

const UNCHANGED = SAME.map(([kind, from, version]): ConversionRow => {
  const to = `${from.slice(0, from.indexOf('/'))}/${version}`;
  const object = { metadata: { name: 'a', labels: { x: 'y' } } };
  return { name: 'nothing changes', kind, from, to, before: object, after: object };
});

const selected = (operator: string): object => ({
  matchExpressions: [{ key: 'pdb.cluster.io/deprecated-v1beta1-empty-selector-match', operator }],
});

const OTHERS: readonly ConversionRow[] = [
  {
    name: 'groups',
    kind: 'SubjectAccessReview',
    from: 'authorization.cluster.io/v1beta1',
    to: 'authorization.cluster.io/v1',
    before: { spec: { user: 'u', group: ['g'] } },
    after: { spec: { user: 'u', groups: ['g'] } },
  },
  {
    name: 'groups',
    kind: 'LocalSubjectAccessReview',
    from: 'authorization.cluster.io/v1beta1',
    to: 'authorization.cluster.io/v1',
    before: { spec: { user: 'u', group: ['g'] } },
    after: { spec: { user: 'u', groups: ['g'] } },
  },
  {
    name: 'what it meant without saying it',
    kind: 'CertificateSigningRequest',
    from: 'certificates.cluster.io/v1beta1',
    to: 'certificates.cluster.io/v1',
    before: {
      metadata,
      spec: { request: 'YQ==', signerName: 'example.com/s' },
      status: { conditions: [{ type: 'Approved' }] },
    },
    after: {
      metadata,
      spec: {
        request: 'YQ==',
        signerName: 'example.com/s',
        usages: ['digital signature', 'key encipherment'],
      },
      status: { conditions: [{ type: 'Approved', status: 'True' }] },
    },
    back: 'after',
  },
  {
    name: 'usages, conditions and certificates that v1 does not take',
    kind: 'CertificateSigningRequest',
    from: 'certificates.cluster.io/v1beta1',
    to: 'certificates.cluster.io/v1',
    before: {
      metadata,
      spec: { request: 'YQ==', signerName: 'cluster.io/legacy-unknown', usages: ['to be'] },
      status: {
        certificate: 'YQ==',
        conditions: [
          { type: 'Approved', status: 'True' },
          { type: 'Approved', status: 'True' },
        ],
      },
    },
    after: {
      metadata,
      spec: { request: 'YQ==', signerName: 'cluster.io/legacy-unknown', usages: ['to be'] },
      status: {
        certificate: 'YQ==',
        conditions: [
          { type: 'Approved', status: 'True' },
          { type: 'Approved', status: 'True' },
        ],
      },
    },
    problems: [
      'spec.signerName must not be cluster.io/legacy-unknown',
      'status.conditions[1].type is there twice',
      'spec.usages[0] is not known: to be',
      'status.certificate must contain at least one CERTIFICATE PEM block',
    ],
  },
  {
    name: 'a request without a signer',
    kind: 'CertificateSigningRequest',
    from: 'certificates.cluster.io/v1beta1',
    to: 'certificates.cluster.io/v1',
    before: { metadata, spec: { request: 'YQ==', usages: ['client auth', 'client auth'] } },
    after: {
      metadata,
      spec: {
        request: 'YQ==',
        usages: ['client auth'],
        signerName: 'cluster.io/legacy-unknown',
      },
    },
    back: 'after',
    problems: [
      'spec.signerName is required: say who signs, since cluster.io/legacy-unknown cannot',
    ],
  },
  {
    name: 'an empty selector means no pods',
    kind: 'PodDisruptionBudget',
    from: 'policy/v1beta1',
    to: 'policy/v1',
    before: { metadata, spec: { selector: {} } },
    after: { metadata, spec: { selector: selected('Exists') } },
  },
  {
    name: 'an empty selector means all pods in v1',
    kind: 'PodDisruptionBudget',
    from: 'policy/v1beta1',
    to: 'policy/v1',
    before: { metadata, spec: { selector: selected('DoesNotExist') } },
    after: { metadata, spec: { selector: {} } },
  },
  {
    name: 'no selector means no pods in both',
    kind: 'PodDisruptionBudget',
    from: 'policy/v1beta1',
    to: 'policy/v1',
    before: { metadata, spec: { minAvailable: 1 } },
    after: { metadata, spec: { minAvailable: 1 } },
  },
  {
    name: 'targets',
    kind: 'HorizontalPodAutoscaler',
    from: 'autoscaling/v2beta1',
    to: 'autoscaling/v2',
    before: {
      metadata,
      spec: {
        maxReplicas: 2,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 70 } }],
      },
    },
    after: {
      metadata,
      spec: {
        maxReplicas: 2,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
          },
        ],
      },
    },
  },
  {
    name: 'behaviour was an annotation',
    kind: 'HorizontalPodAutoscaler',
    from: 'autoscaling/v2beta1',
    to: 'autoscaling/v2',
    before: {
      metadata: {
        ...metadata,
        annotations: {
          'autoscaling.alpha.cluster.io/behavior':
            '{"ScaleUp":null,"ScaleDown":' +
            '{"StabilizationWindowSeconds":null,"SelectPolicy":"Disabled","Policies":null}}',
        },
      },
      spec: { maxReplicas: 2 },
    },
    after: {
      metadata,
      spec: { maxReplicas: 2, behavior: { scaleDown: { selectPolicy: 'Disabled' } } },
    },
  },
  {
    name: 'what new events need, and may not have',
    kind: 'Event',
    from: 'events.cluster.io/v1beta1',
    to: 'events.cluster.io/v1',
    before: { metadata, reason: 'r', type: 'Normal', note: 'n', deprecatedCount: 3 },
    after: { metadata, reason: 'r', type: 'Normal', note: 'n', deprecatedCount: 3 },
    problems: [
      'eventTime is required of new events',
      'reportingController is required of new events',
      'reportingInstance is required of new events',
      'action is required of new events',
      'deprecatedCount is not permitted in new events',
    ],
  },
  {
    name: 'names of members',
    kind: 'Event',
    from: 'v1',
    to: 'events.cluster.io/v1beta1',
    before: { metadata, involvedObject: { kind: 'Pod' }, message: 'n', count: 3 },
    after: { metadata, regarding: { kind: 'Pod' }, note: 'n', deprecatedCount: 3 },
  },
  {
    name: 'nothing changes',
    kind: 'PodSecurityPolicy',
    from: 'extensions/v1beta1',
    to: 'policy/v1beta1',
    before: { metadata, spec: { privileged: true } },
    after: { metadata, spec: { privileged: true } },
  },
];

export const CONVERSION_ROWS: readonly ConversionRow[] = [
  ...UNCHANGED,
  ...WORKLOAD_ROWS,
  ...NETWORK_ROWS,
  ...WEBHOOK_ROWS,
  ...DEFINITION_ROWS,
  ...OTHERS,
];
