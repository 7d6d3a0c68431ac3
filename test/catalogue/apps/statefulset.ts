import type { KindCases } from '../../support/kind-cases.ts';
import {
  moreThanReplicas,
  negative,
  notSelected,
  podRows,
  SELECTION_ROWS,
  SELECTOR,
  storedTemplate,
  template,
  volumesRow,
} from '../../support/workload-cases.ts';

const CLAIM_SPEC = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
};
const UPDATE_FORBIDDEN =
  'spec: Forbidden: updates to statefulset spec for fields other than ' +
  "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and " +
  "'minReadySeconds' are forbidden";
const NAME_PART_HINT =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', " +
  "regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const MOUNT = [{ name: 'data', mountPath: '/data' }];
const spec = {
  replicas: 0,
  selector: SELECTOR,
  serviceName: 'web',
  podManagementPolicy: 'Parallel',
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
  revisionHistoryLimit: 0,
  minReadySeconds: 5,
};

export const CASES: KindCases = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  minimal: { spec: { selector: SELECTOR, template: template() } },
  minimalStored: {
    spec: {
      replicas: 1,
      selector: SELECTOR,
      template: storedTemplate(),
      serviceName: '',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      revisionHistoryLimit: 10,
    },
    status: { replicas: 0, availableReplicas: 0 },
  },
  full: {
    spec: {
      ...spec,
      template: template({
        containers: [{ name: 'c', image: 'web:1', volumeMounts: MOUNT }],
      }),
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: CLAIM_SPEC }],
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
    },
  },
  fullStored: {
    spec: {
      ...spec,
      template: storedTemplate({
        containers: [
          {
            name: 'c',
            image: 'web:1',
            resources: {},
            volumeMounts: MOUNT,
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'IfNotPresent',
          },
        ],
      }),
      volumeClaimTemplates: [
        {
          kind: 'PersistentVolumeClaim',
          apiVersion: 'v1',
          metadata: { name: 'data', creationTimestamp: null },
          spec: { ...CLAIM_SPEC, volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    },
    status: { replicas: 0, availableReplicas: 0 },
  },
  invalid: [
    [
      'reference: templates of claims are not checked',
      {
        spec: {
          volumeClaimTemplates: [
            { metadata: { name: 'A_B' }, spec: { accessModes: ['X'], volumeMode: 'A_B' } },
          ],
        },
      },
      [],
    ],
    volumesRow((template) => ({ spec: { template } }), 'spec.'),
    [
      'reference: a selector is required',
      { spec: { selector: undefined } },
      ['spec.selector: Required value', notSelected('{"app":"web"}')],
    ],
    [
      'reference: an empty selector',
      { spec: { selector: { matchLabels: undefined } } },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ' +
          'empty selector is invalid for statefulset',
      ],
    ],
    [
      '3.7: an expression that has values to no purpose',
      {
        spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
      },
      [
        'spec.selector.matchExpressions[0].values: Forbidden: ' +
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web"}, ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement' +
          '{Key:"a", Operator:"Exists", Values:[]string{"b"}}}}',
      ],
    ],
    ...SELECTION_ROWS,
    ...podRows('StatefulSet'),
    [
      'reference: names of annotations',
      { spec: { template: { metadata: { annotations: { 'no spaces': 'a' } } } } },
      [`spec.template.annotations: Invalid value: "no spaces": ${NAME_PART_HINT}`],
    ],
    [
      'reference: counts are not negative',
      {
        spec: {
          replicas: -1,
          minReadySeconds: -2,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -3 } },
        },
      },
      [
        negative('spec.replicas'),
        negative('spec.updateStrategy.rollingUpdate.partition', -3),
        negative('spec.minReadySeconds', -2),
      ],
    ],
    [
      'reference: policies of the order of pods',
      { spec: { podManagementPolicy: 'Random' } },
      ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
    ],
    [
      'reference: strategies',
      { spec: { updateStrategy: { type: 'Recreate' } } },
      [
        'spec.updateStrategy: Invalid value: {"type":"Recreate"}: ' +
          "must be 'RollingUpdate' or 'OnDelete'",
      ],
    ],
    [
      'reference: nothing rolls on delete',
      { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: {} } } },
      [
        'spec.updateStrategy.rollingUpdate: Invalid value: {"partition":0}: ' +
          "only allowed for updateStrategy 'RollingUpdate'",
      ],
    ],
    ['reference: a named strategy', { spec: { updateStrategy: { type: 'RollingUpdate' } } }, []],
    ['reference: on delete', { spec: { updateStrategy: { type: 'OnDelete' } } }, []],
  ],
  updates: [
    [
      'reference: what may change',
      {},
      {
        spec: {
          replicas: 3,
          template: { spec: { terminationGracePeriodSeconds: 1 } },
          updateStrategy: { type: 'OnDelete', rollingUpdate: null },
          minReadySeconds: 7,
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
        },
      },
      [],
    ],
    ['reference: the service is fixed', {}, { spec: { serviceName: 'other' } }, [UPDATE_FORBIDDEN]],
    [
      'reference: the selector is fixed',
      {},
      { spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } } },
      [UPDATE_FORBIDDEN],
    ],
    [
      'reference: the claims are fixed',
      { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: CLAIM_SPEC }] } },
      { spec: { volumeClaimTemplates: [] } },
      [UPDATE_FORBIDDEN],
    ],
    [
      'reference: the order of pods is fixed',
      {},
      { spec: { podManagementPolicy: 'Parallel' } },
      [UPDATE_FORBIDDEN],
    ],
    [
      'reference: the length of the history is fixed',
      {},
      { spec: { revisionHistoryLimit: 3 } },
      [UPDATE_FORBIDDEN],
    ],
  ],
  statusUpdates: [
    ['reference: counts', {}, { status: { replicas: 2, currentReplicas: 2 } }, []],
    [
      'reference: counts are not negative',
      {},
      {
        status: {
          observedGeneration: -1,
          replicas: -1,
          readyReplicas: -1,
          currentReplicas: -1,
          updatedReplicas: -1,
          collisionCount: -1,
          availableReplicas: -1,
        },
      },
      [
        negative('status.observedGeneration'),
        negative('status.replicas'),
        negative('status.readyReplicas'),
        negative('status.currentReplicas'),
        negative('status.updatedReplicas'),
        negative('status.collisionCount'),
        negative('status.availableReplicas'),
      ],
    ],
    [
      'reference: no more than there are',
      {},
      {
        status: {
          replicas: 1,
          readyReplicas: 2,
          currentReplicas: 3,
          updatedReplicas: 4,
          availableReplicas: 5,
        },
      },
      [
        moreThanReplicas('readyReplicas', 2),
        moreThanReplicas('currentReplicas', 3),
        moreThanReplicas('updatedReplicas', 4),
        moreThanReplicas('availableReplicas', 5),
        'status.availableReplicas: Invalid value: 5: cannot be greater than status.readyReplicas',
      ],
    ],
  ],
};
