import type { Change, KindCases } from '../../support/kind-cases.ts';

const POOL = { name: 'node-1', generation: 1, resourceSliceCount: 1 };
const spec = (members: Change): Change => ({
  spec: { driver: 'gpu.example.com', pool: POOL, nodeName: 'node-1', ...members },
});
const device = (members: Change): Change => spec({ devices: [{ name: 'gpu-0', ...members }] });
const AT = 'spec.devices[0]';
const ONE_PLACE =
  'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
const PLACE_OF_DEVICE =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when ' +
  '`perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const COUNTERS = { counterSet: 'memory', counters: { gigabytes: { value: '4' } } };
const policy = (requestPolicy: object): Change =>
  device({ allowMultipleAllocations: true, capacity: { size: { value: '10', requestPolicy } } });
const VALUES = '`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`';
const POLICY = `${AT}.capacity[size].requestPolicy`;

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1',
  kind: 'ResourceSlice',
  minimal: spec({}),
  minimalStored: spec({}),
  full: {
    spec: {
      driver: 'gpu.example.com',
      pool: POOL,
      devices: [
        {
          name: 'gpu-0',
          attributes: {
            model: { string: 'a' },
            'other.example.com/version': { version: '1.2.3-a+b' },
            number: { int: 3 },
            ok: { bool: true },
          },
          capacity: {
            memory: {
              value: '10',
              requestPolicy: { default: '2', validRange: { min: '1', max: '9', step: '1' } },
            },
          },
          consumesCounters: [COUNTERS],
          nodeName: 'node-1',
          taints: [
            {
              key: 'example.com/a',
              value: 'b',
              effect: 'NoExecute',
              timeAdded: '2024-01-01T00:00:00Z',
            },
          ],
          bindsToNode: true,
          bindingConditions: ['ready'],
          bindingFailureConditions: ['failed'],
          allowMultipleAllocations: true,
        },
      ],
      perDeviceNodeSelection: true,
    },
  },
  invalid: [
    ['driver: is named', spec({ driver: '' }), ['spec.driver: Required value']],
    [
      'pool: has slices',
      spec({ pool: { ...POOL, name: '', generation: -1, resourceSliceCount: 0 } }),
      [
        'spec.pool.name: Required value',
        'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
        'spec.pool.generation: Invalid value: -1: must be greater than or equal to zero',
      ],
    ],
    ['place: is said', spec({ nodeName: undefined }), [`spec: Required value: ${ONE_PLACE}`]],
    [
      'place: once',
      spec({ allNodes: true }),
      [
        'spec: Invalid value: "{`nodeName`, `allNodes`}": ' +
          `${ONE_PLACE}, but multiple fields are set`,
      ],
    ],
    [
      'place: is not denied',
      spec({ allNodes: false }),
      ['spec.allNodes: Invalid value: false: must be either unset or set to true'],
    ],
    [
      'place: of each device, if the slice says so',
      spec({ nodeName: undefined, perDeviceNodeSelection: true, devices: [{ name: 'a' }] }),
      [`${AT}: Required value: ${PLACE_OF_DEVICE}`],
    ],
    [
      'place: otherwise of none',
      device({ nodeName: 'node-1' }),
      [
        `${AT}: Invalid value: null: \`nodeName\`, \`nodeSelector\` and \`allNodes\` can only be ` +
          'set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
    ],
    [
      'counters: have slices of their own',
      spec({
        devices: [{ name: 'a' }],
        sharedCounters: [{ name: 'memory', counters: { gigabytes: { value: '4' } } }],
      }),
      ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
    ],
    [
      'counters: some',
      spec({ sharedCounters: [{ name: 'memory' }, { name: '', counters: { a: { value: '1' } } }] }),
      [
        'spec.sharedCounters[0].counters: Required value',
        'spec.sharedCounters[1].name: Required value',
      ],
    ],
    [
      'devices: each once',
      spec({ devices: [{ name: 'a' }, { name: 'a' }] }),
      ['spec.devices[1]: Duplicate value: "a"'],
    ],
    [
      'devices: at most 128',
      spec({ devices: Array.from({ length: 129 }, (_, index) => ({ name: `d${index}` })) }),
      ['spec.devices: Too many: 129: must have at most 128 items'],
    ],
    [
      'attributes: have a value',
      device({ attributes: { a: { string: 'a'.repeat(65) }, b: { version: '1' } } }),
      [
        `${AT}.attributes[a].string: Too long: may not be more than 64 bytes`,
        `${AT}.attributes[b].version: Invalid value: "1": ` +
          'must be a string compatible with semver.org spec 2.0.0',
      ],
    ],
    [
      'attributes: have one value',
      device({ attributes: { a: {}, b: { int: 1, bool: true } } }),
      [
        `${AT}.attributes[a]: Invalid value: "": must specify one of: ${VALUES}`,
        `${AT}.attributes[b]: Invalid value: "{int, bool}": must specify exactly one of: ${VALUES}`,
      ],
    ],
    [
      'attributes: of long names are told whole, and shortened',
      device({ attributes: { ['a'.repeat(100)]: {} } }),
      [
        `${AT}.attributes: Too long: may not be more than 32 bytes`,
        `${AT}.attributes[${'a'.repeat(100)}]: Invalid value: "": must specify one of: ${VALUES}`,
        `${AT}.attributes[${'a'.repeat(47)}...${'a'.repeat(46)}]: Invalid value: "": exactly ` +
          'one value must be specified',
      ],
    ],
    [
      'attributes: are named by identifiers',
      device({ attributes: { '/a': { int: 1 }, 'b/': { int: 1 }, c: { int: 1 } } }),
      [
        `${AT}.attributes: Invalid value: "": the domain must not be empty`,
        `${AT}.attributes: Invalid value: "": the name must not be empty`,
      ],
    ],
    [
      'attributes: at most 32',
      device({
        attributes: Object.fromEntries(
          Array.from({ length: 33 }, (_, index) => [`a${index}`, { int: index }]),
        ),
      }),
      [
        `${AT}: Invalid value: 33: the total number of attributes and capacities must not exceed 32`,
      ],
    ],
    [
      'capacity: without a policy of devices that are not shared',
      device({ capacity: { size: { value: '1', requestPolicy: { default: '1' } } } }),
      [`${POLICY}: Forbidden: allowMultipleAllocations must be true`],
    ],
    [
      'policy: needs a default',
      policy({ default: null, validValues: ['1'] }),
      [`${POLICY}.default: Required value: required when validValues is defined`],
    ],
    [
      'policy: values in their order, within the capacity',
      policy({ default: '1', validValues: ['2', '1', '11'] }),
      [
        `${POLICY}.validValues[1]: Invalid value: "1": values must be sorted in ascending order`,
        `${POLICY}.validValues[2]: Invalid value: "11": option is larger than capacity value: 10`,
      ],
    ],
    [
      'policy: the default is one of them',
      policy({ default: '3', validValues: ['1', '2'] }),
      [
        `${POLICY}.validValues: Invalid value: "3": ` +
          'default value is not valid according to the requestPolicy',
      ],
    ],
    [
      'policy: values or a range',
      policy({ default: '1', validValues: ['1'], validRange: { min: '1' } }),
      [
        `${POLICY}: Forbidden: exactly one policy can be specified, cannot specify "validValues" ` +
          'and "validRange" at the same time',
      ],
    ],
    [
      'policy: a range within the capacity',
      policy({ default: '1', validRange: { min: '2', max: '11' } }),
      [
        `${POLICY}.validRange.default: Invalid value: "1": default is less than min: 2`,
        `${POLICY}.validRange.max: Invalid value: "11": max is larger than capacity value: 10`,
      ],
    ],
    [
      'policy: in steps',
      policy({ default: '2', validRange: { min: '1', max: '8', step: '2' } }),
      [
        `${POLICY}.validRange.step: Invalid value: "2": ` +
          'value is not a multiple of a given step (2) from (1)',
        `${POLICY}.validRange.step: Invalid value: "8": ` +
          'value is not a multiple of a given step (2) from (1)',
      ],
    ],
    [
      'conditions: to wait for are not those to give up',
      device({ bindingConditions: ['a'], bindingFailureConditions: ['a'] }),
      [
        `${AT}.bindingFailureConditions[0]: Invalid value: "a": ` +
          'bindingFailureConditions must not overlap with bindingConditions',
      ],
    ],
    [
      'taints: have an effect',
      device({ taints: [{ key: 'a' }] }),
      [`${AT}.taints[0].effect: Required value`],
    ],
  ],
  updates: [
    ['devices may change', {}, device({}), []],
    [
      'driver and pool stay',
      {},
      spec({ driver: 'other.example.com', pool: { ...POOL, name: 'b' } }),
      [
        'spec.pool.name: Invalid value: "b": field is immutable',
        'spec.driver: Invalid value: "other.example.com": field is immutable',
      ],
    ],
  ],
};
