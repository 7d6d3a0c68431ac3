import type { KindCases } from '../../support/kind-cases.ts';

const CLASS = { driverName: 'csi.example.com', parameters: { iops: '100' } };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'storage.cluster.io/v1',
  kind: 'VolumeAttributesClass',
  minimal: CLASS,
  minimalStored: CLASS,
  full: CLASS,
  invalid: [
    ['class: needs a driver', { driverName: '' }, ['driverName: Required value']],
    [
      'class: a qualified one',
      { driverName: 'a b' },
      [
        'driverName: Invalid value: "a b": name part must consist of alphanumeric characters, ' +
          "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. " +
          "'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
          "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ],
    [
      'class: needs a parameter',
      { parameters: undefined },
      ['parameters: Required value: must contain at least one key/value pair'],
    ],
    [
      'class: with a name',
      { parameters: { '': 'a' } },
      ['parameters: Invalid value: "": field can not be empty.'],
    ],
  ],
  updates: [
    [
      'class: stays as it is',
      {},
      { driverName: 'other.example.com', parameters: { iops: '200' } },
      [
        'driverName: Forbidden: updates to driverName are forbidden.',
        'parameters: Forbidden: updates to parameters are forbidden.',
      ],
    ],
  ],
};
