import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import type { KindCases } from '../../support/kind-cases.ts';

const SPEC = { attacher: 'a.b', source: { persistentVolumeName: 'pv' }, nodeName: 'n' };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'storage.cluster.io/v1',
  kind: 'VolumeAttachment',
  minimal: { spec: SPEC },
  minimalStored: { spec: SPEC, status: { attached: false } },
  full: { spec: SPEC },
  fullStored: { spec: SPEC, status: { attached: false } },
  invalid: [['attacher: required', { spec: { attacher: '' } }, ['spec.attacher: Required value']]],
  updates: [
    [
      'names: those of an update are checked too',
      {},
      { spec: { ...SPEC, source: { persistentVolumeName: '_' } } },
      [
        'spec: Invalid value: {"attacher":"a.b","source":{"persistentVolumeName":"_"},' +
          '"nodeName":"n"}: field is immutable',
        `spec.source.persistentVolumeName: Invalid value: "_": ${SUBDOMAIN_HINT}`,
      ],
    ],
  ],
  statusUpdates: [
    [
      'error: with the code of the driver',
      {},
      { status: { attached: false, attachError: { time: null, errorCode: 8 } } },
      [],
    ],
    [
      'error: the code is not negative, the message not long',
      {},
      {
        status: {
          attached: false,
          detachError: { time: null, errorCode: -1, message: 'x'.repeat(1025) },
        },
      },
      [
        'status.detachError.message: Too long: may not be more than 1024 bytes',
        'status.detachError.errorCode: Invalid value: -1: ' +
          'must be between 0 and 2147483647, inclusive',
      ],
    ],
  ],
};
