// Definitions that go, whatever they are and whatever happens meanwhile.
import t from 'tap';
import { customDefinition, DEFINITIONS, established } from '../support/custom-types.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const GROUP = 'ends.example.com';
const server = await sharedServer();

t.test('one with a status that is wrong goes like others', async (t) => {
  const definition = customDefinition(GROUP, 'Wrong');
  await established(server, definition);
  const path = `${DEFINITIONS}/${definition.metadata.name}`;
  const merge = { 'content-type': 'application/merge-patch+json' };
  const change = JSON.stringify({ status: { storedVersions: ['v1', 'v0'] } });
  const changed = await server.request('PATCH', `${path}/status`, change, merge);
  t.same(changed.json.status.storedVersions, ['v1', 'v0'], 'no version is called v0');
  t.equal((await server.delete(path)).status, 200);
  await until(async () => (await server.get(path)).status === 404);
});

t.test(
  'one that has lost its names while it goes has them again, so that its objects can go',
  async (t) => {
    const definition = customDefinition(GROUP, 'Lost');
    await established(server, definition);
    const path = `${DEFINITIONS}/${definition.metadata.name}`;
    const merge = { 'content-type': 'application/merge-patch+json' };
    const objects = `/apis/${GROUP}/v1/namespaces/default/losts`;
    const created = await server.post(objects, {
      apiVersion: `${GROUP}/v1`,
      kind: 'Lost',
      metadata: { name: 'held', finalizers: ['example.com/mine'] },
    });
    t.equal(created.status, 201, created.text);
    t.equal((await server.delete(path)).status, 200);
    const nameless = JSON.stringify({ status: { acceptedNames: { kind: '' } } });
    await server.request('PATCH', `${path}/status`, nameless, merge);
    const free = JSON.stringify({ metadata: { finalizers: null } });
    await until(async () => {
      const freed = await server.request('PATCH', `${objects}/held`, free, merge);
      return freed.status === 200;
    });
    await until(async () => (await server.get(path)).status === 404);
  },
);
