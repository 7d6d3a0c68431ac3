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
