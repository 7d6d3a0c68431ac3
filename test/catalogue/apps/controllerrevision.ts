import type { KindCases } from '../../support/kind-cases.ts';

const DATA = { spec: { a: [1, null, 'x'], b: { c: true } } };

export const CASES: KindCases = {
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  // Revision is required, which zero is enough for; data is not.
  minimal: { revision: 0 },
  minimalStored: { data: null, revision: 0 },
  full: { data: DATA, revision: 9007199254740991 },
  invalid: [
    ['ControllerRevision: "revision", an int64', { revision: 3 }, []],
    [
      '14.2: a revision is not negative',
      { revision: -1 },
      ['revision: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'ControllerRevision: revision must be sent',
      { revision: undefined },
      ['revision: Required value'],
    ],
    ['ControllerRevision: "data", serialized state of any kind', { revision: 0, data: 'text' }, []],
  ],
  updates: [
    [
      'ControllerRevision: "Validation fails any request that mutates data after creation"',
      { data: DATA, revision: 1 },
      { data: { spec: { b: { c: false } } } },
      ['data: Invalid value: {"spec":{"a":[1,null,"x"],"b":{"c":false}}}: field is immutable'],
    ],
    [
      'ControllerRevision: data may not be taken away either',
      { data: DATA, revision: 1 },
      { data: undefined },
      ['data: Invalid value: "null": field is immutable'],
    ],
    ['14.2: the revision is mutable', { data: DATA, revision: 1 }, { revision: 2 }, []],
    ['ControllerRevision: metadata', { revision: 0 }, { metadata: { labels: { a: 'b' } } }, []],
  ],
};
