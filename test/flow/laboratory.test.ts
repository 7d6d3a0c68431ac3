/** The laboratory as a whole: where it is, who may use it, and that it is nowhere else. */
import t from 'tap';
import { startServer } from '../support/server.ts';

const LAB = '/shardplane/lab/v1';

t.test('without the option there is none', async (t) => {
  const server = await startServer({ test: t });
  const { status } = await server.get(`${LAB}/faults`);
  t.equal(status, 404);
});

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
});

t.end();
