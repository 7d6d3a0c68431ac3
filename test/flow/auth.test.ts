/** Who may talk to the API: bearer tokens, and 401 for everyone else. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { runToExit, temporaryFolder } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';

const UNAUTHORIZED_BODY =
  '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",' +
  '"message":"Unauthorized","reason":"Unauthorized","code":401}\n';

const server = await startServer({ test: t });

const GUARDED = [
  ['GET', `${CONFIG_MAPS}/guarded`, undefined],
  ['GET', CONFIG_MAPS, undefined],
  ['GET', `${CONFIG_MAPS}?watch=true`, undefined],
  ['POST', CONFIG_MAPS, configMap('intruder')],
  ['PUT', `${CONFIG_MAPS}/guarded`, configMap('guarded', { key: 'changed' })],
  ['DELETE', `${CONFIG_MAPS}/guarded`, undefined],
  ['GET', '/apis', undefined],
] as const;

t.test('with a token that nobody has every request is 401', async (t) => {
  await server.post(CONFIG_MAPS, configMap('guarded'));
  const credentials = {
    'another token': 'Bearer 0123456789abcdef',
    'a prefix of the token': `Bearer ${server.token.slice(0, -1)}`,
    'more than the token': `Bearer ${server.token}x`,
  };
  for (const [what, authorization] of Object.entries(credentials)) {
    for (const [method, path, body] of GUARDED) {
      const answer = await server.request(method, path, body, { authorization });
      t.equal(answer.status, 401, `${what}: ${method} ${path}`);
      t.equal(answer.text, UNAUTHORIZED_BODY, 'the exact Status');
      t.equal(answer.headers['content-type'], 'application/json');
    }
  }
});

t.test('without a token everybody is anonymous, and may do nothing', async (t) => {
  const credentials = {
    none: undefined,
    'an empty header': '',
    'an empty token': 'Bearer ',
    'another scheme': `Basic ${Buffer.from(`admin:${server.token}`).toString('base64')}`,
    'no scheme': server.token,
  };
  for (const [what, authorization] of Object.entries(credentials)) {
    for (const [method, path, body] of GUARDED) {
      const answer = await server.request(method, path, body, { authorization });
      t.equal(answer.status, 403, `${what}: ${method} ${path}`);
      t.match(answer.json.message, 'forbidden: User "system:anonymous" cannot ');
      t.equal(answer.headers['x-content-type-options'], 'nosniff');
    }
  }
  t.equal((await server.get(`${CONFIG_MAPS}/guarded`)).json.data.key, 'value', 'nothing changed');
  t.equal((await server.get(`${CONFIG_MAPS}/intruder`)).status, 404);
});

t.test('an oversize body without a token is 401 too, or the connection ends', async (t) => {
  const body = 'x'.repeat(4 * 1024 * 1024);
  const answer = await server
    .request('POST', CONFIG_MAPS, body, { authorization: 'Bearer none' })
    .catch(() => undefined);
  t.ok(answer === undefined || answer.status === 401);
});

t.test('who names no user cannot be acted as', async (t) => {
  const group = 'authentication.cluster.io/v1';
  const rows: [Record<string, string>, string][] = [
    [{ 'Impersonate-Group': 'g' }, '{Group  g    }'],
    [
      { 'Impersonate-Uid': 'u', 'Impersonate-Extra-A%2fb': 'v' },
      `{UserExtra  v  ${group}  a/b} {UID  u  ${group}  }`,
    ],
  ];
  for (const [headers, asked] of rows) {
    const answer = await server.get('/api', headers);
    t.equal(answer.status, 500);
    const text = `"/api": requested [${asked}] without impersonating a user`;
    t.equal(answer.text, `Internal Server Error: ${text}\n`);
    const unknown = { ...headers, authorization: 'Bearer none' };
    t.equal((await server.get(CONFIG_MAPS, unknown)).status, 401, 'first the sender is known');
  }
  const nobody = await server.get(CONFIG_MAPS, { 'Impersonate-User': '' });
  t.equal(nobody.status, 400);
  t.match(nobody.json.message, 'Impersonate-User names nobody');
});

t.test('the scheme is read in any case', async (t) => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const answer = await server.get(CONFIG_MAPS, { authorization: `${scheme} ${server.token}` });
    t.equal(answer.status, 200, scheme);
  }
});

t.test('health needs no token', async (t) => {
  for (const path of ['/livez', '/readyz', '/healthz']) {
    t.equal((await server.get(path, { authorization: undefined })).status, 200, path);
  }
});

t.test('the first start writes credentials that only the owner can read', async (t) => {
  for (const name of ['admin.token', 'admin.kubeconfig']) {
    t.equal(statSync(join(server.dataDirectory, name)).mode & 0o777, 0o600, name);
  }
  t.ok(server.token.length >= 32, 'a token that cannot be guessed');
  const text = readFileSync(join(server.dataDirectory, 'admin.kubeconfig'), 'utf8');
  const config = parse(text);
  t.equal(config.kind, 'Config');
  t.equal(config['current-context'], config.contexts[0].name);
  t.equal(config.users[0].user.token, server.token);
  t.equal(config.clusters[0].cluster.server, `http://127.0.0.1:${server.port}`);
  t.ok(
    server.process.stdout.includes(join(server.dataDirectory, 'admin.kubeconfig')),
    'the ready line names the file',
  );
  t.match(server.process.stdout, `http://127.0.0.1:${server.port}`, 'and the address');
});

t.test('a second start keeps the token', async (t) => {
  const { token } = server;
  await server.stop();
  await server.restart();
  t.equal(server.token, token);
  t.equal((await server.get(CONFIG_MAPS)).status, 200);
});

t.test('a token file names more users', async (t) => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'tokens.csv');
  writeFileSync(file, 'token-of-jane,jane,uid-1,"developers,testers"\ntoken-of-joe,joe,uid-2\n');
  const own = await startServer({ test: t, args: ['--token-auth-file', file] });
  for (const name of ['jane', 'joe']) {
    const authorization = `Bearer token-of-${name}`;
    t.equal((await own.get('/api', { authorization })).status, 200, name);
    const refused = await own.get(CONFIG_MAPS, { authorization });
    t.equal(refused.status, 403);
    t.match(refused.json.message, `User "${name}" cannot list resource "configmaps"`);
  }
  const wrong = await own.get(CONFIG_MAPS, { authorization: 'Bearer token-of-jim' });
  t.equal(wrong.status, 401);

  writeFileSync(file, 'token-only,jane\n');
  const data = join(folder, 'data');
  const exit = await runToExit(['--data-dir', data, '--port', '0', '--token-auth-file', file]);
  t.not(exit.code, 0, 'a line with two columns stops the start');
  t.equal(exit.stderr.trim().split('\n').length, 1, exit.stderr);
  const missing = join(folder, 'none.csv');
  const without = await runToExit([
    '--data-dir',
    data,
    '--port',
    '0',
    '--token-auth-file',
    missing,
  ]);
  t.not(without.code, 0, 'and so does a missing file');
  t.match(without.stderr, 'none.csv');
});

t.end();
