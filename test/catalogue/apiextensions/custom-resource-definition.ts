import type { Change, KindCases } from '../../support/kind-cases.ts';

const SCHEMA = { type: 'object' };
const VERSION = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } };
const NAMES = { plural: 'widgets', kind: 'Widget' };
const STORED_NAMES = {
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  listKind: 'WidgetList',
};
const SPEC = { group: 'example.com', names: NAMES, scope: 'Namespaced', versions: [VERSION] };
const STATUS = {
  conditions: null,
  acceptedNames: { plural: '', kind: '' },
  storedVersions: ['v1'],
};
const FULL_SCHEMA = {
  description: 'a widget',
  type: 'object',
  required: ['spec'],
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
    spec: {
      type: 'object',
      properties: {
        count: { type: 'integer', format: 'int32', default: 3, maximum: 9, minimum: 0 },
        port: {
          anyOf: [{ type: 'integer' }, { type: 'string' }],
          'x-kubernetes-int-or-string': true,
        },
        ports: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          'x-kubernetes-list-map-keys': ['name'],
          'x-kubernetes-list-type': 'map',
        },
        labels: { type: 'object', additionalProperties: { type: 'string' }, nullable: true },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        kind: { type: 'string', enum: ['a', null, 1], pattern: '^a$' },
      },
      allOf: [{ required: ['count'] }],
      'x-kubernetes-map-type': 'granular',
    },
  },
};
const FULL = {
  group: 'example.com',
  names: {
    ...STORED_NAMES,
    shortNames: ['wd'],
    categories: ['all'],
  },
  scope: 'Cluster',
  versions: [
    {
      ...VERSION,
      schema: { openAPIV3Schema: FULL_SCHEMA },
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.count',
          statusReplicasPath: '.status.count',
          labelSelectorPath: '.status.selector',
        },
      },
      additionalPrinterColumns: [
        {
          name: 'Count',
          type: 'integer',
          format: 'int32',
          description: 'how many',
          priority: 1,
          jsonPath: '.spec.count',
        },
      ],
    },
    { ...VERSION, name: 'v1beta1', storage: false, deprecated: true, deprecationWarning: 'use v1' },
  ],
  conversion: {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { service: { namespace: 'a', name: 'b', path: '/c', port: 8443 } },
      conversionReviewVersions: ['v1'],
    },
  },
};
const spec = (members: Change): Change => ({ spec: members });
const version = (members: Change): Change => spec({ versions: [{ ...VERSION, ...members }] });
const FIRST = 'spec.versions[0]';
const LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
  "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', " +
  "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const withoutName = { metadata: { name: 'widgets.cluster.io' } };

export const CASES: KindCases = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  name: () => 'widgets.example.com',
  minimal: { spec: SPEC },
  minimalStored: {
    spec: { ...SPEC, names: STORED_NAMES, conversion: { strategy: 'None' } },
    status: STATUS,
  },
  full: { spec: FULL },
  fullStored: { spec: FULL, status: STATUS },
  invalid: [
    [
      '15.1: <plural>.<group>',
      { metadata: { name: 'a.example.com' } },
      ['metadata.name: Invalid value: "a.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      '15.1: <plural>.<group> is all that a name may be generated from',
      { metadata: { generateName: 'a.example.com' } },
      [
        'metadata.generateName: Invalid value: "a.example.com": ' +
          'must be spec.names.plural+"."+spec.group',
      ],
    ],
    [
      '15.1: a group has a dot',
      { metadata: { name: 'widgets.example' }, spec: { group: 'example' } },
      ['spec.group: Invalid value: "example": should be a domain with at least one dot'],
    ],
    [
      'protected groups of the other dialect',
      { metadata: { name: 'widgets.example.k8s.io' }, spec: { group: 'example.k8s.io' } },
      [
        'metadata.annotations[api-approved.cluster.io]: Required value: protected groups must have approval annotation "api-approved.cluster.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    [
      '15.1: protected groups',
      { ...withoutName, spec: { group: 'cluster.io' } },
      [
        'metadata.annotations[api-approved.cluster.io]: Required value: protected groups must have approval annotation "api-approved.cluster.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    [
      '15.1: approval',
      {
        metadata: { ...withoutName.metadata, annotations: { 'api-approved.cluster.io': 'yes' } },
        spec: { group: 'cluster.io' },
      },
      [
        'metadata.annotations[api-approved.cluster.io]: Invalid value: "yes": protected groups must have approval annotation "api-approved.cluster.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    [
      '15.1: approved by a URL',
      {
        metadata: {
          ...withoutName.metadata,
          annotations: { 'api-approved.cluster.io': 'https://example.com/1' },
        },
        spec: { group: 'cluster.io' },
      },
      [],
    ],
    ['15.1: scope required', spec({ scope: undefined }), ['spec.scope: Required value']],
    [
      '15.1: scope',
      spec({ scope: 'Global' }),
      ['spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"'],
    ],
    [
      '15.1: kind required',
      spec({ names: { kind: '' } }),
      [
        'spec.names.singular: Required value',
        'spec.names.kind: Required value',
        'spec.names.listKind: Required value',
      ],
    ],
    [
      '15.1: kind is not listKind',
      spec({ names: { listKind: 'Widget' } }),
      ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
    ],
    [
      '15.1: kinds',
      spec({ names: { kind: 'W_', singular: 'w', listKind: 'L' } }),
      [
        'spec.names.kind: Invalid value: "W_": ' +
          `may have mixed case, but should otherwise match: ${LABEL}`,
      ],
    ],
    [
      '15.1: short names and categories',
      spec({ names: { shortNames: ['A'], categories: ['B'] } }),
      [
        `spec.names.shortNames[0]: Invalid value: "A": ${LABEL}`,
        `spec.names.categories[0]: Invalid value: "B": ${LABEL}`,
      ],
    ],
    [
      '15.1: one version for storage',
      version({ storage: false }),
      [
        'spec.versions: Invalid value: ["v1"]: ' +
          'must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: []string(nil): must have at least one stored version',
      ],
    ],
    [
      '15.1: of versions with one name the first says whether there is a status',
      spec({
        versions: [
          VERSION,
          {
            ...VERSION,
            storage: false,
            schema: { openAPIV3Schema: { type: 'string' } },
            subresources: { status: {} },
          },
        ],
      }),
      [
        'spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": ' +
          'must be object at the root',
        'spec.versions: Invalid value: ["v1","v1"]: must contain unique version names',
      ],
    ],
    [
      '15.1: versions unique',
      spec({ versions: [VERSION, { ...VERSION, storage: false, schema: undefined }] }),
      [
        `spec.versions[1].schema.openAPIV3Schema: Required value: schemas are required`,
        'spec.versions: Invalid value: ["v1","v1"]: must contain unique version names',
      ],
    ],
    [
      '15.1: names of versions',
      version({ name: 'V1' }),
      [
        `${FIRST}.name: Invalid value: "V1": ${LABEL}`,
        `spec.version: Invalid value: "V1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      '15.1: warnings of deprecated versions',
      version({ deprecationWarning: '' }),
      [`${FIRST}.deprecationWarning: Invalid value: "": can only be set for deprecated versions`],
    ],
    [
      '15.1: paths of scale',
      version({
        subresources: { scale: { specReplicasPath: '.a.b', labelSelectorPath: '.a.b' } },
      }),
      [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".a.b": should be a json path under .spec',
        'spec.subresources.scale.statusReplicasPath: Required value',
        'spec.subresources.scale.labelSelectorPath: Invalid value: ".a.b": should be a json path under either .spec or .status',
      ],
    ],
    [
      '15.1: columns',
      version({ additionalPrinterColumns: [{ type: 'text', format: 'x', jsonPath: 'a' }] }),
      [
        'spec.additionalPrinterColumns[0].name: Required value',
        'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,password',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json path starting with .',
      ],
    ],
    [
      '15.1: preserveUnknownFields must be false',
      spec({ preserveUnknownFields: true }),
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    [
      '15.1: strategies',
      spec({ conversion: { strategy: 'Some' } }),
      [
        'spec.conversion.strategy: Unsupported value: "Some": ' +
          'supported values: "None", "Webhook"',
      ],
    ],
    [
      '15.1: webhook and versions',
      spec({ conversion: { strategy: 'Webhook' } }),
      [
        'spec.conversion.webhookClientConfig: Required value: ' +
          'required when strategy is set to Webhook',
        'spec.conversion.conversionReviewVersions: Required value',
      ],
    ],
    [
      '15.1: no webhook without the strategy',
      spec({ conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } }),
      [
        'spec.conversion.conversionReviewVersions: Forbidden: ' +
          'should not be set when strategy is not set to Webhook',
      ],
    ],
  ],
  updates: [
    [
      '15.1: the group is in the name',
      {},
      spec({ group: 'b.example.com' }),
      ['spec.group: Invalid value: "b.example.com": field is immutable'],
    ],
    ['15.1: short names may change', {}, spec({ names: { shortNames: ['wd'] } }), []],
    [
      '15.1: stored versions stay',
      {},
      spec({ versions: [{ ...VERSION, name: 'v2' }] }),
      ['status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions'],
    ],
  ],
  statusUpdates: [
    ['15.1: stored versions exist', {}, { status: { storedVersions: ['v1', 'v0'] } }, []],
    [
      '15.1: accepted names',
      {},
      { status: { acceptedNames: { plural: 'A' } } },
      [`status.acceptedNames.plural: Invalid value: "A": ${LABEL}`],
    ],
  ],
};
