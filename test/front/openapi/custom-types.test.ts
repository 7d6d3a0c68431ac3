/** Documents of custom types: those of the reference, whose schemas release 1.34 publishes so. */
import t from 'tap';
import protobuf from 'protobufjs';
import type { DefinitionFacts } from '../../../src/types/custom/definition-facts.ts';
import { definitionOf, versionFacts } from '../../support/custom-facts.ts';
import {
  bytesOf,
  documents,
  messages,
  parsed,
  referencesIn,
  v3Of as documentV3,
  type DocumentV2,
  type DocumentV3,
  type Schema,
} from './documents-under-test.ts';

const ROOT = 'apis/example.com/v1';
const NAME = 'com.example.v1.Thing';

function thing(schema: unknown, more: Partial<DefinitionFacts> = {}): DefinitionFacts {
  return definitionOf('Thing', {
    versions: [versionFacts('v1', { schemaText: JSON.stringify(schema) })],
    ...more,
  });
}

async function v2Of(...definitions: DefinitionFacts[]): Promise<DocumentV2> {
  return parsed(await documents.with(definitions).v2()) as DocumentV2;
}

function v3Of(...definitions: DefinitionFacts[]): Promise<DocumentV3> {
  return documentV3(ROOT, documents.with(definitions));
}

const spec = (schema: Schema | undefined): Schema | undefined => schema?.properties?.['spec'];

t.test('what schemas become in both versions', async (t) => {
  const text = { type: 'string' };
  const integerOrString = [{ type: 'integer' }, { type: 'string' }];
  const said = { description: 'd', title: 't', maxLength: 0, enum: ['a', null], pattern: 'p' };
  const cases: readonly [what: string, schema: object, v2: object, v3?: object][] = [
    ['what values are', { ...text, ...said }, { ...text, ...said }],
    ['what says nothing', { ...text, exclusiveMaximum: false, required: [], format: '' }, text],
    ['what is only for people', { ...text, example: 'x', externalDocs: { url: 'u' } }, text],
    ['defaults', { ...text, default: '' }, text, { ...text, default: '' }],
    [
      'null',
      { type: 'object', nullable: true, properties: { a: text }, required: ['a'] },
      { required: ['a'] },
      { type: 'object', nullable: true, properties: { a: text }, required: ['a'] },
    ],
    [
      'members that may be null',
      { type: 'object', required: ['a', 'b'], properties: { a: { ...text, nullable: true } } },
      { type: 'object', required: ['b'], properties: { a: {} } },
      { type: 'object', required: ['a', 'b'], properties: { a: { ...text, nullable: true } } },
    ],
    [
      'unknown members',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: text } },
      { 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: text } },
    ],
    [
      'lists of anything',
      { type: 'array', items: text, 'x-kubernetes-preserve-unknown-fields': true },
      { 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'array', items: text, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'alternatives',
      { ...text, not: { maxLength: 1 }, oneOf: [{ minLength: 2 }], anyOf: [{ pattern: 'a' }] },
      text,
      { ...text, not: { maxLength: 1 }, oneOf: [{ minLength: 2 }], anyOf: [{ pattern: 'a' }] },
    ],
    [
      'an integer or text',
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-int-or-string': true, anyOf: integerOrString },
    ],
    [
      'an integer or text of more than one kind',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ maxLength: 5 }], allOf: [{ minimum: 1 }] },
      { 'x-kubernetes-int-or-string': true },
      {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ maxLength: 5 }],
        allOf: [{ anyOf: integerOrString }, { minimum: 1 }],
      },
    ],
    [
      'maps',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: text },
    ],
    [
      'any members',
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: true },
    ],
    [
      'lists',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    ],
  ];
  for (const [what, schema, v2, v3 = v2] of cases) {
    const definition = thing({ type: 'object', properties: { spec: schema } });
    t.same(spec((await v2Of(definition)).definitions[NAME]), v2, `${what}, version 2`);
    t.same(spec((await v3Of(definition)).components.schemas[NAME]), v3, `${what}, version 3`);
  }
});

t.test('what every object has', async (t) => {
  const definition = thing({
    type: 'object',
    description: 'Mine.',
    properties: { metadata: { type: 'object' }, kind: { type: 'string', maxLength: 1 } },
  });
  const {
    definitions: { [NAME]: schema },
  } = await v2Of(definition);
  t.equal(schema?.['description'], 'Mine.');
  t.same(Object.keys(schema?.properties ?? {}), ['apiVersion', 'kind', 'metadata']);
  t.match(schema?.properties?.['kind'], { type: 'string', maxLength: undefined });
  t.match(schema?.properties?.['metadata']?.$ref, /meta\.v1\.ObjectMeta$/);
  t.same(schema?.['x-kubernetes-group-version-kind'], [
    { group: 'example.com', kind: 'Thing', version: 'v1' },
  ]);
});

t.test('embedded resources have what every object has', async (t) => {
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    required: ['kind'],
    properties: { a: { type: 'string' } },
  };
  const open = { ...embedded, 'x-kubernetes-preserve-unknown-fields': true };
  const v2 = await v2Of(thing({ type: 'object', properties: { spec: embedded } }));
  const schema = spec(v2.definitions[NAME]);
  t.same(schema?.required, ['kind', 'apiVersion']);
  t.same(Object.keys(schema?.properties ?? {}), ['a', 'apiVersion', 'kind', 'metadata']);
  const definition = thing({ type: 'object', properties: { spec: open } });
  t.same(spec((await v2Of(definition)).definitions[NAME])?.properties, undefined);
  t.ok(spec((await v3Of(definition)).components.schemas[NAME])?.properties?.['metadata']);
});

t.test('types that take any members are open in version 2', async (t) => {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  for (const definition of [thing(open), definitionOf('Thing', { preserveUnknownFields: true })]) {
    const { properties, type } = (await v2Of(definition)).definitions[NAME] ?? {};
    t.same([type, properties], ['object', undefined]);
    t.ok((await v3Of(definition)).components.schemas[NAME]?.properties?.['metadata']);
  }
});

t.test('schemas may nest deep, and have any names', async (t) => {
  let deep: object = { type: 'string' };
  for (let level = 0; level < 3_000; level += 1) {
    deep = { type: 'object', properties: JSON.parse('{"__proto__":1}') as object, items: deep };
  }
  const names = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}');
  const definition = thing({
    type: 'object',
    properties: { ...names, ['__proto__']: { type: 'string' }, deep },
  });
  const {
    components: { schemas },
  } = await v3Of(definition);
  const v3 = schemas[NAME]?.properties ?? {};
  t.ok(Object.hasOwn(v3, '__proto__') && Object.hasOwn(v3, 'constructor'));
  await documents.with([definition]).v2Protobuf();
});

t.test('paths and operations', async (t) => {
  const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
  const definition = definitionOf('Thing', {
    group: 'my-things.example.com',
    versions: [
      versionFacts('v1', { hasStatus: true, scale }),
      versionFacts('v2', { served: false }),
    ],
  });
  const { paths } = await v2Of(definition);
  const own = Object.entries(paths).filter(([path]) => path.includes('example.com'));
  const item = '/apis/my-things.example.com/v1/namespaces/{namespace}/things/{name}';
  t.same(
    own.map(([path, { parameters: _shared, ...operations }]) => [path, Object.keys(operations)]),
    [
      ['/apis/my-things.example.com/v1/namespaces/{namespace}/things', ['get', 'post', 'delete']],
      [item, ['get', 'put', 'delete', 'patch']],
      ['/apis/my-things.example.com/v1/things', ['get']],
      [`${item}/status`, ['get', 'put', 'patch']],
      [`${item}/scale`, ['get', 'put', 'patch']],
    ],
  );
  const { patch, put } = paths[item] ?? {};
  t.equal(patch?.operationId, 'patchMyThingsExampleComV1NamespacedThing');
  t.same(patch?.consumes, [
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/apply-patch+yaml',
  ]);
  t.same(put?.produces, ['application/json', 'application/yaml']);
  t.same(Object.keys(patch?.responses ?? {}), ['200', '401']);
  t.same(put?.['x-kubernetes-group-version-kind'], {
    group: 'my-things.example.com',
    kind: 'Thing',
    version: 'v1',
  });
});

t.test('documents have all that they refer to', async (t) => {
  const definition = definitionOf('Thing');
  const v2 = await v2Of(definition);
  for (const reference of referencesIn(v2)) {
    t.ok(v2.definitions[reference.replace('#/definitions/', '')], reference);
  }
  const v3 = await v3Of(definition);
  for (const reference of referencesIn(v3)) {
    t.ok(v3.components.schemas[reference.replace('#/components/schemas/', '')], reference);
  }
  const list = v2.definitions[`${NAME}List`];
  t.same(list?.properties?.['items']?.items, { $ref: `#/definitions/${NAME}` });
});

t.test('a change makes anew what it changes', async (t) => {
  const [one, other] = [definitionOf('One'), definitionOf('Other', { group: 'other.example.com' })];
  const before = documents.with([one, other]);
  const builtIn = await documents.v3('api/v1');
  t.equal(await documents.with([]).v3('api/v1'), builtIn, 'built-in types stay');
  t.equal(await before.v3('api/v1'), builtIn);
  const kept = await before.v3(ROOT);
  const after = before.with([one, { ...other, generation: 2 }]);
  t.equal(await after.v3(ROOT), kept);
  const root = 'apis/other.example.com/v1';
  t.not((await after.v3(root))?.hash, (await before.v3(root))?.hash);
  const index = await after.v3Index();
  t.not(index.hash, (await before.v3Index()).hash);
  t.match(JSON.parse(Buffer.from(index.bytes).toString()), {
    paths: { [ROOT]: { serverRelativeURL: `/openapi/v3/${ROOT}?hash=${kept?.hash}` } },
  });
  t.equal(before.with([other]).v3(ROOT), undefined);
  t.equal(await before.with([{ ...one }, other]).v3(ROOT), kept, 'the same, sent again');
});

t.test('schemas are not read before a document of them is asked for', async (t) => {
  const broken = definitionOf('Thing', { versions: [versionFacts('v1', { schemaText: '{' })] });
  const made = documents.with([broken]);
  t.ok(await made.v3Index());
  t.ok(await made.v3('apis/apps/v1'));
  await t.rejects(v3Of(broken), SyntaxError);
});

t.test('a group version may have built-in types too', async (t) => {
  const claimed = definitionOf('Thing', { group: 'apps' });
  const { paths, components } = await documentV3('apis/apps/v1', documents.with([claimed]));
  t.ok(paths['/apis/apps/v1/things'] && paths['/apis/apps/v1/deployments']);
  t.ok(components.schemas['apps.v1.Thing']);
});

t.test('the binary form of many types is one message', async (t) => {
  const made = documents.with([definitionOf('One'), definitionOf('Other')]);
  const type = protobuf.Root.fromJSON(messages).lookupType('openapi.v2.Document');
  const { definitions, paths } = type.decode(bytesOf(await made.v2Protobuf())) as unknown as {
    definitions: { additionalProperties: { name: string }[] };
    paths: { path: { name: string }[] };
  };
  const json = parsed(await made.v2()) as DocumentV2;
  t.same(
    definitions.additionalProperties.map(({ name }) => name),
    Object.keys(json.definitions),
  );
  t.same(paths.path.map(({ name }) => name).sort(), Object.keys(json.paths).sort());
});
