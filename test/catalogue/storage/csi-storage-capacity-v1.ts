import type { KindCases } from '../../support/kind-cases.ts';
import { CASES as STORED } from './csi-storage-capacity.ts';

/** Newer releases show values in errors as JSON. */
const UPDATE_ERRORS: Readonly<Record<string, string>> = {
  'CSIStorageCapacity: nodeTopology is "Immutable"':
    'nodeTopology: Invalid value: {"matchLabels":{"zone":"b"}}: field is immutable',
  'CSIStorageCapacity: "Unset" is not an "Empty selector"':
    'nodeTopology: Invalid value: {}: field is immutable',
  '3.4: no unconditional update':
    'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
};

export const CASES: KindCases = {
  ...STORED,
  release: 37,
  apiVersion: 'storage.cluster.io/v1',
  updates: (STORED.updates ?? []).map(([rule, stored, change, errors]) => {
    const error = UPDATE_ERRORS[rule];
    return [rule, stored, change, error === undefined ? errors : [error]];
  }),
};
