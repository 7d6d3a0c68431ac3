/** Fields of custom types by which objects are selected, as newer releases have them. */
import t from 'tap';
import { startConversionWebhook } from '../support/conversion-webhook.ts';
import {
  customDefinition,
  definedVersion,
  DEFINITIONS,
  established,
} from '../support/custom-types.ts';
import { until } from '../support/owned-objects.ts';
import { sendPatch } from '../support/send-patch.ts';
import { startServer } from '../support/server.ts';
import { eventOf } from '../support/watch-events.ts';

const GROUP = 'selected.example.com';
const ROOT = `/apis/${GROUP}/v1/namespaces/default`;
const server = await startServer({ test: t, args: ['--release=1.31'] });

const SCHEMA = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          color: { type: 'string', default: 'red' },
          size: { type: 'integer' },
          isNew: { type: 'boolean' },
        },
      },
    },
  },
};

function versionsWith(...paths: readonly string[]) {
  const selectableFields = paths.map((jsonPath) => ({ jsonPath }));
  return [definedVersion('v1', { storage: true, schema: SCHEMA, selectableFields })];
}

async function namesOf(collection: string, selector: string): Promise<string[]> {
  const answer = await server.get(`${collection}?fieldSelector=${encodeURIComponent(selector)}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

async function make(kind: string, name: string, spec: object): Promise<void> {
  const object = { apiVersion: `${GROUP}/v1`, kind, metadata: { name }, spec };
  const made = await server.post(`${ROOT}/${kind.toLowerCase()}s`, object);
  if (made.status !== 201) throw new Error(made.text);
}

t.test('lists, watches and collections are selected by them', async (t) => {
  await established(
    server,
    customDefinition(GROUP, 'Car', versionsWith('.spec.color', '.spec.size')),
  );
  const cars = `${ROOT}/cars`;
  await make('Car', 'a', { color: 'blue', size: 3 });
  await make('Car', 'b', {});
  t.same(await namesOf(cars, 'spec.color=blue'), ['a']);
  t.same(await namesOf(cars, 'spec.color=red'), ['b'], 'a default');
  t.same(await namesOf(cars, 'spec.size=3,spec.color!=red'), ['a'], 'a number');
  t.same(await namesOf(cars, 'spec.size='), ['b'], 'what is absent');
  const other = await server.get(`${cars}?fieldSelector=spec.isNew%3Dtrue`);
  t.equal(other.status, 400);
  t.equal(other.json.message, 'field label not supported: spec.isNew');

  const watch = await server.watch(`${cars}?watch=true&fieldSelector=spec.color%3Dgreen`);
  await sendPatch(server, `${cars}/a`, 'merge', { spec: { color: 'green' } });
  t.equal((await eventOf(watch, 'a')).type, 'ADDED', 'it comes to be selected');
  await sendPatch(server, `${cars}/a`, 'merge', { spec: { color: 'blue' } });
  t.equal((await eventOf(watch, 'a')).type, 'DELETED', 'and to be selected no more');
  watch.close();

  await server.delete(`${cars}?fieldSelector=spec.color%3Dred`);
  t.same(await namesOf(cars, ''), ['a']);
});

t.test(
  'objects are found by fields that a definition gets later, after a restart too',
  async (t) => {
    const definition = customDefinition(GROUP, 'Bike', versionsWith());
    await established(server, definition);
    const bikes = `${ROOT}/bikes`;
    await make('Bike', 'a', { color: 'blue' });
    await make('Bike', 'b', { isNew: true });
    const path = `${DEFINITIONS}/${definition.metadata.name}`;
    const versions = versionsWith('.spec.isNew', '.spec.color');
    const changed = await sendPatch(server, path, 'merge', { spec: { versions } });
    t.equal(changed.status, 200, changed.text);
    await until(async () => {
      return (await server.get(`${bikes}?fieldSelector=spec.isNew%3Dtrue`)).status === 200;
    });
    const check = async (): Promise<void> => {
      t.same(await namesOf(bikes, 'spec.isNew=true'), ['b']);
      t.same(await namesOf(bikes, 'spec.color=blue'), ['a']);
    };
    await check();
    await server.kill();
    await server.restart();
    await until(async () => (await server.get(bikes)).status === 200);
    await check();
  },
);

t.test('fields that only another version has are those of what a webhook converts', async (t) => {
  const webhook = await startConversionWebhook(t);
  const text = { type: 'string' };
  const schemaOf = (properties: object) => ({
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  });
  const v1 = { schema: schemaOf({ hostPort: text, note: text }), storage: true };
  const v2 = { schema: schemaOf({ host: text, port: text, note: text }) };
  const pathsOf = (...paths: string[]) => ({
    selectableFields: paths.map((jsonPath) => ({ jsonPath })),
  });
  const versions = [
    definedVersion('v1', { ...v1, ...pathsOf('.spec.hostPort') }),
    definedVersion('v2', { ...v2, ...pathsOf('.spec.host', '.spec.port') }),
  ];
  const { url, caBundle, behave } = webhook;
  const clientConfig = { url: url(), caBundle };
  const conversion = {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig },
  };
  await established(server, customDefinition(GROUP, 'Host', versions, { conversion }));
  const inV2 = ROOT.replace('/v1/', '/v2/');
  const watch = await server.watch(`${inV2}/hosts?watch=true&fieldSelector=spec.host%3Da`);
  await make('Host', 'one', { hostPort: 'a:1' });
  const metadata = { name: 'two' };
  const two = { apiVersion: `${GROUP}/v2`, kind: 'Host', metadata, spec: { host: 'a', port: '2' } };
  t.equal((await server.post(`${inV2}/hosts`, two)).status, 201);
  await make('Host', 'three', { hostPort: 'b:1' });
  t.same(await namesOf(`${inV2}/hosts`, 'spec.host=a'), ['one', 'two']);
  t.same(await namesOf(`${inV2}/hosts`, 'spec.host=a,spec.port=2'), ['two']);
  t.same(await namesOf(`${ROOT}/hosts`, 'spec.hostPort=a:2'), ['two']);
  for (const name of ['one', 'two']) t.equal((await eventOf(watch, name)).type, 'ADDED');
  await sendPatch(server, `${ROOT}/hosts/one`, 'merge', { spec: { hostPort: 'b:1' } });
  t.equal((await eventOf(watch, 'one')).type, 'DELETED', 'it is selected no more');
  watch.close();
  behave('broken');
  const marked = { metadata: { labels: { a: 'b' } } };
  t.equal((await sendPatch(server, `${ROOT}/hosts/two`, 'merge', marked)).status, 200);
  t.equal((await server.delete(`${ROOT}/hosts/one`)).status, 200, 'they are gone without it');
  behave('right');
  t.same(await namesOf(`${inV2}/hosts`, 'spec.host=a'), ['two'], 'and are as they were');
  await server.kill();
  await server.restart();
  await until(async () => (await server.get(`${inV2}/hosts`)).status === 200);
  t.same(await namesOf(`${inV2}/hosts`, 'spec.host=a'), ['two'], 'after a restart too');
});

t.test('metadata has no unknown members either, at the root or embedded', async (t) => {
  const template = {
    type: 'object',
    properties: { metadata: { type: 'object' } },
    'x-kubernetes-embedded-resource': true,
  };
  const spec = { type: 'object', properties: { template } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await established(server, customDefinition(GROUP, 'Nest', [definedVersion('v1', { schema })]));
  const inner = { apiVersion: 'foo/v1', kind: 'Sub', metadata: { name: 'a', unknownToo: 'c' } };
  const object = {
    apiVersion: `${GROUP}/v1`,
    kind: 'Nest',
    metadata: { name: 'a', unknown: 'b' },
    spec: { template: inner },
  };
  const refused = await server.post(`${ROOT}/nests?fieldValidation=Strict`, object);
  t.equal(refused.status, 400, refused.text);
  const found = ['metadata.unknown', 'spec.template.metadata.unknownToo'];
  const told = found.map((path) => `unknown field "${path}"`).join(', ');
  t.match(refused.json.message, `strict decoding error: ${told}`);
});

t.test('documents name them', async (t) => {
  const { json } = await server.get(`/openapi/v3/apis/${GROUP}/v1`);
  const { schemas } = json.components;
  const [name = ''] = Object.keys(schemas).filter((one) => one.endsWith('.v1.Car'));
  const fields = [{ fieldPath: 'spec.color' }, { fieldPath: 'spec.size' }];
  t.same(schemas[name]['x-kubernetes-selectable-fields'], fields);
  t.same(schemas[`${name}List`]['x-kubernetes-selectable-fields'], fields);
});
