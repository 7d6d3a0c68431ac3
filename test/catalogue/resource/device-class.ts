import type { Change, KindCases } from '../../support/kind-cases.ts';

const spec = (members: Change): Change => ({ spec: members });
const OPAQUE = { opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1',
  kind: 'DeviceClass',
  minimal: spec({}),
  minimalStored: spec({}),
  full: spec({
    selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }],
    config: [OPAQUE],
    extendedResourceName: 'example.com/gpu',
  }),
  invalid: [
    [
      'selectors: at most 32',
      spec({ selectors: Array.from({ length: 33 }, () => ({ cel: { expression: 'true' } })) }),
      ['spec.selectors: Too many: 33: must have at most 32 items'],
    ],
    ['config: says something', spec({ config: [{}] }), ['spec.config[0].opaque: Required value']],
    [
      'extended resource: is one',
      spec({ extendedResourceName: 'cpu' }),
      [
        'spec.extendedResourceName: Invalid value: "cpu": ' +
          "a name must be a domain-prefixed path, such as 'example.com/my-prop'",
      ],
    ],
    [
      'extended resource: each reason for itself',
      spec({ extendedResourceName: 'requests.cluster.io/!' }),
      [
        'must not have "cluster.io/" domain',
        'must not have "requests." prefix',
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and " +
          "end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', " +
          "regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ].map((why) => `spec.extendedResourceName: Invalid value: "requests.cluster.io/!": ${why}`),
    ],
    [
      'generated names: only the name itself is checked',
      { metadata: { name: 'a', generateName: 'A ' } },
      [],
    ],
  ],
  updates: [
    ['spec may change', {}, spec({ extendedResourceName: 'example.com/gpu' }), []],
    [
      'selectors that change are looked at',
      {},
      spec({ selectors: [{}] }),
      ['spec.selectors[0].cel: Required value'],
    ],
  ],
};
