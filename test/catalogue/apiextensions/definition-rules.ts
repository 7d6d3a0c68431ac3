// Rules of definitions as the reference was seen to tell them.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as DEFINITIONS } from './custom-resource-definition.ts';

const VERSION = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
};
const version = (members: Change): Change => ({ spec: { versions: [{ ...VERSION, ...members }] } });
const schema = (members: Change): Change =>
  version({ schema: { openAPIV3Schema: { type: 'object', ...members } } });
const property = (members: Change): Change => schema({ properties: { a: members } });
const ROOT = 'spec.validation.openAPIV3Schema';
const FIELD = `${ROOT}.properties[a]`;
const LONG = 'x'.repeat(256);

export const CASES: KindCases = {
  ...DEFINITIONS,
  invalid: [
    [
      'keys of a list are scalars among the properties of its items',
      property({
        type: 'array',
        items: { type: 'object', properties: { b: { type: 'object' } }, required: ['b'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b', 'c'],
      }),
      [
        `${FIELD}.items.properties[b].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
        `${FIELD}.x-kubernetes-list-map-keys: Invalid value: []string{"b", "c"}: entries must all be names of item properties`,
      ],
    ],
    [
      'keys of a list are never null, nor are its items',
      property({
        type: 'array',
        items: {
          type: 'object',
          nullable: true,
          properties: { b: { type: 'string', nullable: true } },
          required: ['b'],
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b'],
      }),
      [
        `${FIELD}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
        `${FIELD}.items.properties[b].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
      ],
    ],
    [
      'keys are for maps',
      property({
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-list-map-keys': ['b'],
      }),
      [
        `${FIELD}.x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty`,
      ],
    ],
    [
      'keys say that a list is a map',
      property({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['b'] }),
      [
        `${FIELD}.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
      ],
    ],
    [
      'items of a set that are objects are atomic',
      property({
        type: 'array',
        items: { type: 'object', properties: { b: { type: 'string' } } },
        'x-kubernetes-list-type': 'set',
      }),
      [
        `${FIELD}.items.x-kubernetes-map-type: Invalid value: "null": must be atomic as item of a list with x-kubernetes-list-type=set`,
      ],
    ],
    [
      'items of a set that are lists are atomic',
      property({
        type: 'array',
        items: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        'x-kubernetes-list-type': 'set',
      }),
      [
        `${FIELD}.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set`,
      ],
    ],
    [
      'items of a set are never null',
      property({
        type: 'array',
        items: { type: 'string', nullable: true },
        'x-kubernetes-list-type': 'set',
      }),
      [`${FIELD}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set`],
    ],
    [
      'an int-or-string is neither of unknown members nor a resource',
      property({
        'x-kubernetes-int-or-string': true,
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-embedded-resource': true,
      }),
      [
        `${FIELD}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
        `${FIELD}.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
        `${FIELD}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
      ],
    ],
    [
      'an embedded resource has properties, and no others',
      property({
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        additionalProperties: true,
      }),
      [
        `${FIELD}.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set`,
        `${FIELD}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      ],
    ],
    [
      'kind, version and metadata of an embedded resource',
      property({
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: {
          kind: { type: 'integer' },
          apiVersion: { type: 'object' },
          metadata: { type: 'string' },
        },
      }),
      [
        `${FIELD}.properties[apiVersion].type: Invalid value: "object": must be string`,
        `${FIELD}.properties[kind].type: Invalid value: "integer": must be string`,
        `${FIELD}.properties[metadata].type: Invalid value: "string": must be object`,
      ],
    ],
    [
      'what a restriction may not say',
      property({
        type: 'object',
        not: {
          additionalProperties: false,
          default: 1,
          'x-kubernetes-list-type': 'set',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { metadata: {} },
        },
      }),
      [
        `${FIELD}.not.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
        `${FIELD}.not.type: Required value: must be array if x-kubernetes-list-type is specified`,
        `${FIELD}.not.additionalProperties: Forbidden: must be undefined to be structural`,
        `${FIELD}.not.default: Forbidden: must be undefined to be structural`,
        `${FIELD}.not.properties[metadata]: Forbidden: must not be specified in a nested context`,
        `${FIELD}.not.x-kubernetes-list-type: Forbidden: must be undefined to be structural`,
        `${FIELD}.not.x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural`,
      ],
    ],
    [
      'items that a restriction speaks of are specified',
      property({ type: 'object', anyOf: [{ items: { minLength: 1 } }] }),
      [],
    ],
    [
      'restrictions of metadata',
      schema({ properties: { metadata: { type: 'object', anyOf: [{ minProperties: 1 }] } } }),
      [
        `${ROOT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
      ],
    ],
    [
      'what is only for readers may be said of metadata',
      schema({
        properties: {
          metadata: {
            type: 'object',
            externalDocs: { url: 'a' },
            example: 1,
            properties: { name: { type: 'string', pattern: '^a' } },
          },
        },
      }),
      [],
    ],
    [
      'no defaults in metadata',
      schema({
        properties: {
          metadata: { type: 'object', properties: { name: { type: 'string', default: 'a' } } },
          kind: { type: 'string', default: 'a' },
        },
      }),
      [
        `${ROOT}.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`,
        `${ROOT}.properties[kind].default: Forbidden: must not be set in top-level kind`,
      ],
    ],
    [
      'no defaults for other members of the metadata of embedded resources',
      property({
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: {
          metadata: {
            type: 'object',
            properties: {
              labels: { type: 'object', additionalProperties: { type: 'string', default: 'a' } },
            },
          },
        },
      }),
      [
        `${FIELD}.properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata`,
      ],
    ],
    [
      'no resources in metadata',
      property({
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: {
          metadata: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      }),
      [
        `${FIELD}.properties[metadata].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta`,
      ],
    ],
    [
      'what may not be there is looked at all the same',
      property({
        type: 'object',
        definitions: { b: { type: 'text' } },
        dependencies: { c: { uniqueItems: true }, d: ['e'] },
      }),
      [
        `${FIELD}.definitions: Forbidden: definitions is not supported`,
        `${FIELD}.dependencies: Forbidden: dependencies is not supported`,
        `${FIELD}.definitions[b].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
        `${FIELD}.dependencies[c].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      ],
    ],
    [
      'items that are a list are looked at all the same',
      property({ type: 'array', items: [{ type: 'text' }] }),
      [
        `${FIELD}.items: Forbidden: items must be a schema object and not an array`,
        `${FIELD}.items[0].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      ],
    ],
    [
      'rules are dropped while their feature is off',
      property({ type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] }),
      [],
    ],
    [
      'rules below restrictions are not',
      property({ type: 'string', anyOf: [{ 'x-kubernetes-validations': [{ rule: ' ' }] }] }),
      [
        `${FIELD}.anyOf[0].x-kubernetes-validations[0].rule: Required value: rule is not specified`,
        `${FIELD}.anyOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural`,
      ],
    ],
    [
      'with a status of its own the root is an object',
      version({ schema: { openAPIV3Schema: { type: 'string' } }, subresources: { status: {} } }),
      [
        `${ROOT}.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled`,
        `${ROOT}.type: Invalid value: "string": must be object at the root`,
      ],
    ],
    [
      'values that no more than null is of',
      property({ type: 'string', default: null, nullable: true }),
      [],
    ],
    [
      'warnings are short and printable',
      version({ deprecated: true, deprecationWarning: `\u00e9\u200b${LONG}` }),
      [
        `spec.versions[0].deprecationWarning: Invalid value: "\u00e9\\u200b${LONG}": must be <= 256 characters long`,
        `spec.versions[0].deprecationWarning: Invalid value: "\u00e9\\u200b${LONG}": must only contain printable UTF-8 characters; non-printable character found at index 2`,
      ],
    ],
    [
      'warnings say something',
      version({ deprecated: true, deprecationWarning: '' }),
      ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
    ],
    [
      'several versions for storage',
      { spec: { versions: [{ ...VERSION }, { ...VERSION, name: 'v2' }] } },
      [
        'spec.versions: Invalid value: ["v1","v2"]: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: "v2": must have the storage version v2',
      ],
    ],
    [
      'defaults and webhooks need members that are pruned',
      {
        spec: {
          preserveUnknownFields: true,
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { url: 'https://example.com' },
              conversionReviewVersions: ['v1'],
            },
          },
          versions: [
            {
              ...VERSION,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: { a: { type: 'string', default: 'a' } },
                },
              },
            },
          ],
        },
      },
      [
        'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
        'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    [
      'review versions are names, once, and one is known',
      {
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { url: 'https://example.com' },
              conversionReviewVersions: ['v3', 'v3', 'V1'],
            },
          },
        },
      },
      [
        'spec.conversion.conversionReviewVersions[1]: Invalid value: "v3": duplicate version',
        "spec.conversion.conversionReviewVersions[2]: Invalid value: \"V1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'spec.conversion.conversionReviewVersions: Invalid value: []string{"v3", "v3", "V1"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      'webhooks are called by a URL or a service',
      {
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] },
          },
        },
      },
      [
        'spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required',
      ],
    ],
    [
      'schemas of versions that differ are told of one by one',
      {
        spec: {
          versions: [
            { ...VERSION, schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } },
            { ...VERSION, name: 'v2', storage: false },
          ],
        },
      },
      [
        'spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
      ],
    ],
  ],
  updates: [],
  statusUpdates: [],
};
