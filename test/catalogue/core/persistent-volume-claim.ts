import type { Change, KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const spec = (change: Change): Change => ({ spec: change });
const request = (storage: string): Change => spec({ resources: { requests: { storage } } });
const MINIMAL = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
};
const CLAIM = { kind: 'PersistentVolumeClaim', name: 'other' };
const SNAPSHOT = {
  apiGroup: 'snapshot.storage.cluster.io',
  kind: 'VolumeSnapshot',
  name: 'monday',
};
const POPULATOR = { apiGroup: 'example.com', kind: 'Image', name: 'base' };
const FULL = {
  accessModes: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'],
  selector: { matchLabels: { tier: 'gold' } },
  resources: { limits: { storage: '10Gi' }, requests: { storage: '5Gi' } },
  volumeName: 'pv-1',
  storageClassName: '',
  volumeMode: 'Block',
  dataSource: SNAPSHOT,
};
const FIXED =
  'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims';

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  minimal: { spec: MINIMAL },
  minimalStored: {
    spec: { ...MINIMAL, volumeMode: 'Filesystem' },
    status: { phase: 'Pending' },
  },
  full: { spec: FULL },
  fullStored: { spec: FULL, status: { phase: 'Pending' } },
  invalid: [
    [
      '3.7: the name is a DNS subdomain',
      { metadata: { name: 'Claim' } },
      [`metadata.name: Invalid value: "Claim": ${SUBDOMAIN_HINT}`],
    ],
    [
      '14.2: accessModes are required',
      spec({ accessModes: [] }),
      ['spec.accessModes: Required value: at least 1 access mode is required'],
    ],
    [
      '13.4: accessModes, without the gated ReadWriteOncePod',
      spec({ accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] }),
      [
        'spec.accessModes: Unsupported value: "ReadWriteOncePod": ' +
          'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      ],
    ],
    [
      'a size is required',
      spec({ resources: undefined }),
      ['spec.resources[storage]: Required value'],
    ],
    [
      'a size is above zero',
      request('0'),
      ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      'a size is not negative',
      request('-1Gi'),
      ['spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero'],
    ],
    [
      '7.7: selector is a valid selector',
      spec({ selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } }),
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Is": ' +
          'not a valid selector operator',
      ],
    ],
    [
      'storageClassName is the name of a class',
      spec({ storageClassName: 'Fast' }),
      [`spec.storageClassName: Invalid value: "Fast": ${SUBDOMAIN_HINT}`],
    ],
    [
      '13.4: volumeMode',
      spec({ volumeMode: 'Tape' }),
      ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
    ],
    ['a claim is a source', spec({ dataSource: CLAIM }), []],
    ['the newer name of a source is dropped', spec({ dataSourceRef: { kind: 'Pod' } }), []],
    [
      'a source has a name',
      spec({ dataSource: { ...CLAIM, name: '' } }),
      ['spec.dataSource.name: Required value'],
    ],
    ['what is neither claim nor snapshot is dropped', spec({ dataSource: POPULATOR }), []],
  ],
  updates: [
    [
      'reference: what has no name is a resource too',
      {},
      { spec: { resources: { limits: { '': '0' } } } },
      [FIXED],
    ],
    ['spec is immutable: accessModes', {}, spec({ accessModes: ['ReadWriteMany'] }), [FIXED]],
    ['spec is immutable: storageClassName', {}, spec({ storageClassName: 'fast' }), [FIXED]],
    ['spec is immutable: limits', {}, spec({ resources: { limits: { storage: '9Gi' } } }), [FIXED]],
    [
      'spec is immutable: a limit with the name of what all objects have',
      {},
      spec({ resources: { limits: { constructor: '9Gi' } } }),
      [FIXED],
    ],
    ['spec is immutable: a claim that is not bound does not grow', {}, request('2Gi'), [FIXED]],
    [
      'a claim does not shrink',
      {},
      request('1023Mi'),
      [
        FIXED,
        'spec.resources.requests.storage: Forbidden: field can not be less than previous value',
      ],
    ],
    ['the same size in other words', {}, request('1073741824'), []],
    [
      'volumeMode is immutable',
      {},
      spec({ volumeMode: 'Block' }),
      [FIXED, 'volumeMode: Invalid value: "Block": field is immutable'],
    ],
    ['the binder names the volume', {}, spec({ volumeName: 'pv-1' }), []],
    [
      'the volume is named once',
      spec({ volumeName: 'pv-1' }),
      spec({ volumeName: 'pv-2' }),
      [FIXED],
    ],
    [
      'the name of the volume stays',
      spec({ volumeName: 'pv-1' }),
      spec({ volumeName: undefined }),
      [FIXED],
    ],
    [
      'the source is immutable',
      spec({ dataSource: SNAPSHOT }),
      spec({ dataSource: CLAIM }),
      [FIXED],
    ],
    ['the status is kept', {}, { status: { phase: 'Bound' } }, []],
    ['metadata may change', {}, { metadata: { labels: { a: 'b' } } }, []],
    ['3.4: an update needs no version', {}, { metadata: { resourceVersion: '0' } }, []],
  ],
  statusUpdates: [
    [
      'all of the status',
      {},
      {
        status: {
          phase: 'Bound',
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          conditions: [
            {
              type: 'Resizing',
              status: 'True',
              lastProbeTime: null,
              lastTransitionTime: '2024-05-01T00:00:00Z',
              reason: 'r',
              message: 'm',
            },
          ],
        },
      },
      [],
    ],
    [
      'capacity is not negative',
      {},
      { status: { capacity: { storage: '-1' } } },
      ['status.capacity[storage]: Invalid value: "-1": must be a valid resource quantity'],
    ],
    ['a status update keeps the spec', {}, request('2Gi'), []],
  ],
};
