/** The server takes facts from a definition. */
import t from 'tap';
import { RawJson } from '../../src/codec/json/raw-json.ts';
import type { Schema } from '../../src/resources/apiextensions/schema-node.ts';
import { definitionFacts } from '../../src/types/custom/definition-facts.ts';

t.test('a definition that says little', async (t) => {
  t.same(definitionFacts({ metadata: { name: 'foos.example.com' }, spec: { versions: [{}] } }), {
    name: 'foos.example.com',
    uid: '',
    generation: 0,
    group: '',
    scope: '',
    names: { plural: '', singular: '', kind: '', listKind: '', shortNames: [], categories: [] },
    versions: [
      {
        name: '',
        served: false,
        storage: false,
        deprecated: false,
        hasStatus: false,
        columns: [],
        schemaText: '',
      },
    ],
    conversion: { strategy: 'None' },
    preserveUnknownFields: false,
    isEstablished: false,
    isTerminating: false,
  });
});

t.test('a definition that says much', async (t) => {
  const names = { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' };
  const column = { name: 'A', type: 'string', jsonPath: '.a' };
  const schema: Schema = {
    type: 'object',
    maxLength: 9007199254740993n,
    title: '<',
    description: undefined,
    items: new RawJson('{"default":1.0}'),
    properties: JSON.parse('{"__proto__":{"enum":[null]}}') as unknown,
  };
  const facts = definitionFacts({
    metadata: { name: 'foos.example.com', uid: 'u', generation: 3, deletionTimestamp: 'x' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { ...names, kind: 'Asked' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          deprecated: true,
          deprecationWarning: 'old',
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.n',
              statusReplicasPath: '.status.n',
              labelSelectorPath: '',
            },
          },
          additionalPrinterColumns: [column, { ...column, priority: 1, format: 'byte' }],
          schema: {
            openAPIV3Schema: schema,
          },
        },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { namespace: 'n', name: 's' }, caBundle: 'YQ==' },
          conversionReviewVersions: ['v1'],
        },
      },
    },
    status: {
      acceptedNames: { ...names, shortNames: ['f'], categories: ['all'] },
      conditions: [{ type: 'Established', status: 'True' }],
    },
  });
  const columnFacts = { ...column, description: '', format: '', priority: 0 };
  t.same(facts.names, { ...names, shortNames: ['f'], categories: ['all'] }, 'the accepted ones');
  t.same(facts.versions, [
    {
      name: 'v1',
      served: true,
      storage: true,
      deprecated: true,
      deprecationWarning: 'old',
      hasStatus: true,
      scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' },
      columns: [columnFacts, { ...columnFacts, priority: 1, format: 'byte' }],
      schemaText:
        '{"type":"object","maxLength":9007199254740993,"title":"\\u003c","items":{"default":1.0},"properties":{"__proto__":{"enum":[null]}}}',
    },
  ]);
  t.same(facts.conversion, {
    strategy: 'Webhook',
    webhook: {
      service: { namespace: 'n', name: 's', path: '', port: 443 },
      caBundle: 'YQ==',
      reviewVersions: ['v1'],
    },
  });
  t.ok(facts.isEstablished);
  t.ok(facts.isTerminating, 'from the deletion on');
  t.same(structuredClone(facts), facts, 'it can be sent');
});

t.test('schemas nest as deep as bodies may', async (t) => {
  let schema: object = { type: 'string' };
  for (let depth = 0; depth < 10_000; depth += 1) schema = { not: schema };
  const versions = [{ schema: { openAPIV3Schema: schema } }];
  const facts = definitionFacts({ metadata: {}, spec: { versions } });
  t.ok(facts.versions[0]?.schemaText.startsWith('{"not":{"not":'));
  t.equal(facts.versions[0]?.schemaText.length, 10_000 * '{"not":}'.length + 17);
});

t.test('wide schemas are written as well', async (t) => {
  const properties = Object.fromEntries(
    Array.from({ length: 200_000 }, (_, index) => [`p${index}`, {}]),
  );
  const versions = [{ schema: { openAPIV3Schema: { properties, enum: [] } } }];
  const facts = definitionFacts({ metadata: {}, spec: { versions } });
  const written = JSON.parse(facts.versions[0]?.schemaText ?? '') as { properties: object };
  t.equal(Object.keys(written.properties).length, 200_000);
});
