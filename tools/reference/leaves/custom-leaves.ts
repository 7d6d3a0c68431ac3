/** A custom type whose schema has every construct once, and an object with all of its members. */
import { MODEL } from '../../../test/resources/kind-rules.ts';
import type { TestObject } from '../../../test/support/kinds.ts';
import type { SchemaJson } from '../public-definitions.ts';
import { CHANGES, METADATA, partsOfObject, type Candidates, type LeafKind } from './leaf-kinds.ts';
import { messageShape, schemaShape } from './shapes.ts';

const GROUP = 'leaves.example.com';
const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };

/** A valid text of each format. */
const FORMATS: Readonly<Record<string, string>> = {
  bsonobjectid: '0123456789abcdef01234567',
  uri: 'https://example.com/a',
  email: 'a@example.com',
  hostname: 'example.com',
  ipv4: '10.0.0.1',
  ipv6: '::1',
  cidr: '10.0.0.0/8',
  mac: '00:00:5e:00:53:01',
  uuid: '11111111-1111-4111-8111-111111111111',
  uuid3: '11111111-1111-3111-8111-111111111111',
  uuid4: '11111111-1111-4111-8111-111111111111',
  uuid5: '11111111-1111-5111-8111-111111111111',
  isbn: '978-0321751041',
  isbn10: '0321751043',
  isbn13: '978-0321751041',
  creditcard: '4111111111111111',
  ssn: '111-11-1111',
  hexcolor: '#ffffff',
  rgbcolor: 'rgb(1,2,3)',
  byte: 'YQ==',
  password: 'a',
  date: '2021-12-07',
  duration: '1h',
  datetime: '2021-12-07T10:11:12Z',
  'date-time': '2021-12-07T10:11:12Z',
};
const ofFormats = <T>(make: (format: string, text: string) => T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(FORMATS).map(([format, text]) => {
      return [format.replaceAll('-', ''), make(format, text)];
    }),
  );

/** Each member with its schema and a valid value. */
const MEMBERS: Readonly<Record<string, readonly [schema: SchemaJson, value: unknown]>> = {
  pattern: [{ ...TEXT, pattern: '^[a-z]+$', minLength: 1, maxLength: 5 }, 'a'],
  choice: [{ ...TEXT, enum: ['a', 'b', ''] }, 'a'],
  preset: [{ ...TEXT, default: 'a' }, 'b'],
  nothing: [{ ...TEXT, nullable: true }, 'a'],
  presetNothing: [{ ...TEXT, nullable: true, default: 'a' }, 'b'],
  bounded: [{ ...INTEGER, minimum: 1, maximum: 5, multipleOf: 2 }, 2],
  open: [{ ...INTEGER, minimum: 0, exclusiveMinimum: true }, 1],
  small: [{ ...INTEGER, format: 'int32' }, 1],
  large: [{ ...INTEGER, format: 'int64', enum: [1, -1, 0] }, 1],
  real: [{ type: 'number', maximum: 2, exclusiveMaximum: true }, 1.5],
  single: [{ type: 'number', format: 'float' }, 1.5],
  switch: [{ type: 'boolean', default: true }, false],
  either: [{ 'x-kubernetes-int-or-string': true }, 1],
  eitherBounded: [
    {
      'x-kubernetes-int-or-string': true,
      anyOf: [INTEGER, TEXT],
      pattern: '^[0-9]+%$',
      minimum: 1,
    },
    '5%',
  ],
  list: [{ type: 'array', minItems: 1, maxItems: 1, items: { ...TEXT, maxLength: 3 } }, ['a']],
  atomic: [{ type: 'array', 'x-kubernetes-list-type': 'atomic', items: INTEGER }, [1]],
  set: [{ type: 'array', 'x-kubernetes-list-type': 'set', items: TEXT }, ['a']],
  keyed: [
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: TEXT, port: { ...INTEGER, default: 80 }, value: TEXT },
      },
    },
    [{ name: 'a', port: 1, value: 'b' }],
  ],
  map: [
    {
      type: 'object',
      additionalProperties: { ...TEXT, minLength: 1 },
      minProperties: 1,
      maxProperties: 2,
    },
    { a: 'b' },
  ],
  mapOfLists: [
    { type: 'object', additionalProperties: { type: 'array', items: INTEGER } },
    { a: [1] },
  ],
  atomicObject: [
    { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: TEXT, b: INTEGER } },
    { a: 'a', b: 1 },
  ],
  needed: [
    {
      type: 'object',
      required: ['a'],
      nullable: true,
      properties: { a: { ...TEXT, nullable: true }, b: { ...INTEGER, default: 1 } },
    },
    { a: 'a', b: 2 },
  ],
  presetObject: [
    {
      type: 'object',
      default: { a: 'b' },
      properties: { a: TEXT, b: { ...TEXT, default: 'c' } },
    },
    { a: 'a', b: 'b' },
  ],
  free: [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { a: [1] }],
  anything: [{ 'x-kubernetes-preserve-unknown-fields': true }, { a: [1] }],
  partlyFree: [
    {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'object', properties: { b: INTEGER } } },
    },
    { a: { b: 1 } },
  ],
  embedded: [
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
  ],
  embeddedAll: [
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: {
        apiVersion: TEXT,
        kind: TEXT,
        metadata: { type: 'object' },
        spec: { type: 'object', properties: { a: INTEGER } },
      },
    },
    { apiVersion: 'example.com/v1', kind: 'A', metadata: { name: 'a' }, spec: { a: 1 } },
  ],
  oneOfTwo: [
    {
      type: 'object',
      properties: { a: TEXT, b: TEXT },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { a: 'a' },
  ],
  anyOfTwo: [
    {
      type: 'object',
      properties: { a: INTEGER },
      anyOf: [{ properties: { a: { minimum: 5 } } }, { properties: { a: { maximum: 1 } } }],
    },
    { a: 1 },
  ],
  allOfTwo: [{ ...TEXT, allOf: [{ minLength: 1 }, { pattern: '^a' }] }, 'a'],
  notThis: [{ ...TEXT, not: { enum: ['A_B', ''] } }, 'a'],
  formats: [
    { type: 'object', properties: ofFormats((format) => ({ ...TEXT, format })) },
    ofFormats((_, text) => text),
  ],
};

const schemas = Object.fromEntries(
  Object.entries(MEMBERS).map(([name, [schema]]) => [name, schema]),
);
const values = Object.fromEntries(
  Object.entries(MEMBERS).map(([name, [, value]]) => [name, value]),
);

const SCHEMA = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: TEXT,
    kind: TEXT,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['pattern'],
      properties: { ...schemas, replicas: { ...INTEGER, minimum: 0 } },
    },
    status: {
      type: 'object',
      properties: { replicas: INTEGER, selector: TEXT, keyed: schemas['keyed'] },
    },
    other: { ...TEXT, maxLength: 3 },
  },
};

/** To be installed in both servers. */
export const LEAF_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `constructs.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'constructs', kind: 'Construct' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: SCHEMA },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
      },
    ],
  },
};

const candidates: Candidates = (name) => {
  const head = { apiVersion: `${GROUP}/v1`, kind: 'Construct', metadata: { name } };
  const status = { replicas: 1, selector: 'a=b', keyed: values['keyed'] };
  const whole: TestObject = { ...head, spec: { ...values, replicas: 1 }, status, other: 'a' };
  const least: TestObject = { ...head, spec: { pattern: 'a', replicas: 1 } };
  const each = Object.entries(values).map(([member, value]) => {
    return { ...least, spec: { ...least.spec, [member]: value } };
  });
  const [entry] = METADATA.managedFields;
  const managedFields = [{ ...entry, apiVersion: head.apiVersion }];
  const metadata = { ...METADATA, managedFields, name };
  return [least, whole, { ...least, metadata }, ...each];
};

export function customLeafKind(): LeafKind {
  const shape = schemaShape(SCHEMA, messageShape(MODEL, 'meta.v1.ObjectMeta'));
  const scale: Candidates = (name) => [
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: { replicas: 2 } },
  ];
  return {
    kind: 'Construct',
    groupVersion: `${GROUP}/v1`,
    path: (namespace) => `/apis/${GROUP}/v1/namespaces/${namespace}/constructs`,
    parts: [
      ...partsOfObject(shape, candidates, ['status']),
      {
        subresource: 'scale',
        verbs: CHANGES,
        shape: messageShape(MODEL, 'autoscaling.v1.Scale'),
        includes: () => true,
        candidates: scale,
      },
    ],
  };
}
