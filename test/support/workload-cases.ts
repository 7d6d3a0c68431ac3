/** Pod templates for the rows of the kinds that run pods. */
import type { Change, KindCases } from './kind-cases.ts';
import { CONTAINER_DEFAULTS, TEMPLATE_DEFAULTS } from './pod-cases.ts';

export const LABELS = { app: 'web' };
export const SELECTOR = { matchLabels: LABELS };

const CONTAINER = { name: 'c', image: 'web:1' };

/** The least template that is selected by `SELECTOR`, with other members of its pod. */
export function template(spec: Change = {}): Change {
  return { metadata: { labels: LABELS }, spec: { containers: [CONTAINER], ...spec } };
}

/** Gives the template as it is stored; `labels` are those that it then has. */
export function storedTemplate(spec: Change = {}, labels: Change = LABELS): Change {
  const containers = [{ ...CONTAINER, ...CONTAINER_DEFAULTS }];
  return {
    metadata: { creationTimestamp: null, ...(Object.keys(labels).length > 0 ? { labels } : {}) },
    spec: { containers, ...TEMPLATE_DEFAULTS, ...spec },
  };
}

/** Gives the stored template in releases that leave out a time that is not there. */
export function plainTemplate(spec: Change = {}): Change {
  return { ...storedTemplate(spec), metadata: { labels: LABELS } };
}

/** A change of the pod in the template of a spec. */
export function ofPod(spec: Change): Change {
  return { spec: { template: { spec } } };
}

/** A disk that only one pod can mount, and the error that says so. */
export const WRITABLE_DISK = [{ name: 'v', gcePersistentDisk: { pdName: 'disk' } }] as const;
export const NOT_SHAREABLE =
  'spec.template.spec.volumes[0].gcePersistentDisk.readOnly: Invalid value: false: ' +
  'must be true for replicated pods > 1; ' +
  'GCE PD can only be mounted on multiple machines if it is read-only';

const LABELS_FIELD = 'spec.template.metadata.labels';

/** The error of labels that are not selected. */
export function notSelected(labels: string): string {
  const detail = '`selector` does not match template `labels`';
  return `${LABELS_FIELD}: Invalid value: map[string]string${labels}: ${detail}`;
}

export const ALWAYS_ONLY =
  'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"';

/** The error of a count that is below zero. */
export function negative(field: string, value = -1): string {
  return `${field}: Invalid value: ${value}: must be greater than or equal to 0`;
}

/** The error of a count that is more than the replicas. */
export function moreThanReplicas(name: string, value: number): string {
  return `status.${name}: Invalid value: ${value}: cannot be greater than status.replicas`;
}

export const PERCENT_HINT =
  "a valid percent string must be a numeric string followed by an ending '%' " +
  "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

type Rows = KindCases['invalid'];

/** Rows about the pods of a template. The reference names ReplicaSet for Deployments too. */
export function podRows(kind: string): Rows {
  return [
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
          `activeDeadlineSeconds in ${kind} is not Supported`,
      ],
    ],
  ];
}

/** Rows of kinds whose selector must select the template. */
export const SELECTION_ROWS: Rows = [
  [
    'reference: the selector selects the template',
    { spec: { template: { metadata: { labels: { app: 'api' } } } } },
    [notSelected('{"app":"api"}')],
  ],
];

/** Rows of kinds that count replicas. */
export const REPLICA_ROWS: Rows = [
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
];

/** Rows of the status of such kinds. */
export const REPLICA_STATUS_ROWS: NonNullable<KindCases['statusUpdates']> = [
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
];

const VOLUMES = [
  { name: 'a', emptyDir: {}, nfs: { server: 'h', path: '/x' } },
  { name: 'b', secret: { secretName: 's', defaultMode: 512 } },
  {
    name: 'c',
    projected: { sources: [{ secret: { name: 's', items: [{ key: 'k', path: '../a' }] } }] },
  },
  { name: 'd' },
  { name: 'd' },
];

/** A row about the volumes of a template, put into an object, whose `path` errors begin with. */
export function volumesRow(within: (template: Change) => Change, path = ''): Rows[number] {
  const at = `${path}template.spec.volumes`;
  return [
    'volumes have their rules in a template too',
    within({ spec: { volumes: VOLUMES } }),
    [
      `${at}[0].nfs: Forbidden: may not specify more than 1 volume type`,
      `${at}[1].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 ` +
        '(octal), both inclusive',
      `${at}[2].projected.sources[0].secret.items[0].path: Invalid value: "../a": ` +
        "must not contain '..'",
      `${at}[4].name: Duplicate value: "d"`,
    ],
  ];
}
