/** Custom objects by the client that knows none of their types, and informers of them. */
import {
  ApiextensionsV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  makeInformer,
} from '@kubernetes/client-node';
import type {
  KubernetesListObject,
  KubernetesObject,
  V1CustomResourceDefinition,
  V1JSONSchemaProps,
} from '@kubernetes/client-node';
import t from 'tap';
import { record } from './informer-record.ts';
import { APPLY, eventually, expectException, JSON_PATCH, MERGE_PATCH } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const { config } = await sharedPublicServer();
const definitions = config.makeApiClient(ApiextensionsV1Api);
const custom = config.makeApiClient(CustomObjectsApi);

const GROUP = 'custom.example.com';
const OF_COUNTERS = { group: GROUP, version: 'v1', namespace: 'default', plural: 'counters' };
const PATH = `/apis/${GROUP}/v1/namespaces/default/counters`;
const NAME = `counters.${GROUP}`;

interface Counter extends KubernetesObject {
  readonly spec: { readonly step?: number; readonly unit?: string };
  readonly status?: { readonly count: number };
}

function definition(more: Record<string, V1JSONSchemaProps> = {}): V1CustomResourceDefinition {
  const spec = { type: 'object', properties: { step: { type: 'integer', _default: 1 }, ...more } };
  const status = { type: 'object', properties: { count: { type: 'integer' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec, status } };
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.step', statusReplicasPath: '.status.count' },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'counters', kind: 'Counter' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources },
      ],
    },
  };
}

async function define(): Promise<void> {
  await definitions.createCustomResourceDefinition({ body: definition() });
  await eventually('the definition is established', async () => {
    const { status } = await definitions.readCustomResourceDefinition({ name: NAME });
    return status?.conditions?.some(
      ({ type, status: state }) => type === 'Established' && state === 'True',
    );
  });
}

async function isGone(): Promise<boolean> {
  const { items } = await definitions.listCustomResourceDefinition();
  return items.every(({ metadata }) => metadata?.name !== NAME);
}

function counter(name: string, spec: Counter['spec'] = {}): Counter {
  return { apiVersion: `${GROUP}/v1`, kind: 'Counter', metadata: { name }, spec };
}

function informer() {
  const list = async (): Promise<KubernetesListObject<Counter>> =>
    (await custom.listNamespacedCustomObject(OF_COUNTERS)) as KubernetesListObject<Counter>;
  const made = makeInformer<Counter>(config, PATH, list);
  return { made, ...record(made) };
}

t.test('custom objects are made, changed and refused', async (t) => {
  await define();
  const made = (await custom.createNamespacedCustomObject({
    ...OF_COUNTERS,
    body: counter('a'),
  })) as Counter;
  t.match(made, { kind: 'Counter', metadata: { generation: 1 }, spec: { step: 1 } });
  const at = { ...OF_COUNTERS, name: 'a' };
  const status = { status: { count: 4 } };
  await custom.patchNamespacedCustomObjectStatus({ ...at, body: status }, MERGE_PATCH);
  const scale = await custom.getNamespacedCustomObjectScale(at);
  t.match(scale, { kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 4 } });
  const operations = [{ op: 'replace', path: '/spec/step', value: 2 }];
  t.match(await custom.patchNamespacedCustomObject({ ...at, body: operations }, JSON_PATCH), {
    metadata: { generation: 2 },
    spec: { step: 2 },
    status: { count: 4 },
  });
  const applied = { ...at, fieldManager: 'me', force: true, body: counter('a', { step: 3 }) };
  t.match(await custom.patchNamespacedCustomObject(applied, APPLY), { spec: { step: 3 } });
  const replaced = { ...made, spec: { step: 9 } };
  await expectException(t, custom.replaceNamespacedCustomObject({ ...at, body: replaced }), {
    code: 409,
    reason: 'Conflict',
  });
  const wrong = { ...counter('b'), spec: { step: 'many' } };
  await expectException(t, custom.createNamespacedCustomObject({ ...OF_COUNTERS, body: wrong }), {
    code: 422,
    reason: 'Invalid',
    message: /spec\.step: Invalid value: "string": spec\.step in body must be of type integer/,
  });

  const objects = KubernetesObjectApi.makeApiClient(config);
  const found = await objects.read(counter('a') as Counter & { metadata: { name: string } });
  t.match(found, { kind: 'Counter', spec: { step: 3 }, status: { count: 4 } });
  await custom.deleteNamespacedCustomObject(at);
  await expectException(t, custom.getNamespacedCustomObject(at), { code: 404 });
});

t.test('an informer sees its definition change, go and come again', async (t) => {
  const { made, told, errors } = informer();
  await made.start();
  await custom.createNamespacedCustomObject({ ...OF_COUNTERS, body: counter('one') });
  await eventually('what is made', () => made.get('one', 'default'));

  const more = { unit: { type: 'string', _default: 's' } };
  const body = await definitions.readCustomResourceDefinition({ name: NAME });
  body.spec = definition(more).spec;
  await definitions.replaceCustomResourceDefinition({ name: NAME, body });
  await custom.createNamespacedCustomObject({ ...OF_COUNTERS, body: counter('two') });
  const two = await eventually('what is made by the new schema', () => made.get('two', 'default'));
  t.same(two.spec, { step: 1, unit: 's' });
  t.same(errors, [], 'the watch went on');

  await definitions.deleteCustomResourceDefinition({ name: NAME });
  await eventually('the definition is gone', isGone);
  await eventually('the end of all objects', () => made.list().length === 0 || undefined);
  t.same(
    told
      .map(([verb, name]) => `${verb} ${name}`)
      .slice(-2)
      .toSorted(),
    ['delete one', 'delete two'],
  );
  await made.stop();

  await define();
  const again = informer();
  await again.made.start();
  t.same(again.made.list(), []);
  await custom.createNamespacedCustomObject({ ...OF_COUNTERS, body: counter('three') });
  const three = await eventually('an object of the new one', () =>
    again.made.get('three', 'default'),
  );
  t.same(three.spec, { step: 1 }, 'by its own schema');
  await again.made.stop();
  await definitions.deleteCustomResourceDefinition({ name: NAME });
  await eventually('the definition is gone', isGone);
});
