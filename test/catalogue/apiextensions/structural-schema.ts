// The rules for schemas, apart from those of definitions.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as DEFINITIONS } from './custom-resource-definition.ts';

const VERSION = { name: 'v1', served: true, storage: true };
const schema = (members: Change): Change => ({
  spec: {
    versions: [{ ...VERSION, schema: { openAPIV3Schema: { type: 'object', ...members } } }],
  },
});
const property = (members: Change): Change => schema({ properties: { a: members } });
const ROOT = 'spec.validation.openAPIV3Schema';
const FIELD = `${ROOT}.properties[a]`;

export const CASES: KindCases = {
  ...DEFINITIONS,
  invalid: [
    [
      'an int-or-string may say its two types again, and nothing else of types',
      schema({
        properties: {
          a: {
            'x-kubernetes-int-or-string': true,
            anyOf: [{ type: 'integer' }, { type: 'string' }],
          },
          b: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }] },
        },
      }),
      [`${ROOT}.properties[b].anyOf[0].type: Forbidden: must be empty to be structural`],
    ],
    [
      'a schema does not name its language',
      property({ type: 'string', $schema: 'x' }),
      [`${ROOT}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`],
    ],
    [
      'what a restriction of the root speaks of is specified',
      schema({ anyOf: [{ properties: { b: { minimum: 1 } } }] }),
      [
        `${ROOT}.properties[b]: Required value: because it is defined in ${ROOT}.anyOf[0].properties[b]`,
      ],
    ],
    [
      'a default is what its schema takes',
      schema({
        properties: {
          a: { type: 'integer', minimum: 1, default: 0 },
          b: { type: 'string', default: 1 },
          c: { type: 'object', properties: { d: { type: 'string' } }, default: { e: 'x' } },
        },
      }),
      [
        `${ROOT}.properties[a].default: Invalid value: 0:  in body should be greater than or equal to 1`,
        `${ROOT}.properties[b].default: Invalid value: "integer":  in body must be of type string: "integer"`,
        `${ROOT}.properties[c].default: Invalid value: map[string]interface {}{"e":"x"}: must not have unknown fields`,
      ],
    ],
    [
      'reference: no default is of a type that there is not',
      property({ type: 'A_B', default: 'x' }),
      [
        `${FIELD}.type: Unsupported value: "A_B": supported values: "array", "boolean", "integer", "number", "object", "string"`,
        `${FIELD}.default: Invalid value: "string":  in body must be of type A_B: "string"`,
      ],
    ],
    [
      'keys of a list are there in each item, once',
      property({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b', 'b'],
        items: { type: 'object', properties: { b: { type: 'string' } } },
      }),
      [
        `${FIELD}.x-kubernetes-list-map-keys: Invalid value: []string{"b", "b"}: must not contain duplicate entries`,
        `${FIELD}.items.properties[b].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
        `${FIELD}.items.properties[b].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      ],
    ],
    [
      'a pattern is one',
      property({ type: 'string', pattern: '*' }),
      [
        `${FIELD}.pattern: Invalid value: "*": must be a valid regular expression, but isn't: error parsing regexp: missing argument to repetition operator: \`*\``,
      ],
    ],
    [
      '15.2: root type required',
      schema({ type: undefined }),
      [`${ROOT}.type: Required value: must not be empty at the root`],
    ],
    [
      '15.2: root type object',
      schema({ type: 'string' }),
      [`${ROOT}.type: Invalid value: "string": must be object at the root`],
    ],
    [
      '15.2: nullable not at root',
      schema({ nullable: true }),
      [`${ROOT}.nullable: Forbidden: nullable cannot be true at the root`],
    ],
    [
      '15.2: additionalProperties not at root',
      schema({ additionalProperties: true }),
      [`${ROOT}.additionalProperties: Forbidden: must not be used at the root`],
    ],
    [
      '15.2: metadata restricts names only',
      schema({
        properties: { metadata: { type: 'object', properties: { uid: { type: 'string' } } } },
      }),
      [
        `${ROOT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
      ],
    ],
    ...[{ required: [] }, { 'x-kubernetes-list-map-keys': [] }].map(
      (empty) =>
        [
          `reference: an empty list of ${Object.keys(empty)[0]} is something else`,
          schema({ properties: { metadata: { type: 'object', ...empty } } }),
          [
            `${ROOT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
          ],
        ] as const,
    ),
    [
      'reference: a default of the whole object has its kind and version',
      schema({ default: {} }),
      [
        `${ROOT}.default.apiVersion: Required value: must not be empty`,
        `${ROOT}.default.kind: Required value: must not be empty`,
      ],
    ],
    [
      '15.2: every node has a type',
      property({}),
      [`${FIELD}.type: Required value: must not be empty for specified object fields`],
    ],
    [
      '15.2: items have a type',
      property({ type: 'array', items: {} }),
      [`${FIELD}.items.type: Required value: must not be empty for specified array items`],
    ],
    [
      '15.2: arrays have items',
      property({ type: 'array' }),
      [`${FIELD}.items: Required value: must be specified`],
    ],
    [
      '15.2: items as array',
      property({ type: 'array', items: [{ type: 'string' }] }),
      [`${FIELD}.items: Forbidden: items must be a schema object and not an array`],
    ],
    [
      '15.2: types',
      property({ type: 'text' }),
      [
        `${FIELD}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      ],
    ],
    [
      '15.2: null type',
      property({ type: 'null' }),
      [
        `${FIELD}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
        `${FIELD}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
      ],
    ],
    [
      '15.2: not allowed members',
      property({
        type: 'object',
        $ref: 'a',
        id: 'b',
        definitions: {},
        patternProperties: { a: {} },
      }),
      [
        `${FIELD}.id: Forbidden: id is not supported`,
        `${FIELD}.patternProperties: Forbidden: patternProperties is not supported`,
        `${FIELD}.$ref: Forbidden: $ref is not supported`,
      ],
    ],
    [
      '15.2: unknown fields are preserved or it is not said',
      property({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
      [
        `${FIELD}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
      ],
    ],
    [
      '15.2: uniqueItems',
      property({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
      [
        `${FIELD}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      ],
    ],
    [
      '15.2: properties and additionalProperties',
      property({
        type: 'object',
        properties: { b: { type: 'string' } },
        additionalProperties: { type: 'string' },
      }),
      [
        `${FIELD}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
      ],
    ],
    [
      '15.2: additionalProperties false',
      property({ type: 'object', additionalProperties: false }),
      [],
    ],
    [
      '15.2: restrictions inside allOf',
      property({ type: 'object', allOf: [{ type: 'object', description: 'x', nullable: true }] }),
      [
        `${FIELD}.allOf[0].description: Forbidden: must be empty to be structural`,
        `${FIELD}.allOf[0].nullable: Forbidden: must be false to be structural`,
        `${FIELD}.allOf[0].type: Forbidden: must be empty to be structural`,
      ],
    ],
    [
      '15.2: restrictions inside not',
      property({ type: 'object', not: { properties: { b: { title: 'x' } } } }),
      [`${FIELD}.not.properties[b].title: Forbidden: must be empty to be structural`],
    ],
    [
      '15.2: embedded resources are objects',
      property({ type: 'string', 'x-kubernetes-embedded-resource': true }),
      [
        `${FIELD}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
        `${FIELD}.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
      ],
    ],
    [
      '15.2: list type map has keys',
      property({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' }),
      [
        `${FIELD}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
        `${FIELD}.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
      ],
    ],
    [
      '15.2: list and map types',
      property({ type: 'object', 'x-kubernetes-list-type': 'bag', 'x-kubernetes-map-type': 'bag' }),
      [
        `${FIELD}.x-kubernetes-map-type: Unsupported value: "bag": supported values: "atomic", "granular"`,
        `${FIELD}.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified`,
        `${FIELD}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`,
      ],
    ],
  ],
  updates: [],
  statusUpdates: [],
};
