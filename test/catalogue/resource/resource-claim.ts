import type { Change, KindCases } from '../../support/kind-cases.ts';

const REQUEST = { name: 'gpu', exactly: { deviceClassName: 'gpus' } };
const TOLERANT = {
  ...REQUEST,
  exactly: { ...REQUEST.exactly, tolerations: [{ effect: 'NoExecute', key: 'k' }] },
};
const REQUEST_STORED = {
  name: 'gpu',
  exactly: { deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 1 },
};
const devices = (members: Change): Change => ({ spec: { devices: members } });
const requests = (...all: readonly object[]): Change => devices({ requests: all });
const exactly = (members: Change): Change =>
  requests({ name: 'gpu', exactly: { deviceClassName: 'gpus', ...members } });
const status = (members: Change): Change => ({ status: members });
const AT = 'spec.devices.requests[0]';
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
  "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for " +
  "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const NO_REQUEST =
  'must be the name of a request in the claim or the name of a request and a subrequest ' +
  "separated by '/'";
const RESULT = { request: 'gpu', driver: 'gpu.example.com', pool: 'node-1', device: 'gpu-0' };
const ALLOCATION = { devices: { results: [RESULT] } };
const USER = { resource: 'pods', name: 'pod', uid: '1' };
const DEVICE = { driver: RESULT.driver, pool: RESULT.pool, device: RESULT.device, conditions: [] };
const allocated = status({ allocation: ALLOCATION });
const FULL = devices({
  requests: [
    {
      name: 'gpu',
      exactly: {
        deviceClassName: 'gpus',
        selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }],
        allocationMode: 'All',
        adminAccess: false,
        tolerations: [
          {
            key: 'example.com/broken',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 3,
          },
        ],
        capacity: { requests: { 'gpu.example.com/memory': '1Gi' } },
      },
    },
    {
      name: 'some',
      firstAvailable: [
        { name: 'big', deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 2 },
        { name: 'small', deviceClassName: 'gpus', allocationMode: 'All' },
      ],
    },
  ],
  constraints: [
    { requests: ['gpu', 'some/big'], matchAttribute: 'gpu.example.com/model' },
    { distinctAttribute: 'gpu.example.com/slot' },
  ],
  config: [
    {
      requests: ['some'],
      opaque: { driver: 'gpu.example.com', parameters: { kind: 'A', apiVersion: 'v1' } },
    },
  ],
});

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1',
  kind: 'ResourceClaim',
  minimal: requests(REQUEST),
  minimalStored: { ...requests(REQUEST_STORED), status: {} },
  full: FULL,
  fullStored: { ...FULL, status: {} },
  invalid: [
    ['nothing may be asked for', requests(), []],
    [
      'requests: are named',
      requests({ ...REQUEST, name: 'G' }),
      [`${AT}.name: Invalid value: "G": ${LABEL}`],
    ],
    [
      'requests: say what they ask for',
      requests({ name: 'gpu' }),
      [`${AT}: Required value: exactly one of \`exactly\` or \`firstAvailable\` is required`],
    ],
    [
      'requests: in one way',
      requests({ ...REQUEST, firstAvailable: [{ name: 'a', deviceClassName: 'gpus' }] }),
      [
        `${AT}: Invalid value: null: exactly one of \`exactly\` or \`firstAvailable\` is ` +
          'required, but multiple fields are set',
      ],
    ],
    [
      'requests: at most 32',
      requests(...Array.from({ length: 33 }, (_, index) => ({ ...REQUEST, name: `r${index}` }))),
      ['spec.devices.requests: Too many: 33: must have at most 32 items'],
    ],
    [
      'requests: each once',
      requests(REQUEST, REQUEST),
      [
        'spec.devices.requests[1]: Duplicate value: {"name":"gpu","exactly":' +
          '{"deviceClassName":"gpus","allocationMode":"ExactCount","count":1}}',
      ],
    ],
    [
      'requests: are told with their members in order',
      requests(TOLERANT, TOLERANT),
      [
        'spec.devices.requests[1]: Duplicate value: {"name":"gpu","exactly":' +
          '{"deviceClassName":"gpus","allocationMode":"ExactCount","count":1,"tolerations":' +
          '[{"key":"k","operator":"Equal","effect":"NoExecute"}]}}',
      ],
    ],
    [
      'alternatives: each once, also where there should be none',
      requests({ ...REQUEST, firstAvailable: [{ name: 'a', count: 1 }, { name: 'a' }] }),
      [
        `${AT}: Invalid value: null: exactly one of \`exactly\` or \`firstAvailable\` is ` +
          'required, but multiple fields are set',
        `${AT}.firstAvailable[0].deviceClassName: Required value`,
        `${AT}.firstAvailable[1].deviceClassName: Required value`,
        `${AT}.firstAvailable[1]: Duplicate value: {"name":"a","deviceClassName":"",` +
          '"allocationMode":"ExactCount","count":1}',
      ],
    ],
    [
      'class: is named',
      exactly({ deviceClassName: '' }),
      [`${AT}.exactly.deviceClassName: Required value`],
    ],
    [
      'selectors: are expressions',
      exactly({ selectors: [{}] }),
      [`${AT}.exactly.selectors[0].cel: Required value`],
    ],
    [
      'selectors: that are true or false',
      exactly({ selectors: [{ cel: { expression: '1 + 1' } }] }),
      [
        `${AT}.exactly.selectors[0].cel.expression: Invalid value: "1 + 1": must evaluate to bool ` +
          'or the unknown type, not int',
      ],
    ],
    [
      'selectors: over a device',
      exactly({ selectors: [{ cel: { expression: 'pod' } }] }),
      [
        `${AT}.exactly.selectors[0].cel.expression: Invalid value: "pod": compilation failed: ` +
          "ERROR: <input>:1:1: undeclared reference to 'pod' (in container '')\n | pod\n | ^",
      ],
    ],
    [
      'selectors: of its attributes and capacity',
      exactly({
        selectors: [
          { cel: { expression: 'device.attributes["a.example.com"].ok' } },
          {
            cel: {
              expression: 'device.capacity["a.example.com"].size.compareTo(quantity("1")) > 0',
            },
          },
        ],
      }),
      [],
    ],
    [
      'selectors: of bounded length',
      exactly({ selectors: [{ cel: { expression: `"${'a'.repeat(10_240)}" == ""` } }] }),
      [`${AT}.exactly.selectors[0].cel.expression: Too long: may not be more than 10240 bytes`],
    ],
    [
      'mode: is known',
      exactly({ allocationMode: 'Some' }),
      [
        `${AT}.exactly.allocationMode: Unsupported value: "Some": ` +
          'supported values: "All", "ExactCount"',
      ],
    ],
    [
      'count: not for all',
      exactly({ allocationMode: 'All', count: 3 }),
      [`${AT}.exactly.count: Invalid value: 3: must not be specified when allocationMode is 'All'`],
    ],
    [
      'count: at least one',
      exactly({ count: -1 }),
      [`${AT}.exactly.count: Invalid value: -1: must be greater than zero`],
    ],
    [
      'tolerations: with known operators and effects',
      exactly({
        tolerations: [
          { key: 'a', operator: 'Is' },
          { key: 'a', effect: 'Maybe' },
        ],
      }),
      [
        `${AT}.exactly.tolerations[0].operator: Unsupported value: "Is": ` +
          'supported values: "Equal", "Exists"',
        `${AT}.exactly.tolerations[1].effect: Unsupported value: "Maybe": ` +
          'supported values: "NoExecute", "NoSchedule", "None"',
      ],
    ],
    [
      'tolerations: a value only to compare with',
      exactly({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
      [
        `${AT}.exactly.tolerations[0].value: Invalid value: "b": ` +
          'must be empty for operator `Exists`',
      ],
    ],
    [
      'alternatives: at most eight',
      requests({
        name: 'gpu',
        firstAvailable: Array.from({ length: 9 }, (_, index) => ({
          name: `a${index}`,
          deviceClassName: 'gpus',
        })),
      }),
      [`${AT}.firstAvailable: Too many: 9: must have at most 8 items`],
    ],
    [
      'constraints: of requests of the claim',
      devices({
        requests: [REQUEST],
        constraints: [{ requests: ['cpu', 'gpu/big'], matchAttribute: 'example.com/a' }],
      }),
      [
        `spec.devices.constraints[0].requests[0]: Invalid value: "cpu": ${NO_REQUEST}`,
        `spec.devices.constraints[0].requests[1]: Invalid value: "gpu/big": ${NO_REQUEST}`,
      ],
    ],
    [
      'constraints: name each request once',
      devices({
        requests: [REQUEST],
        constraints: [{ requests: ['gpu', 'gpu'], matchAttribute: 'example.com/a' }],
      }),
      ['spec.devices.constraints[0].requests[1]: Duplicate value: "gpu"'],
    ],
    [
      'constraints: with an attribute',
      devices({ requests: [REQUEST], constraints: [{}] }),
      [
        'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or ' +
          '"distinctAttribute" is required, but multiple fields are set',
      ],
    ],
    [
      'constraints: of a domain',
      devices({ requests: [REQUEST], constraints: [{ matchAttribute: 'model' }] }),
      [
        'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified ' +
          'name must be a domain and a name separated by a slash',
      ],
    ],
    [
      'config: says something',
      devices({ requests: [REQUEST], config: [{}] }),
      ['spec.devices.config[0].opaque: Required value'],
    ],
    [
      'config: is of a driver',
      devices({ requests: [REQUEST], config: [{ opaque: { driver: '', parameters: {} } }] }),
      ['spec.devices.config[0].opaque.driver: Required value'],
    ],
    [
      'config: names of drivers have letters of either case',
      devices({ requests: [REQUEST], config: [{ opaque: { driver: 'GPU.x', parameters: {} } }] }),
      [],
    ],
    [
      'config: and no others',
      devices({ requests: [REQUEST], config: [{ opaque: { driver: 'a_b', parameters: {} } }] }),
      [
        'spec.devices.config[0].opaque.driver: Invalid value: "a_b": an RFC 1123 subdomain must ' +
          "consist of alphanumeric characters, '-' or '.', and must start and end with an " +
          "alphanumeric character (e.g. 'Example.com', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      'config: is an object',
      devices({ requests: [REQUEST], config: [{ opaque: { driver: 'a', parameters: [1] } }] }),
      [
        'spec.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": ' +
          'must be a valid JSON object',
      ],
    ],
    [
      'config: of bounded length',
      devices({
        requests: [REQUEST],
        config: [{ opaque: { driver: 'a', parameters: { a: 'b'.repeat(10_240) } } }],
      }),
      ['spec.devices.config[0].opaque.parameters: Too long: may not be more than 10240 bytes'],
    ],
    [
      'derived attributes: are dropped while they are off',
      exactly({ derivedAttributes: [{ name: '', expression: '' }] }),
      [],
    ],
  ],
  updates: [
    ['spec stays', {}, exactly({ count: 2 }), ['spec: Invalid value: null: field is immutable']],
    ['labels may change', {}, { metadata: { labels: { a: 'b' } } }, []],
  ],
  statusUpdates: [
    ['allocation', {}, allocated, []],
    [
      'allocation: of requests of the claim',
      {},
      status({ allocation: { devices: { results: [{ ...RESULT, request: 'cpu' }] } } }),
      [`status.allocation.devices.results[0].request: Invalid value: "cpu": ${NO_REQUEST}`],
    ],
    [
      'allocation: of a driver, a pool and a device',
      {},
      status({ allocation: { devices: { results: [{ ...RESULT, driver: '', pool: '' }] } } }),
      [
        'status.allocation.devices.results[0].driver: Required value',
        'status.allocation.devices.results[0].pool: Required value',
      ],
    ],
    [
      'allocation: conditions to wait for and to give up',
      {},
      status({
        allocation: { devices: { results: [{ ...RESULT, bindingConditions: ['ready'] }] } },
      }),
      [
        'status.allocation.devices.results[0].bindingFailureConditions: Invalid value: null: ' +
          'bindingFailureConditions are required to use bindingConditions',
      ],
    ],
    [
      'users: only of what is allocated',
      {},
      status({ reservedFor: [USER] }),
      ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
    ],
    [
      'users: are named',
      {},
      status({ allocation: ALLOCATION, reservedFor: [{ resource: '', name: '', uid: '' }] }),
      [
        'status.reservedFor[0].resource: Required value',
        'status.reservedFor[0].name: Required value',
        'status.reservedFor[0].uid: Required value',
      ],
    ],
    [
      'users: may use what is allocated',
      {},
      status({ allocation: ALLOCATION, reservedFor: [USER] }),
      [],
    ],
    [
      'devices: with addresses',
      {},
      status({
        allocation: ALLOCATION,
        devices: [{ ...DEVICE, networkData: { interfaceName: 'eth0', ips: ['10.0.0.1/24'] } }],
      }),
      [],
    ],
    [
      'devices: with addresses that are written in one way',
      {},
      status({
        allocation: ALLOCATION,
        devices: [{ ...DEVICE, networkData: { ips: ['10.0.0.1', '010.0.0.1/24'] } }],
      }),
      [
        'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid ' +
          'address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
        'status.devices[0].networkData.ips[1]: Invalid value: "010.0.0.1/24": must be in ' +
          'canonical form ("10.0.0.1/24")',
      ],
    ],
  ],
};
