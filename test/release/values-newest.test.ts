// The newest release words some errors of values otherwise than the default.
import t from 'tap';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import { chooseRelease, NEWEST_MINOR } from '../../src/release/release.ts';

chooseRelease(NEWEST_MINOR);
const { duplicatePart, invalid, printStrings, printTextMap, tooLong, tooMany } =
  await import('../../src/semantics/errors/field-error.ts');
const { checkLabelSelector, invalidSelector } =
  await import('../../src/semantics/metadata/label-validation.ts');
const { dnsLabel, portName } = await import('../../src/semantics/metadata/names.ts');
const { RESOURCE_VERSION_MISSING, validateManagedFields, validateObjectMeta } =
  await import('../../src/semantics/metadata/object-meta-validation.ts');
const { checkConditions } = await import('../../src/semantics/validation/condition-validation.ts');
const { checkIp, checkIpRange } =
  await import('../../src/semantics/validation/network-validation.ts');
const { ipRangeWarnings, ipWarnings } =
  await import('../../src/semantics/validation/address-warnings.ts');

function found(check: (errors: FieldError[]) => void): string[] {
  const errors: FieldError[] = [];
  check(errors);
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

t.test('values are JSON, and bounds are counted', async (t) => {
  t.equal(invalid('a', undefined, 'b').message, 'Invalid value: null: b');
  t.equal(RESOURCE_VERSION_MISSING.message, 'Invalid value: 0: must be specified for an update');
  t.equal(printStrings(['a']), '["a"]');
  t.equal(printTextMap({ b: 'c', a: '' }), '{"a":"","b":"c"}');
  t.equal(printTextMap(undefined), 'null');
  t.equal(tooLong('a', 1).message, 'Too long: may not be more than 1 byte');
  t.equal(tooLong('a', 2).message, 'Too long: may not be more than 2 bytes');
  t.equal(tooMany('a', 2, 1).message, 'Too many: 2: must have at most 1 item');
  const selector = {
    matchLabels: { a: 'b' },
    matchExpressions: [{ key: 'c', operator: 'Exists' }],
  };
  t.equal(
    invalidSelector('a', selector, 'b').message,
    'Invalid value: {"matchLabels":{"a":"b"},' +
      '"matchExpressions":[{"key":"c","operator":"Exists"}]}: b',
  );
});

t.test('names', async (t) => {
  t.same(dnsLabel('a.b'), ['must not contain dots']);
  t.match(dnsLabel('a_b'), [/^a lowercase RFC 1123 label/]);
  t.same(dnsLabel(`a.${'b'.repeat(62)}`), [
    'must be no more than 63 characters',
    'must not contain dots',
  ]);
  t.same(portName('1'), ['must contain at least one letter (a-z)']);
});

t.test('values of expressions in selectors are values of labels', async (t) => {
  const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c d'] }] };
  const texts = found((errors) => checkLabelSelector(selector, 'spec', errors));
  t.match(texts, [
    /^spec\.matchExpressions\[0\]\.values\[1\]: Invalid value: "c d": a valid label/,
  ]);
  t.same(
    found((errors) => checkLabelSelector(selector, 'spec', errors, selector)),
    [],
    'such a value may stay',
  );
});

t.test('owners and managers say what is missing, and where', async (t) => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', controller: true };
  const ownerReferences = [
    owner,
    { ...owner, name: 'b', apiVersion: 'a/b/c' },
    { ...owner, controller: false, apiVersion: '', kind: '', name: '', uid: '' },
    { ...owner, controller: false, kind: 'Event' },
  ];
  const rules = {
    namespaced: false,
    nameRule: 'dnsLabel',
    checksFinalizerNames: false,
    unconditionalUpdate: true,
  } as const;
  const field = 'metadata.ownerReferences';
  t.same(
    validateObjectMeta({ name: 'a', ownerReferences }, rules).map(
      (error) => `${error.field}: ${error.message.replace(/[[{].*[\]}]: /, '')}`,
    ),
    [
      `${field}[1].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>`,
      `${field}: Invalid value: Only one reference can have Controller set to true. ` +
        'Found "true" in references for Pod/a and Pod/b',
      `${field}[2].apiVersion: Required value: must not be empty`,
      `${field}[2].kind: Required value: must not be empty`,
      `${field}[2].name: Required value: must not be empty`,
      `${field}[2].uid: Required value: must not be empty`,
      `${field}[3]: Invalid value: /v1, Kind=Event is disallowed from being an owner`,
    ],
  );
  t.same(
    validateManagedFields([{}, { operation: 'Set' }]).map(({ message }) => message),
    [
      'Required value: must not be empty',
      'Unsupported value: "Set": supported values: "Apply", "Update"',
    ],
  );
});

t.test('conditions', async (t) => {
  const empty = { type: 'A', status: 'True', reason: 'R', lastTransitionTime: 't' };
  t.same(
    found((errors) => checkConditions([{}, empty, empty], 'c', errors)),
    [
      'c[0].type: Required value: is required',
      'c[0].status: Required value',
      'c[0].lastTransitionTime: Required value',
      'c[0].reason: Required value',
      'c[2]: Duplicate value: "A"',
    ],
  );
});

t.test('addresses that programs read in several ways', async (t) => {
  const strict = { isStrict: true, kept: ['010.0.0.1'] };
  for (const [text, problem] of [
    ['10.0.0.1', undefined],
    ['010.0.0.1', undefined],
    ['10.0.0.01', 'must not have leading 0s'],
    ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
    ['a', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ] as const) {
    const texts = found((errors) => checkIp(text, 'ip', errors, strict));
    t.same(texts, problem === undefined ? [] : [`ip: Invalid value: "${text}": ${problem}`], text);
  }
  for (const [text, problem] of [
    ['10.0.0.0/8', undefined],
    ['10.0.0.0/08', 'must not have leading 0s in IP or prefix length'],
    ['10.0.0.1/8', 'must not have bits set beyond the prefix length'],
    ['::ffff:10.0.0.0/104', 'must not have an IPv4-mapped IPv6 address'],
    ['10.0.0.0', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ] as const) {
    const texts = found((errors) => checkIpRange(text, 'r', errors, strict));
    t.same(texts, problem === undefined ? [] : [`r: Invalid value: "${text}": ${problem}`], text);
  }
});

t.test('addresses that are not in their usual form', async (t) => {
  t.same(ipWarnings('10.0.0.1', 'ip'), []);
  t.same(ipWarnings('10.0.0.01', 'ip'), [
    'ip: non-standard IP address "10.0.0.01" is invalid: use "10.0.0.1"',
  ]);
  t.same(ipWarnings('FE80:0::1', 'ip'), [
    'ip: IPv6 address "FE80:0::1" should be in RFC 5952 canonical format ("fe80::1")',
  ]);
  t.same(ipRangeWarnings('10.0.0.1/08', 'r'), [
    'r: CIDR value "10.0.0.1/08" is ambiguous in this context ' +
      '(should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    'r: non-standard CIDR value "10.0.0.1/08" is invalid: use "10.0.0.0/8"',
  ]);
  t.same(ipRangeWarnings('FE80::/10', 'r'), [
    'r: IPv6 CIDR value "FE80::/10" should be in RFC 5952 canonical format ("fe80::/10")',
  ]);
});

t.test('numbers beyond doubles are shown whole', async (t) => {
  const part = { tolerationSeconds: 2n ** 63n - 1n };
  const whole = '9223372036854775807';
  t.equal(duplicatePart('a', part).message, `Duplicate value: {"TolerationSeconds":${whole}}`);
  t.equal(invalid('a', part, 'no').message, `Invalid value: {"tolerationSeconds":${whole}}: no`);
});

t.test('an empty share of a device is none', async (t) => {
  const { deviceId } = await import('../../src/resources/resource/claim-status.ts');
  const device = { driver: 'a', pool: 'b', device: 'c' };
  t.equal(deviceId({ ...device, shareID: '' }), deviceId(device));
  t.not(deviceId({ ...device, shareID: 'd' }), deviceId(device));
});

t.test('updates do not look at what a name was made of', async (t) => {
  const { KINDS } = await import('../../src/resources/registry.ts');
  const { ObjectValidator } = await import('../../src/types/validate-object.ts');
  const kinds = ['DaemonSet', 'DeviceTaintRule', 'ReplicaSet', 'ReplicationController'];
  for (const name of [...kinds, 'ResourceSlice']) {
    const kind = KINDS.find((one) => one.kind === name);
    if (kind === undefined) throw new Error(`there is no ${name}`);
    const metadata = { name: 'a', namespace: 'b', generateName: 'A_', resourceVersion: '1' };
    const errors = new ObjectValidator(kind).validateUpdate({ metadata }, { metadata });
    t.notOk(
      errors.some(({ field }) => field === 'metadata.generateName'),
      name,
    );
  }
});

t.test('versions that a server serves are among those that it reads', async (t) => {
  const { STORAGE_VERSION } =
    await import('../../src/resources/apiserverinternal/storage-version.ts');
  const server = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1', 'v2'] };
  const object = {
    metadata: { name: 'a.b' },
    status: {
      commonEncodingVersion: 'v1',
      storageVersions: [{ ...server, servedVersions: ['v2', 'v3', ''] }],
    },
  };
  const { DEFAULT_GATES } = await import('../../src/release/own-gates.ts');
  const context = { part: 'status', groupVersion: '', gates: DEFAULT_GATES, found: [] };
  const errors = STORAGE_VERSION.validate?.(object, object, context) ?? [];
  const place = 'status.storageVersions[0].servedVersions';
  const missing = (version: string): string =>
    `Invalid value: "${version}": individual served version : ${version} ` +
    'must be included in decodableVersions : [v1 v2]';
  t.same(
    errors.map(({ field, message }) => `${field}: ${message}`),
    [
      `${place}[1]: ${missing('v3')}`,
      `${place}[2]: Invalid value: "": version part: must be non-empty`,
      `${place}[2]: ${missing('')}`,
    ],
  );
});
