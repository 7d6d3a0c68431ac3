import type { Change, KindCases } from '../../support/kind-cases.ts';

const slice = (members: Change): Change => ({
  nodeName: 'node-1',
  driverName: 'gpu.example.com',
  namedResources: { instances: [{ name: 'a' }] },
  ...members,
});
const attribute = (members: Change): Change =>
  slice({
    namedResources: { instances: [{ name: 'a', attributes: [{ name: 'b', ...members }] }] },
  });
const AT = 'namedResources.instances[0].attributes[0]';

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'resource.cluster.io/v1alpha2',
  kind: 'ResourceSlice',
  minimal: slice({}),
  minimalStored: slice({}),
  full: slice({
    namedResources: {
      instances: [
        {
          name: 'gpu-0',
          attributes: [
            { name: 'a', quantity: '1' },
            { name: 'b', bool: false },
            { name: 'c', int: 0 },
            { name: 'd', intSlice: { ints: [1] } },
            { name: 'e', string: '' },
            { name: 'f', stringSlice: { strings: ['a'] } },
            { name: 'g', version: '1.0.0' },
          ],
        },
      ],
    },
  }),
  invalid: [
    ['driver: is named', slice({ driverName: '' }), ['driverName: Required value']],
    [
      'attributes: have a value',
      attribute({}),
      [`${AT}: Required value: exactly one value must be set`],
    ],
    [
      'attributes: have one value',
      attribute({ bool: true, int: 1 }),
      [
        `${AT}: Invalid value: []string{"bool", "int"}: ` +
          'exactly one field must be set, not several',
      ],
    ],
    [
      'attributes: have semantic versions',
      attribute({ version: '1' }),
      [
        `${AT}.version: Invalid value: "1": ` +
          'must be a string compatible with semver.org spec 2.0.0',
      ],
    ],
  ],
  updates: [
    [
      'node and driver stay',
      {},
      { nodeName: 'node-2' },
      ['nodeName: Invalid value: "node-2": field is immutable'],
    ],
  ],
};
