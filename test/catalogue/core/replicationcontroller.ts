import type { KindCases } from '../../support/kind-cases.ts';
import {
  ALWAYS_ONLY,
  LABELS,
  moreThanReplicas,
  negative,
  NOT_SHAREABLE,
  notSelected,
  ofPod,
  storedTemplate,
  template,
  WRITABLE_DISK,
} from '../../support/workload-cases.ts';

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  minimal: { spec: { template: template() } },
  minimalStored: {
    spec: { replicas: 1, selector: LABELS, template: storedTemplate() },
    status: { replicas: 0 },
  },
  full: {
    metadata: { labels: { own: 'label' } },
    spec: {
      replicas: 0,
      minReadySeconds: 5,
      selector: LABELS,
      template: storedTemplate({}, { ...LABELS, tier: 'front' }),
    },
  },
  fullStored: {
    spec: {
      replicas: 0,
      minReadySeconds: 5,
      selector: LABELS,
      template: storedTemplate({}, { ...LABELS, tier: 'front' }),
    },
    status: { replicas: 0 },
  },
  invalid: [
    [
      'reference: a selector, or labels to take for one, are required',
      { spec: { template: { metadata: undefined } } },
      ['spec.selector: Required value'],
    ],
    [
      'reference: a template is required',
      { spec: { selector: LABELS, template: undefined } },
      ['spec.template: Required value'],
    ],
    [
      'reference: the selector selects the template',
      { spec: { selector: { app: 'api' } } },
      [notSelected('{"app":"web"}')],
    ],
    [
      'reference: a pod has containers',
      ofPod({ containers: [] }),
      ['spec.template.spec.containers: Required value'],
    ],
    ['reference: pods always run', ofPod({ restartPolicy: 'Never' }), [ALWAYS_ONLY]],
    [
      'reference: pods do not end',
      ofPod({ activeDeadlineSeconds: 1 }),
      [
        'spec.template.spec.activeDeadlineSeconds: Forbidden: ' +
          'activeDeadlineSeconds in ReplicationController is not Supported',
      ],
    ],
    [
      'reference: several pods share a disk that none writes',
      { spec: { replicas: 2, template: { spec: { volumes: WRITABLE_DISK } } } },
      [NOT_SHAREABLE],
    ],
    [
      'reference: counts are not negative',
      { spec: { replicas: -1, minReadySeconds: -2 } },
      [negative('spec.replicas'), negative('spec.minReadySeconds', -2)],
    ],
  ],
  updates: [
    [
      'reference: even the selector is mutable',
      {},
      {
        spec: { selector: { app: 'api' }, template: { metadata: { labels: { app: 'api' } } } },
      },
      [],
    ],
    [
      'reference: an update is checked like a new object',
      {},
      { spec: { selector: { app: 'api' } } },
      [notSelected('{"app":"web"}')],
    ],
  ],
  statusUpdates: [
    ['reference: counts', {}, { status: { replicas: 2, readyReplicas: 2 } }, []],
    [
      'reference: counts are not negative',
      {},
      {
        status: {
          replicas: -1,
          fullyLabeledReplicas: -1,
          readyReplicas: -1,
          availableReplicas: -1,
          observedGeneration: -1,
        },
      },
      [
        negative('status.replicas'),
        negative('status.fullyLabeledReplicas'),
        negative('status.readyReplicas'),
        negative('status.availableReplicas'),
        negative('status.observedGeneration'),
      ],
    ],
    [
      'reference: no more than there are',
      {},
      { status: { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 3, availableReplicas: 4 } },
      [
        moreThanReplicas('fullyLabeledReplicas', 2),
        moreThanReplicas('readyReplicas', 3),
        moreThanReplicas('availableReplicas', 4),
        'status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas',
      ],
    ],
  ],
};
