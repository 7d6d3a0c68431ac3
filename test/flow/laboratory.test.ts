/** The laboratory as a whole: where it is, who may use it, and that it is nowhere else. */
import t, { type Test } from 'tap';
import { startServer, type Server } from '../support/server.ts';

const LAB = '/shardplane/lab/v1';

t.test('without the option there is none', async (t) => {
  const server = await startServer({ test: t });
  const { status } = await server.get(`${LAB}/faults`);
  t.equal(status, 404);
  t.notOk((await server.get('/openapi/v3')).text.includes('shardplane'));
});

/** Each path is there with its methods, and each member that is sent has a form. */
async function describesItself(t: Test, server: Server): Promise<void> {
  const { json: index } = await server.get('/openapi/v3');
  const { serverRelativeURL } = index.paths[LAB.slice(1)];
  const { json } = await server.get(serverRelativeURL);
  t.match(Object.keys(json.paths), [`${LAB}/faults`, `${LAB}/faults/{name}`]);
  for (const [path, item] of Object.entries<Record<string, unknown>>(json.paths)) {
    const asked = path.replace('{name}', 'nobody');
    const { status } = await server.request('PATCH', asked, {});
    t.equal(status, 405, `${path} is there`);
    t.ok(item['get'] !== undefined || item['post'] !== undefined || item['delete'] !== undefined);
  }
  const { schema } = json.paths[`${LAB}/faults`].post.requestBody.content['application/json'];
  t.match(schema.properties.what.properties, { labelSelector: { type: 'string' } });
  t.match(schema, { required: ['name', 'then'], additionalProperties: false });
}

t.test('it is for administrators alone', async (t) => {
  const server = await startServer({
    test: t,
    args: ['--laboratory', '--authorization-mode=AlwaysAllow'],
  });
  const jane = await server.get(`${LAB}/faults`, { 'impersonate-user': 'jane' });
  t.equal(jane.status, 403);
  t.match(jane.json.message, 'system:masters');
  const unknown = await server.get(`${LAB}/unknown`);
  t.equal(unknown.status, 404);
  t.equal(unknown.json.message, 'the laboratory has no "unknown"');
  await describesItself(t, server);
});

t.end();
