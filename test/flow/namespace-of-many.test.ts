/** A namespace with many objects of many kinds ends, and others do not notice. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { inParallel, manyObject, manyPath, TWELVE_KINDS } from '../support/many-kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { sharedServer } from '../support/shared-server.ts';

/** 150 of each kind: more than one step deletes. */
const OBJECTS = 1_800;
const server = await sharedServer();

async function makeNamespace(name: string): Promise<void> {
  t.equal((await server.post('/api/v1/namespaces', { metadata: { name } })).status, 201);
}

async function countIn(namespace: string): Promise<number> {
  let count = 0;
  for (const kind of TWELVE_KINDS) {
    count += (await server.get(manyPath(kind, namespace))).json.items.length;
  }
  return count;
}

t.test('all of it goes while others are written, and nothing of it remains', async (t) => {
  for (const name of ['doomed', 'spared']) await makeNamespace(name);
  await inParallel(OBJECTS, 32, async (number) => {
    const { kind, object } = manyObject(number);
    const answer = await server.post(manyPath(kind, 'doomed'), object);
    if (answer.status !== 201) t.fail(answer.text.slice(0, 300));
  });
  t.equal(await countIn('doomed'), OBJECTS);

  const watch = await server.watch('/api/v1/namespaces/doomed/pods?watch=true&resourceVersion=0');
  t.equal((await server.delete('/api/v1/namespaces/doomed')).status, 200);
  const refused = await server.post(manyPath(manyObject(0).kind, 'doomed'), manyObject(0).object);
  t.equal(refused.status, 403, 'nothing can be added from then on');

  const deadline = Date.now() + PATIENCE_MS;
  let written = 0;
  for (;;) {
    const { kind, object } = manyObject(written);
    t.equal((await server.post(manyPath(kind, 'spared'), object)).status, 201);
    written += 1;
    if ((await server.get('/api/v1/namespaces/doomed')).status === 404) break;
    if (Date.now() > deadline) t.fail('the namespace is still there');
    if (Date.now() > deadline) break;
  }
  t.equal(await countIn('doomed'), 0, 'it is empty');
  t.equal(await countIn('spared'), written, 'the other one has all that was written to it');

  const pods = OBJECTS / TWELVE_KINDS.length;
  while (watch.events.filter(({ type }) => type === 'DELETED').length < pods) {
    if (Date.now() > deadline) break;
    await sleep(10);
  }
  const ended = watch.events.filter(({ type }) => type === 'DELETED');
  t.equal(new Set(ended.map(({ object }) => object.metadata.uid)).size, pods, 'each end was seen');
  t.equal(ended.length, pods, 'once');
  watch.close();

  await makeNamespace('doomed');
  t.equal(await countIn('doomed'), 0, 'a new one of the name begins empty');
});
