/** Rules of the laboratory that are about objects with certain labels. */
import protobuf from 'protobufjs';
import t, { type Test } from 'tap';
import { wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { CONFIG_MAPS } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const LAB = '/shardplane/lab/v1';
const ASKED = `${CONFIG_MAPS}?labelSelector=`;

const server = await sharedServer('--laboratory');

function map(name: string, app: string): object {
  return { metadata: { name, labels: { app, tier: 'back' } } };
}

async function refuse(test: Test, labelSelector: string): Promise<void> {
  const what = { resources: ['configmaps'], labelSelector };
  const rule = { name: 'labelled', what, then: { refuse: { code: 503 } } };
  const { status, text } = await server.post(`${LAB}/faults`, rule);
  test.equal(status, 201, text);
  test.teardown(() => server.delete(`${LAB}/faults/labelled`));
}

/** A ConfigMap with a label `app`, in binary. */
function binaryMap(name: string, app: string): Buffer {
  const writer = protobuf.Writer.create().uint32(10).fork();
  writer.uint32(10).string(name).uint32(90).fork();
  writer.uint32(10).string('app').uint32(18).string(app).ldelim();
  const raw = writer.ldelim().finish();
  return Buffer.from(wrapProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', raw }));
}

t.test('the labels that are stored count, and of a create those that are sent', async (t) => {
  for (const app of ['web', 'other']) await server.post(CONFIG_MAPS, map(`stored-${app}`, app));
  await refuse(t, 'app in (web, shop),tier');
  const refused = (name: string): string => `${CONFIG_MAPS}/${name}`;
  t.equal((await server.get(refused('stored-web'))).status, 503);
  t.equal((await server.get(refused('stored-other'))).status, 200);
  t.equal((await server.get(refused('nobody'))).status, 404);
  const moved = await server.put(refused('stored-other'), map('stored-other', 'web'));
  t.equal(moved.status, 200, 'it was another one when the request came');
  t.equal((await server.put(refused('stored-other'), map('stored-other', 'x'))).status, 503);
  t.equal((await server.delete(refused('stored-web'))).status, 503);
  t.equal((await server.post(CONFIG_MAPS, map('sent', 'shop'))).status, 503);
  t.equal((await server.post(CONFIG_MAPS, map('sent', 'none'))).status, 201);
  t.equal((await server.post(CONFIG_MAPS, 'no object')).status, 400);
});

t.test('so do those of other forms of bodies', async (t) => {
  await refuse(t, 'app=web');
  const types = { yaml: 'application/yaml', binary: 'application/vnd.cluster.protobuf' };
  const send = async (type: keyof typeof types, app: string): Promise<number> => {
    const name = `${type}-${app}`;
    const yaml = `metadata: {name: ${name}, labels: {app: ${app}}}\n`;
    const body = type === 'yaml' ? yaml : binaryMap(name, app);
    const headers = { 'content-type': types[type] };
    return (await server.post(CONFIG_MAPS, body, headers)).status;
  };
  for (const type of ['yaml', 'binary'] as const) {
    t.equal(await send(type, 'web'), 503, type);
    t.equal(await send(type, 'other'), 201, type);
  }
});

t.test('who asks for many must ask for such objects alone', async (t) => {
  await refuse(t, 'app=web');
  t.equal((await server.get(`${ASKED}app%3Dweb`)).status, 503);
  t.equal((await server.get(`${ASKED}tier,app%20in%20(web)`)).status, 503, 'and for more');
  t.equal((await server.get(`${ASKED}app%20in%20(web,other)`)).status, 200);
  t.equal((await server.get(CONFIG_MAPS)).status, 200);
  t.equal((await server.get(`${ASKED}a%20b`)).status, 400, 'no selector');
});

t.test('a view is of them alone, too', async (t) => {
  const what = { resources: ['configmaps'], labelSelector: 'app=viewed' };
  const { status } = await server.post(`${LAB}/views`, { name: 'labelled', what });
  t.equal(status, 201);
  t.teardown(() => server.delete(`${LAB}/views/labelled`));
  const made = await server.post(CONFIG_MAPS, map('viewed', 'viewed'));
  t.equal(made.status, 201);
  t.equal((await server.get(`${CONFIG_MAPS}/viewed`)).status, 404, 'not there yet, as of then');
  t.equal((await server.get(CONFIG_MAPS)).json.items.at(-1).metadata.name, 'yaml-other');
  const all = async (): Promise<number> =>
    (await server.get(`${ASKED}app%3Dviewed`)).json.items.length;
  t.equal(await all(), 0);
  await server.delete(`${LAB}/views/labelled`);
  t.equal(await all(), 1);
});

t.test('what is no selector is refused', async (t) => {
  const rule = { name: 'bad', what: { labelSelector: 'a b' }, then: { loseAnswer: true } };
  const { status, json } = await server.post(`${LAB}/faults`, rule);
  t.equal(status, 400);
  t.match(json.message, 'what.labelSelector must be a label selector: ');
});

t.end();
