/** Custom resource definitions. */
import type { ConversionRow } from './conversion-row.ts';

const names = { plural: 'as', kind: 'A' };
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const column = { name: 'Age', type: 'date' };

export const DEFINITION_ROWS: readonly ConversionRow[] = [
  {
    name: 'what all versions share',
    kind: 'CustomResourceDefinition',
    from: 'apiextensions.cluster.io/v1beta1',
    to: 'apiextensions.cluster.io/v1',
    before: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        names,
        preserveUnknownFields: false,
        validation: { openAPIV3Schema: { type: 'object' } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ ...column, JSONPath: '.metadata.creationTimestamp' }],
        conversion: {
          strategy: 'Webhook',
          webhookClientConfig: { url: 'https://a.example' },
        },
      },
    },
    after: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
            subresources: { status: {} },
            additionalPrinterColumns: [{ ...column, jsonPath: '.metadata.creationTimestamp' }],
          },
        ],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: { url: 'https://a.example' },
            conversionReviewVersions: ['v1beta1'],
          },
        },
      },
    },
    back: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        versions: [{ name: 'v1', served: true, storage: true }],
        names,
        scope: 'Namespaced',
        preserveUnknownFields: false,
        validation: { openAPIV3Schema: { type: 'object' } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ ...column, JSONPath: '.metadata.creationTimestamp' }],
        conversion: {
          strategy: 'Webhook',
          webhookClientConfig: { url: 'https://a.example' },
          conversionReviewVersions: ['v1beta1'],
        },
      },
    },
  },
  {
    name: 'unknown members are kept in each object of the schema',
    kind: 'CustomResourceDefinition',
    from: 'apiextensions.cluster.io/v1beta1',
    to: 'apiextensions.cluster.io/v1',
    before: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { properties: { spec: { type: 'object' } } } },
          },
          { name: 'v2', served: true, storage: false },
        ],
      },
    },
    after: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                [PRESERVES]: true,
                properties: { spec: { type: 'object', [PRESERVES]: true } },
              },
            },
          },
          {
            name: 'v2',
            served: true,
            storage: false,
            schema: { openAPIV3Schema: { type: 'object', [PRESERVES]: true } },
          },
        ],
      },
    },
    back: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Cluster',
        version: 'v1',
        preserveUnknownFields: false,
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                [PRESERVES]: true,
                properties: { spec: { type: 'object', [PRESERVES]: true } },
              },
            },
          },
          {
            name: 'v2',
            served: true,
            storage: false,
            schema: { openAPIV3Schema: { type: 'object', [PRESERVES]: true } },
          },
        ],
      },
    },
  },
  {
    name: 'a schema that is missing, or not structural',
    kind: 'CustomResourceDefinition',
    from: 'apiextensions.cluster.io/v1beta1',
    to: 'apiextensions.cluster.io/v1',
    before: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Cluster',
        preserveUnknownFields: false,
        versions: [
          { name: 'v1', served: true, storage: true },
          {
            name: 'v2',
            served: true,
            storage: false,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
          },
        ],
      },
    },
    after: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Cluster',
        versions: [
          { name: 'v1', served: true, storage: true },
          {
            name: 'v2',
            served: true,
            storage: false,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
          },
        ],
      },
    },
    back: {
      metadata: { name: 'as.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Cluster',
        version: 'v1',
        preserveUnknownFields: false,
        versions: [
          { name: 'v1', served: true, storage: true },
          {
            name: 'v2',
            served: true,
            storage: false,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
          },
        ],
      },
    },
    problems: [
      'spec.versions[0].schema.openAPIV3Schema is required',
      'spec.versions[1].schema.openAPIV3Schema.properties[a].type Required value: must not be empty for specified object fields',
    ],
  },
];
