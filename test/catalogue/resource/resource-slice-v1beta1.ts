import type { Change, KindCases } from '../../support/kind-cases.ts';

const spec = (members: Change): Change => ({
  spec: {
    driver: 'gpu.example.com',
    pool: { name: 'node-1', generation: 1, resourceSliceCount: 1 },
    nodeName: 'node-1',
    ...members,
  },
});

// Devices have their properties in `basic`; errors tell of them where `v1` has them.
export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1beta1',
  kind: 'ResourceSlice',
  minimal: spec({}),
  minimalStored: spec({}),
  full: spec({
    devices: [
      {
        name: 'gpu-0',
        basic: { attributes: { a: { bool: false } }, capacity: { memory: { value: '1Gi' } } },
      },
      { name: 'gpu-1', basic: {} },
    ],
  }),
  invalid: [
    [
      'attributes: are named by identifiers',
      spec({ devices: [{ name: 'a', basic: { attributes: { '/a': { int: 1 } } } }] }),
      ['spec.devices[0].attributes: Invalid value: "": the domain must not be empty'],
    ],
    ['devices: may say nothing', spec({ devices: [{ name: 'a' }] }), []],
  ],
};
