/** TokenRequests name the account that they are for, in the newest release. */
import t from 'tap';
import { startServer } from '../support/server.ts';

const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts/robot';

function request(uid?: string): object {
  return { metadata: uid === undefined ? {} : { uid }, spec: { expirationSeconds: 600 } };
}

t.test('the uid of the account is told, and another one refused', async (t) => {
  const server = await startServer({ test: t, args: ['--release=1.37'] });
  await server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  const { uid } = (await server.get(ACCOUNT)).json.metadata;
  for (const asked of [request(), request(uid)]) {
    const { status, json } = await server.post(`${ACCOUNT}/token`, asked);
    t.equal(status, 201);
    t.equal(json.metadata.uid, uid);
  }
  const other = await server.post(`${ACCOUNT}/token`, request('u'));
  t.equal(other.status, 409);
  const why = `the UID in the token request (u) does not match the UID of the service account (${uid})`;
  t.ok(other.json.message.endsWith(why), 'it is told why');
});
