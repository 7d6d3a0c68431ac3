import type { Change, KindCases } from '../../support/kind-cases.ts';

const SPEC = {
  leaseName: 'scheduler',
  binaryVersion: '1.37.0',
  emulationVersion: '1.36.0',
  strategy: 'OldestEmulationVersion',
};
const spec = (members: Change): Change => ({ spec: { ...SPEC, ...members } });
const NEEDED =
  "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'";

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'coordination.cluster.io/v1beta1',
  kind: 'LeaseCandidate',
  minimal: {
    spec: { leaseName: 'scheduler', binaryVersion: '1.37.0', strategy: 'example.com/any' },
  },
  minimalStored: {
    spec: { leaseName: 'scheduler', binaryVersion: '1.37.0', strategy: 'example.com/any' },
  },
  full: {
    spec: {
      leaseName: 'scheduler',
      pingTime: '2024-05-01T10:11:12.123456Z',
      renewTime: '2024-05-01T10:11:13.000000Z',
      binaryVersion: '1.37.0-rc.1+build.7',
      emulationVersion: '1.36.0',
      strategy: 'OldestEmulationVersion',
    },
  },
  invalid: [
    [
      'what is required',
      { spec: { leaseName: '', binaryVersion: '', strategy: '' } },
      [
        'spec.leaseName: Required value',
        'spec.binaryVersion: Required value',
        'spec.strategy: Required value',
      ],
    ],
    [
      'versions are semantic',
      spec({ binaryVersion: 'v1.37.0', emulationVersion: '1.36' }),
      [
        'spec.emulationVersion: Invalid value: "1.36": must be a valid semantic version',
        'spec.binaryVersion: Invalid value: "v1.37.0": must be a valid semantic version',
        NEEDED,
      ],
    ],
    [
      'what is emulated is no newer',
      spec({ binaryVersion: '1.37.0-rc.1', emulationVersion: '1.37.0' }),
      [
        'spec.binaryVersion: Invalid value: "1.37.0-rc.1": ' +
          'must be greater than or equal to `emulationVersion`',
      ],
    ],
    [
      'numbers are compared as such',
      spec({ binaryVersion: '1.37.0-rc.10', emulationVersion: '1.37.0-rc.9' }),
      [],
    ],
    [
      'the strategy of the system needs the emulated version',
      spec({ emulationVersion: '' }),
      [NEEDED],
    ],
    [
      'a strategy of the system is known',
      spec({ strategy: 'Newest' }),
      [
        'spec.strategy.strategy: Unsupported value: "Newest": ' +
          'supported values: "OldestEmulationVersion"',
      ],
    ],
    [
      'the name is as those of data',
      { ...spec({}), metadata: { name: 'a b' } },
      [
        'metadata.name: Invalid value: "a b": a valid config key must consist of alphanumeric ' +
          "characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', " +
          "regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
    ],
  ],
  updates: [
    [
      'the lease stays',
      spec({}),
      spec({ leaseName: 'other' }),
      ['spec.leaseName: Invalid value: "other": field is immutable'],
    ],
  ],
};
