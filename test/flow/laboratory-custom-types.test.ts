/** Restores over definitions of custom types that came, went and were changed since. */
import t, { type Test } from 'tap';
import {
  customDefinition,
  DEFINITIONS,
  definedVersion,
  established,
} from '../support/custom-types.ts';
import { until } from '../support/owned-objects.ts';
import { startServer, type Server } from '../support/server.ts';

const LAB = '/shardplane/lab/v1';
const SITES = '/apis/shop.example.com/v1/namespaces/default/sites';
const CARTS = '/apis/shop.example.com/v1/namespaces/default/carts';
const SITE = customDefinition('shop.example.com', 'Site');
const CART = customDefinition('shop.example.com', 'Cart');

function object(kind: string, name: string, host: string): object {
  return { apiVersion: 'shop.example.com/v1', kind, metadata: { name }, spec: { host } };
}

async function withSnapshot(test: Test, ...args: string[]): Promise<Server> {
  const server = await startServer({ test, args: ['--laboratory', ...args] });
  await established(server, SITE);
  for (const name of ['changed', 'gone']) await server.post(SITES, object('Site', name, 'old'));
  const { status, text } = await server.post(`${LAB}/snapshots`, { name: 'base' });
  if (status !== 201) throw new Error(text);
  return server;
}

interface Restored {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

async function restore(server: Server, query = ''): Promise<Record<string, Restored>> {
  const { status, text, json } = await server.post(`${LAB}/snapshots/base/restore${query}`, {});
  if (status !== 200) throw new Error(text);
  return json.types;
}

/** What is not about when it was written. */
async function contents(server: Server, path: string): Promise<unknown> {
  const { json } = await server.get(path);
  const items = json.items as { metadata: { name: string; uid: string }; spec: unknown }[];
  return items.map(({ metadata: { name, uid }, spec }) => ({ name, uid, spec }));
}

async function deleteDefinition(server: Server, name: string): Promise<void> {
  await server.delete(`${DEFINITIONS}/${name}`);
  await until(async () => (await server.get(`${DEFINITIONS}/${name}`)).status === 404);
}

t.test('a definition that went comes back with its objects, over stops and kills', async (t) => {
  const server = await withSnapshot(t, '--watch-history', '1ms');
  const before = await contents(server, SITES);
  const { json: definition } = await server.get(`${DEFINITIONS}/sites.shop.example.com`);
  for (const end of [undefined, 'stop', 'kill'] as const) {
    await server.put(`${SITES}/changed`, object('Site', 'changed', 'new'));
    await deleteDefinition(server, 'sites.shop.example.com');
    if (end !== undefined) {
      await server[end]();
      await server.restart();
    }
    const dry = await restore(server, '?dryRun=All');
    t.strictSame(dry['sites.shop.example.com'], { created: 2, updated: 0, deleted: 0 });
    const types = await restore(server);
    t.strictSame(types['sites.shop.example.com'], { created: 2, updated: 0, deleted: 0 });
    t.strictSame(await contents(server, SITES), before, 'at once');
    const { json } = await server.get(`${DEFINITIONS}/sites.shop.example.com`);
    t.equal(json.metadata.uid, definition.metadata.uid);
    const made = await server.post(SITES, object('Site', 'later', 'new'));
    t.equal(made.status, 201, 'and goes on');
    await server.delete(`${SITES}/later`);
  }
});

t.test('a definition that came since goes, and its objects before it', async (t) => {
  const server = await withSnapshot(t);
  await established(server, CART);
  await server.post(CARTS, object('Cart', 'full', 'new'));
  const watch = await server.watch(`${CARTS}?watch=1`);
  t.match(await watch.next(), { type: 'ADDED' });
  const deleted = { created: 0, updated: 0, deleted: 1 };
  t.strictSame((await restore(server, '?dryRun=All'))['carts.shop.example.com'], deleted);
  t.equal((await server.get(CARTS)).status, 200, 'a dry run does nothing');
  t.strictSame((await restore(server))['carts.shop.example.com'], deleted);
  t.match(await watch.next(), { type: 'DELETED', object: { metadata: { name: 'full' } } });
  t.equal(await watch.next(), undefined, 'the watch ends');
  t.equal((await server.get(CARTS)).status, 404);
  await established(server, CART);
  t.strictSame(await contents(server, CARTS), [], 'one that is made anew is empty');
});

t.test('a definition that was made anew, or changed, is as it was', async (t) => {
  const server = await withSnapshot(t);
  const before = await contents(server, SITES);
  await deleteDefinition(server, 'sites.shop.example.com');
  await established(server, SITE);
  await server.post(SITES, object('Site', 'other', 'new'));
  const watch = await server.watch(`${DEFINITIONS}?watch=1`);
  t.match(await watch.next(), { type: 'ADDED' });
  await restore(server);
  t.strictSame(await contents(server, SITES), before);
  const seen: string[] = [];
  while (!seen.includes('ADDED')) seen.push((await watch.next())?.type ?? '');
  t.ok(seen.includes('DELETED'), 'another uid is another object');
  const versions = [definedVersion('v1'), definedVersion('v2')];
  const { json } = await server.get(`${DEFINITIONS}/sites.shop.example.com`);
  json.spec.versions = versions;
  const changed = await server.put(`${DEFINITIONS}/sites.shop.example.com`, json);
  t.equal(changed.status, 200, changed.text);
  const second = SITES.replace('v1', 'v2');
  await until(async () => (await server.get(second)).status === 200);
  await server.put(`${second}/changed`, {
    ...object('Site', 'changed', 'newest'),
    apiVersion: 'shop.example.com/v2',
  });
  await restore(server);
  t.equal((await server.get(second)).status, 404, 'at once');
  t.strictSame(await contents(server, SITES), before);
});

t.end();
