/** Objects that cannot be written: what is wrong with them is said. */
import t from 'tap';
import { CONFIG_MAPS, configMap, kindNamed, minimalObject, typePath } from '../support/kinds.ts';
import { refuses } from '../support/bad-requests.ts';
import type { BadRequest } from '../support/bad-requests.ts';
import { sharedServer } from '../support/shared-server.ts';

const LEASES = typePath(kindNamed('Lease'));
const REVISIONS = typePath(kindNamed('ControllerRevision'));

const SUBDOMAIN_HINT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " +
  "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const UNRECOGNIZED = /^the object provided is unrecognized \(must be of type ConfigMap\): /;
const CANNOT_HANDLE = /^ConfigMap in version "v1" cannot be handled as a ConfigMap: /;

const server = await sharedServer();
await server.post(CONFIG_MAPS, configMap('existing'));

function badBody(name: string, body: unknown, message: string | RegExp): BadRequest {
  return { name, body, expected: { code: 400, reason: 'BadRequest', message } };
}

refuses(t, server, [
  badBody('malformed JSON, cut off', '{"kind":"ConfigMap","metadata":{"na', UNRECOGNIZED),
  badBody('malformed JSON, a stray comma', '{"metadata":{"name":"x"},}', UNRECOGNIZED),
  badBody('malformed JSON, text after the object', '{"metadata":{"name":"x"}} {}', /./),
  badBody('no JSON at all', 'hello', UNRECOGNIZED),
  badBody('an empty body', '', /./),
  {
    ...badBody(
      'JSON with a character that YAML may not have',
      '{"data":{"a":"\u007f"}}',
      /control/,
    ),
    headers: { 'content-type': 'application/yaml' },
  },
  badBody('a missing body', undefined, /./),
  badBody('an array for a body', '[]', /./),
  badBody('a string for a body', '"x"', /./),
  badBody('a number for a body', '5', /./),
  badBody(
    'metadata that is a string',
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":"x"}',
    CANNOT_HANDLE,
  ),
  badBody('a field of the wrong type', { ...configMap('x'), data: 5 }, CANNOT_HANDLE),
  badBody('a map value of the wrong type', { ...configMap('x'), data: { a: 5 } }, CANNOT_HANDLE),
  badBody('a list where a map belongs', { ...configMap('x'), data: [] }, CANNOT_HANDLE),
  badBody(
    'bytes that are no base64',
    { ...configMap('x'), binaryData: { a: '***' } },
    CANNOT_HANDLE,
  ),
  badBody('a boolean given as text', { ...configMap('x'), immutable: 'true' }, CANNOT_HANDLE),
  badBody(
    'another kind',
    minimalObject(kindNamed('Secret'), 'x'),
    'Secret in version "v1" cannot be handled as a ConfigMap: ' +
      'converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  ),
  badBody('a kind that does not exist', { ...configMap('x'), kind: 'Nonsense' }, /Nonsense/),
  badBody(
    'another version',
    { ...configMap('x'), apiVersion: 'apps/v1' },
    'the API version in the data (apps/v1) does not match the expected API version (v1)',
  ),
  badBody(
    'another namespace than the URL says',
    configMap('x', {}, { namespace: 'elsewhere' }),
    'the namespace of the provided object does not match the namespace sent on the request',
  ),
  {
    ...badBody(
      'another name than the URL says',
      configMap('other'),
      'the name of the object (other) does not match the name on the URL (existing)',
    ),
    method: 'PUT',
    path: `${CONFIG_MAPS}/existing`,
  },
  {
    ...badBody(
      'another namespace than the URL says, on update',
      configMap('existing', {}, { namespace: 'elsewhere' }),
      'the namespace of the object (elsewhere) does not match the namespace on the request (default)',
    ),
    method: 'PUT',
    path: `${CONFIG_MAPS}/existing`,
  },
  {
    ...badBody(
      'a namespace that says it is in another one',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', namespace: 'x' } },
      'the namespace of the object (x) does not match the namespace on the request (default)',
    ),
    method: 'PUT',
    path: '/api/v1/namespaces/default',
  },
  badBody(
    'a version on create',
    configMap('x', {}, { resourceVersion: '5' }),
    'resourceVersion should not be set on objects to be created',
  ),
]);

function badName(what: string, name: string, message: string | RegExp): BadRequest {
  return {
    name: `a name ${what}`,
    body: configMap(name),
    expected: { code: 422, reason: 'Invalid', message },
  };
}

refuses(t, server, [
  badName(
    'in capitals',
    'Bad_Name',
    `ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": ${SUBDOMAIN_HINT}`,
  ),
  badName(
    'that is too long',
    'a'.repeat(254),
    /metadata\.name: Invalid value: "a{254}": must be no more than 253 characters$/,
  ),
  badName(
    'of two dots',
    '..',
    /^ConfigMap "\.\." is invalid: metadata\.name: Invalid value: "\.\."/,
  ),
  badName('with a slash', 'a/b', /metadata\.name: Invalid value: "a\/b"/),
  badName('with a NUL and a bell', 'a\0b\u0007', /metadata\.name: Invalid value: "a\\x00b\\a": /),
  badName('of other letters', 'größe', /metadata\.name: Invalid value: "größe"/),
  badName(
    'that is missing',
    '',
    /^ConfigMap "" is invalid: metadata\.name: Required value: name or generateName is required$/,
  ),
  {
    name: 'a generation below zero',
    body: configMap('x', {}, { generation: -1 }),
    expected: {
      code: 422,
      reason: 'Invalid',
      message: /metadata\.generation: Invalid value: -1: must be greater than or equal to 0$/,
    },
  },
  {
    name: 'a bad generateName',
    body: { metadata: { generateName: 'Bad_' } },
    expected: {
      code: 422,
      reason: 'Invalid',
      message: /metadata\.(generateName|name): Invalid value/,
    },
  },
  {
    name: 'a Namespace name with a dot',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'a.b' } },
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        /^Namespace "a\.b" is invalid: metadata\.name: Invalid value: "a\.b": a lowercase RFC 1123 label /,
    },
  },
  {
    name: 'a bad label key and value',
    body: configMap('x', {}, { labels: { '-bad': 'ok', ok: 'bad value' } }),
    expected: {
      code: 422,
      reason: 'Invalid',
      message: /metadata\.labels: Invalid value: "-bad": name part must/,
    },
  },
  {
    name: 'a bad data key',
    body: configMap('x', { 'a b': '1' }),
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        /^ConfigMap "x" is invalid: data\[a b\]: Invalid value: "a b": a valid config key must consist of/,
    },
  },
  {
    name: 'a key in data and in binaryData',
    body: { ...configMap('x', { k: '1' }), binaryData: { k: 'MQ==' } },
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        'ConfigMap "x" is invalid: data[k]: Invalid value: "k": duplicate of key present in binaryData',
    },
  },
]);

refuses(t, server, [
  {
    name: 'an int32 above its range',
    path: LEASES,
    body: '{"metadata":{"name":"x"},"spec":{"leaseDurationSeconds":2147483648}}',
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'a number that no double holds',
    path: LEASES,
    body: '{"metadata":{"name":"x"},"spec":{"leaseDurationSeconds":1e400}}',
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'a fraction where a whole number belongs',
    path: LEASES,
    body: '{"metadata":{"name":"x"},"spec":{"leaseDurationSeconds":1.5}}',
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'an int64 above its range',
    path: REVISIONS,
    body: '{"metadata":{"name":"x"},"data":{},"revision":9223372036854775808}',
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'a negative lease duration',
    path: LEASES,
    body: '{"metadata":{"name":"x"},"spec":{"leaseDurationSeconds":-1}}',
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        'Lease.coordination.cluster.io "x" is invalid: ' +
        'spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0',
      details: {
        name: 'x',
        group: 'coordination.cluster.io',
        kind: 'Lease',
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: -1: must be greater than 0',
            field: 'spec.leaseDurationSeconds',
          },
        ],
      },
    },
  },
  {
    name: 'a MicroTime with three digits',
    path: LEASES,
    body: '{"metadata":{"name":"x"},"spec":{"renewTime":"2024-05-01T08:16:00.123Z"}}',
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'a quantity that is none',
    path: typePath(kindNamed('CSIStorageCapacity')),
    body: { metadata: { name: 'x' }, storageClassName: 'fast', capacity: '10 apples' },
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'a schedule that is none',
    path: typePath(kindNamed('CronJob')),
    body: minimalObject(kindNamed('CronJob'), 'x', {
      spec: { ...minimalObject(kindNamed('CronJob'), 'x').spec, schedule: 'never' },
    }),
    expected: {
      code: 422,
      reason: 'Invalid',
      message: /^CronJob\.batch "x" is invalid: spec\.schedule: Invalid value: "never": /,
    },
  },
  {
    name: 'an enumeration value that is none',
    path: typePath(kindNamed('CronJob')),
    body: minimalObject(kindNamed('CronJob'), 'x', {
      spec: { ...minimalObject(kindNamed('CronJob'), 'x').spec, concurrencyPolicy: 'Maybe' },
    }),
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        'CronJob.batch "x" is invalid: spec.concurrencyPolicy: Unsupported value: "Maybe": ' +
        'supported values: "Allow", "Forbid", "Replace"',
    },
  },
  {
    name: 'a required field that is missing',
    path: typePath(kindNamed('StorageClass')),
    body: { metadata: { name: 'x' } },
    expected: {
      code: 422,
      reason: 'Invalid',
      message: /^StorageClass\.storage\.cluster\.io "x" is invalid: provisioner: Required value/,
    },
  },
]);

t.test(
  'what is no version is dropped, and a generation kept where the kind has none',
  async (t) => {
    const metadata = { resourceVersion: 'x', generation: 7 };
    const made = await server.post(CONFIG_MAPS, configMap('seventh', {}, metadata));
    t.equal(made.status, 201, made.text);
    t.equal(made.json.metadata.generation, 7);
    made.json.metadata.generation = 8;
    const same = await server.put(`${CONFIG_MAPS}/seventh`, made.json);
    t.equal(same.json.metadata.generation, 7, 'and never changes');
  },
);
