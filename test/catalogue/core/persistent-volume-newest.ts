// The newest release treats some PersistentVolumes otherwise.
import type { Change, KindCases } from '../../support/kind-cases.ts';

const CSI = { driver: 'disk.csi.example.com', volumeHandle: 'v1' };
const SPEC = {
  capacity: { storage: '10Gi' },
  accessModes: ['ReadWriteOncePod'],
  csi: CSI,
  persistentVolumeReclaimPolicy: 'Retain',
  volumeMode: 'Filesystem',
};
const CREATED = '2024-01-01T00:00:00Z';
const EXPRESSION = 'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0]';
const ATTRIBUTES = 'spec.volumeAttributesClassName';

function onNodes(key: string, ...values: readonly string[]): Change {
  const nodeSelectorTerms = [{ matchExpressions: [{ key, operator: 'In', values }] }];
  return { spec: { nodeAffinity: { required: { nodeSelectorTerms } } } };
}

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  minimal: { spec: SPEC },
  minimalStored: { spec: SPEC, status: { phase: 'Pending', lastPhaseTransitionTime: CREATED } },
  full: { spec: { ...SPEC, volumeAttributesClassName: 'gold' } },
  fullStored: {
    spec: { ...SPEC, volumeAttributesClassName: 'gold' },
    status: { phase: 'Pending', lastPhaseTransitionTime: CREATED },
  },
  invalid: [
    [
      'access modes',
      { spec: { accessModes: ['Any'] } },
      [
        'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
    ],
    [
      'of a driver without a name nothing else is told',
      { spec: { csi: { driver: '' } } },
      ['spec.csi.driver: Required value'],
    ],
    [
      'secrets are told where they are',
      { spec: { csi: { nodeExpandSecretRef: { name: 'a.b' }, nodePublishSecretRef: {} } } },
      [
        'spec.csi.nodePublishSecretRef.name: Required value',
        'spec.csi.nodePublishSecretRef.namespace: Required value',
        'spec.csi.nodeExpandSecretRef.namespace: Required value',
      ],
    ],
    [
      'a class of attributes has a name, and is for drivers',
      { spec: { csi: undefined, nfs: { server: 'a', path: '/' }, volumeAttributesClassName: '' } },
      [
        `${ATTRIBUTES}: Required value: an empty string is disallowed`,
        'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
      ],
    ],
    [
      'nodes are selected by values that labels can have',
      onNodes('a', 'b', 'c d'),
      [
        `spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[1]: Invalid value: "c d": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
  ],
  updates: [
    [
      'another class of attributes',
      { spec: { volumeAttributesClassName: 'a' } },
      { spec: { volumeAttributesClassName: 'b' } },
      [],
    ],
    [
      'but not none',
      { spec: { volumeAttributesClassName: 'a' } },
      { spec: { volumeAttributesClassName: undefined } },
      [`${ATTRIBUTES}: Forbidden: update from non-nil value to nil is forbidden`],
    ],
    [
      'labels get their newer names',
      onNodes('failure-domain.beta.cluster.io/zone', 'z'),
      onNodes('topology.cluster.io/zone', 'z'),
      [],
    ],
    [
      'no label is told as such alone',
      onNodes('a', 'z'),
      onNodes('', 'z'),
      [
        `${EXPRESSION}.key: Invalid value: "": name part must be non-empty`,
        `${EXPRESSION}.key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
    [
      'nodes stay otherwise',
      onNodes('failure-domain.beta.cluster.io/zone', 'z'),
      onNodes('topology.cluster.io/zone', 'y'),
      [
        'nodeAffinity: Invalid value: {"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"topology.cluster.io/zone","operator":"In","values":["y"]}]}]}}: field is immutable, except for updating from beta label to GA',
      ],
    ],
  ],
};
