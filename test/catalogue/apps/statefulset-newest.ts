// The newest release treats the claims of stateful sets otherwise.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { plainTemplate, SELECTOR, template } from '../../support/workload-cases.ts';

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const POLICY = { whenDeleted: 'Retain', whenScaled: 'Retain' };
const claims = (metadata: Change, spec: Change = {}): Change => ({
  spec: { volumeClaimTemplates: [{ metadata, spec: { ...CLAIM, ...spec } }] },
});
const LABEL_VALUE_HINT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or " +
  "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const VOLUME = 'spec.template.spec.volumes[0]';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  minimal: { spec: { selector: SELECTOR, template: template() } },
  minimalStored: {
    spec: {
      replicas: 1,
      selector: SELECTOR,
      template: plainTemplate(),
      serviceName: '',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: {
        type: 'RollingUpdate',
        rollingUpdate: { partition: 0, maxUnavailable: 1 },
      },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: POLICY,
    },
    status: { replicas: 0, availableReplicas: 0 },
  },
  full: { spec: { selector: SELECTOR, template: template(), ordinals: { start: 2 } } },
  fullStored: {
    spec: {
      replicas: 1,
      selector: SELECTOR,
      template: plainTemplate(),
      serviceName: '',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: {
        type: 'RollingUpdate',
        rollingUpdate: { partition: 0, maxUnavailable: 1 },
      },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: POLICY,
      ordinals: { start: 2 },
    },
    status: { replicas: 0, availableReplicas: 0 },
  },
  invalid: [
    [
      'values are shown as JSON that pages may have in them',
      { spec: { selector: { matchLabels: { app: '<&>' } } } },
      [
        `spec.selector.matchLabels: Invalid value: "<&>": ${LABEL_VALUE_HINT}`,
        'spec.selector: Invalid value: {"matchLabels":{"app":"\\u003c\\u0026\\u003e"}}',
      ],
    ],
    [
      'claims have names, by which pods have them as volumes',
      claims({}),
      [
        `${VOLUME}.persistentVolumeClaim.claimName: Required value`,
        `${VOLUME}.name: Required value`,
      ],
    ],
    ['and a mode that there is', claims({ name: 'a' }, { volumeMode: 'Block' }), []],
    [
      'not another one',
      claims({ name: 'a' }, { volumeMode: 'Tape' }),
      [
        'spec.volumeClaimTemplates[0].spec.volumeMode: Unsupported value: "Tape": supported ' +
          'values: "Block", "Filesystem"',
      ],
    ],
  ],
  updates: [
    ['what a name is made of may be anything later', {}, { metadata: { generateName: 'A_B' } }, []],
  ],
};
