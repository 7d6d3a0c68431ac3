// The newest release treats some PersistentVolumeClaims otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const SPEC = {
  accessModes: ['ReadWriteOncePod'],
  resources: { requests: { storage: '2Gi' } },
};
const STORED = { ...SPEC, volumeMode: 'Filesystem' };
const SOURCE = { kind: 'PersistentVolumeClaim', name: 'other' };
const POPULATOR = { apiGroup: 'example.com', kind: 'Population', name: 'a' };
const FIXED =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
const DEFAULT_GROUP = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  minimal: { spec: SPEC },
  minimalStored: { spec: STORED, status: { phase: 'Pending' } },
  full: { spec: { ...STORED, dataSource: SOURCE, volumeAttributesClassName: 'gold' } },
  fullStored: {
    spec: {
      ...STORED,
      dataSource: { apiGroup: null, ...SOURCE },
      dataSourceRef: { apiGroup: null, ...SOURCE },
      volumeAttributesClassName: 'gold',
    },
    status: { phase: 'Pending' },
  },
  invalid: [
    ['any source by the newer member', { spec: { dataSourceRef: POPULATOR } }, []],
    ['no such source by the older one', { spec: { dataSource: POPULATOR } }, []],
    [
      'both say the same',
      { spec: { dataSource: SOURCE, dataSourceRef: POPULATOR } },
      ['spec: Invalid value: {}: must match dataSourceRef'],
    ],
    [
      'sources have a kind and a name in both members',
      { spec: { dataSourceRef: { kind: 'Pod' } } },
      [
        'spec.dataSource.name: Required value',
        `spec.dataSource: Invalid value: "Pod": ${DEFAULT_GROUP}`,
        'spec.dataSourceRef.name: Required value',
        `spec.dataSourceRef: Invalid value: "Pod": ${DEFAULT_GROUP}`,
      ],
    ],
    ['no source elsewhere', { spec: { dataSourceRef: { ...SOURCE, namespace: 'B' } } }, []],
  ],
  updates: [
    ['a first class', {}, { spec: { storageClassName: 'fast' } }, []],
    [
      'no other one',
      { spec: { storageClassName: 'fast' } },
      { spec: { storageClassName: 'slow' } },
      [FIXED],
    ],
    [
      'attributes of a claim that is not bound stay',
      { spec: { volumeAttributesClassName: 'a' } },
      { spec: { volumeAttributesClassName: 'b' } },
      [FIXED],
    ],
    ['no less than it has', {}, { spec: { resources: { requests: { storage: '0.5' } } } }, [FIXED]],
  ],
  statusUpdates: [
    [
      'how far resources have grown',
      {},
      {
        status: {
          allocatedResources: { 'cluster.io/disk': '1', storage: '0' },
          allocatedResourceStatuses: { storage: 'Growing' },
        },
      },
      [
        'status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
        'status.allocatedResources: Unsupported value: "cluster.io/disk": supported values: "storage"',
      ],
    ],
  ],
};
