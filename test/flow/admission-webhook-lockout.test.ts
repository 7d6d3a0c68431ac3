// A webhook that is asked about everything, and is not there.
import t from 'tap';
import { freePort } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';

const GROUP = 'admissionregistration.cluster.io';
const ALL = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };

t.test('who locks everybody out can be undone, also after a start', async (t) => {
  const server = await startServer({
    test: t,
    args: ['--durability', 'relaxed', '--controllers', '*'],
  });
  const url = `https://127.0.0.1:${await freePort()}/`;
  for (const sort of ['Mutating', 'Validating']) {
    const kind = `${sort}WebhookConfiguration`;
    const made = await server.post(`/apis/${GROUP}/v1/${kind.toLowerCase()}s`, {
      apiVersion: `${GROUP}/v1`,
      kind,
      metadata: { name: 'lock' },
      webhooks: [
        {
          name: 'lock.example.com',
          clientConfig: { url },
          rules: [ALL],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    t.equal(made.status, 201, made.text);
  }
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const maps = '/api/v1/namespaces/default/configmaps';
  const refused = await server.post(maps, map);
  t.equal(refused.status, 500);
  t.match(
    refused.json.message,
    /^Internal error occurred: failed calling webhook "lock.example.com"/,
  );
  await server.kill();
  await server.restart();
  t.equal((await server.post(maps, map)).status, 500, 'it is in force after a start');
  t.equal((await server.get(maps)).status, 200);
  for (const type of ['mutating', 'validating']) {
    const at = `/apis/${GROUP}/v1/${type}webhookconfigurations/lock`;
    const labelled = '{"metadata":{"labels":{"a":"b"}}}';
    const headers = { 'content-type': 'application/merge-patch+json' };
    t.equal((await server.request('PATCH', at, labelled, headers)).status, 200);
    t.equal((await server.delete(at)).status, 200);
  }
  t.equal((await server.post(maps, map)).status, 201);
});
