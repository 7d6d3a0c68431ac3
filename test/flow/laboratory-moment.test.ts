/** A restore is one moment to clients, whatever they do meanwhile. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const LAB = '/shardplane/lab/v1';
const DEFAULT = '/api/v1/namespaces/default';
const MANY = 300;
const ROUNDS = 3;

const args = ['--controllers', '*', '--disable-admission-plugins', 'ServiceAccount'];
const server = await startServer({ test: t, args: ['--laboratory', ...args] });

async function written(path: string, object: object): Promise<void> {
  const { status, text } = await server.post(`${DEFAULT}/${path}`, object);
  if (status !== 201) throw new Error(text);
}

async function restored(name: string): Promise<void> {
  const { status, text } = await server.post(`${LAB}/snapshots/${name}/restore`, {});
  if (status !== 200) throw new Error(text);
}

t.test('who asks for one type after the other sees no mix', async (t) => {
  await server.post(`${LAB}/snapshots`, { name: 'empty' });
  const names = Array.from({ length: MANY }, (_, at) => `map-${at}`);
  // Namespaces are restored first.
  const asked = ['/api/v1/namespaces/fresh', `${DEFAULT}/configmaps/map-0`];
  for (let round = 0; round < ROUNDS; round++) {
    await server.post('/api/v1/namespaces', { metadata: { name: 'fresh' } });
    await Promise.all(names.map((name) => written('configmaps', { metadata: { name } })));
    let isOver = false as boolean;
    const read = async (): Promise<string> => {
      let seen = '';
      for (let last = false; !last;) {
        last = isOver;
        for (const path of asked) seen += `${(await server.get(path)).status} `;
      }
      return seen;
    };
    const reading = [read(), read(), read()];
    await restored('empty').finally(() => (isOver = true));
    for (const seen of await Promise.all(reading)) {
      t.match(seen, /^(200 )*(404 )+$/, 'all was there, and then nothing');
    }
  }
});

t.test('quotas are right at once', async (t) => {
  await written('resourcequotas', {
    metadata: { name: 'few' },
    spec: { hard: { 'count/limitranges': '2' } },
  });
  const range = (name: string): object => ({ metadata: { name }, spec: { limits: [] } });
  const used = async (): Promise<string> => {
    const { json } = await server.get(`${DEFAULT}/resourcequotas/few`);
    return json.status?.used?.['count/limitranges'];
  };
  await until(async () => (await used()) === '0');
  await written('limitranges', range('first'));
  await server.post(`${LAB}/snapshots`, { name: 'one-used' });
  for (let round = 0; round < ROUNDS; round++) {
    await written('limitranges', range(`second-${round}`));
    const refused = await server.post(`${DEFAULT}/limitranges`, range('third'));
    t.equal(refused.status, 403);
    await restored('one-used');
    t.equal(await used(), '1');
  }
  await server.delete(`${DEFAULT}/limitranges/first`);
  await restored('one-used');
  t.equal(await used(), '1', 'more than before, too');
  await written('limitranges', range('second'));
  t.equal((await server.post(`${DEFAULT}/limitranges`, range('third'))).status, 403);
});

t.end();
