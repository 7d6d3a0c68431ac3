/** The catalogue's files on volumes share these. */
import type { Change } from './kind-cases.ts';
import { spec, type Row } from './pod-cases.ts';

export const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
export const MORE_THAN_ONE = 'Forbidden: may not specify more than 1 volume type';

export const ISCSI = { targetPortal: '10.0.0.1', iqn: 'iqn.2001-04.com.example:disk', lun: 0 };
export const CLAIM = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  volumeMode: 'Filesystem',
};
export const ITEMS = [{ key: 'k', path: 'a/..b', mode: 0 }];
export const FIELDS = [
  { path: 'labels', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } },
  {
    path: 'cpu',
    resourceFieldRef: { containerName: 'app', resource: 'limits.cpu', divisor: '1m' },
    mode: 511,
  },
];

/** A row on one volume `v`, with errors below it. */
export const row = (rule: string, source: Change, ...errors: string[]): Row => [
  rule,
  // Without an account there are no tokens.
  spec({ serviceAccountName: 'robot', volumes: [{ name: 'v', ...source }] }),
  errors.map((error) => `spec.volumes[0].${error}`),
];
