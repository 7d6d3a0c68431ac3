/** Webhooks that a kubeconfig names: where they are, and what they are shown. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import t from 'tap';
import type { Test } from 'tap';
import { stringify } from 'yaml';
import { webhookTargetOf } from '../../src/webhooks/kubeconfig.ts';
import { WebhookClient } from '../../src/webhooks/webhook-client.ts';
import { makeAuthority, type Pair } from '../support/authorities.ts';
import { selfSigned } from '../support/self-signed.ts';

const folder = mkdtempSync(join(tmpdir(), 'shardplane-webhook-'));
t.teardown(() => rmSync(folder, { recursive: true }));

const SERVER = 'https://127.0.0.1/x';
const OPTION = 'authorization-webhook-config-file';

function write(name: string, content: string | object): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : stringify(content));
  return file;
}

function kubeconfig(cluster: object, user?: object): object {
  return {
    clusters: [
      { name: 'other', cluster: { server: 'https://other' } },
      { name: 'c', cluster },
    ],
    users: user === undefined ? [] : [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
}

function target(cluster: object, user?: object) {
  return webhookTargetOf(OPTION, write('kubeconfig', kubeconfig(cluster, user)));
}

t.test('what a kubeconfig says', async (t) => {
  write('pem', 'P');
  write('token', 'of-file\n');
  const none = {
    authorization: '',
    certificate: '',
    key: '',
    serverName: '',
    trustsAnybody: false,
  };
  const base64 = Buffer.from('P').toString('base64');
  const server = SERVER;
  const plain = { url: SERVER, caBundle: '', caller: none };
  t.same(target({ server }), plain);
  t.same(target({ server, 'certificate-authority': 'pem' }), { ...plain, caBundle: base64 });
  t.same(target({ server, 'certificate-authority-data': base64 }), { ...plain, caBundle: base64 });
  const checks = { 'tls-server-name': 'n', 'insecure-skip-tls-verify': true };
  t.match(target({ server, ...checks }), { caller: { serverName: 'n', trustsAnybody: true } });
  const rows: [object, object][] = [
    [{ token: 't' }, { authorization: 'Bearer t' }],
    [{ token: 't', tokenFile: 'token' }, { authorization: 'Bearer of-file' }],
    [{ username: 'a', password: 'b' }, { authorization: 'Basic YTpi' }],
    [
      { 'client-certificate': join(folder, 'pem'), 'client-key-data': base64 },
      { certificate: 'P', key: 'P' },
    ],
  ];
  for (const [user, caller] of rows)
    t.same(target({ server }, user).caller, { ...none, ...caller });
  const only = write('only', {
    clusters: [{ cluster: { server } }],
    users: [{ user: { token: 't' } }],
  });
  t.match(webhookTargetOf(OPTION, only), { url: SERVER, caller: { authorization: 'Bearer t' } });
});

t.test('what cannot be used is said, without what is in it', async (t) => {
  const rows: [string, string | object, RegExp][] = [
    ['no YAML', 'token: [secret', /kubeconfig is no YAML$/],
    ['no end of nesting', '- '.repeat(5_000), /kubeconfig is no YAML$/],
    ['no members', 'secret', /is no kubeconfig$/],
    ['no server', kubeconfig({}), /has the server "" .*: give an https URL$/],
    ['no https', kubeconfig({ server: 'http://a' }), /"http:\/\/a" .*: give an https URL$/],
    ['no context', { 'current-context': 'x', clusters: [] }, /has no context "x"$/],
    ['no cluster', {}, /has no cluster for its current context$/],
    [
      'no file',
      kubeconfig({ server: SERVER }, { tokenFile: 'none' }),
      /cannot be used: ENOENT.*none'$/,
    ],
  ];
  for (const [what, content, message] of rows) {
    const file = write('kubeconfig', content);
    t.throws(() => webhookTargetOf(OPTION, file), { name: 'ConfigError', message }, what);
    t.throws(() => webhookTargetOf(OPTION, file), { message: new RegExp(`^--${OPTION}: `) });
  }
});

t.test('a certificate in the bundle is trusted itself, whoever signed it', async (t) => {
  const authority = await makeAuthority('unknown');
  const own = await authority.sign({ subject: [{ CN: ['a'] }], names: ['webhook.example'] });
  const { call } = await startEcho(t, own);
  t.equal(await call('/'), '/?timeout=30s');
});

t.test('a path is called as the reference cleans it', async (t) => {
  const { call } = await startEcho(t, await selfSigned(['webhook.example']));
  const rows = [
    ['', '/'],
    ['//', '/'],
    ['//check', '/check'],
    ['/a//b/', '/a/b'],
    ['/a/../b', '/b'],
  ] as const;
  for (const [path, called] of rows) t.equal(await call(path), `${called}?timeout=30s`, path);
});

/** A webhook that answers with the path that it was called at. */
async function startEcho(t: Test, own: Pair): Promise<{ call(path: string): Promise<string> }> {
  const server = createServer(own, (request, response) => response.end(request.url));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const calls = new WebhookClient(async () => ({ host: '', port: 0 }));
  t.teardown(() => {
    calls.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const authority = Buffer.from(own.cert).toString('base64');
  const cluster = { 'certificate-authority-data': authority, 'tls-server-name': 'webhook.example' };
  const call = async (path: string): Promise<string> => {
    const called = target({ ...cluster, server: `https://127.0.0.1:${port}${path}` });
    return (await calls.call(called, '{}', 30_000)).body.toString();
  };
  return { call };
}

t.test('a webhook is shown a token and a certificate, and checked', async (t) => {
  const own = await selfSigned(['webhook.example']);
  const client = await selfSigned([]);
  const seen: string[] = [];
  const server = createServer(
    { ...own, requestCert: true, ca: client.cert, rejectUnauthorized: false },
    (request, response) => {
      const { authorized } = request.socket as TLSSocket;
      seen.push(`${request.headers.authorization ?? ''} ${authorized}`);
      response.end('{}');
    },
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const calls = new WebhookClient(async () => ({ host: '', port: 0 }));
  t.teardown(() => {
    calls.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}/`;
  const call = async (cluster: object, user?: object): Promise<string> => {
    const { body } = await calls.call(target({ server: url, ...cluster }, user), '{}', 30_000);
    return body.toString();
  };
  const trusted = { 'certificate-authority-data': Buffer.from(own.cert).toString('base64') };
  const shown = {
    token: 't',
    'client-certificate-data': Buffer.from(client.cert).toString('base64'),
    'client-key-data': Buffer.from(client.key).toString('base64'),
  };
  await call({ ...trusted, 'tls-server-name': 'webhook.example' }, shown);
  await call({ 'insecure-skip-tls-verify': true });
  t.same(seen, ['Bearer t true', ' false']);
  await t.rejects(call({}), { name: 'WebhookError', message: /unknown authority/ });
  await t.rejects(call({ ...trusted, 'tls-server-name': 'other.example' }), {
    message: /certificate is valid for webhook\.example, not other\.example/,
  });
});

t.test('a webhook that is busy is asked again when it says', async (t) => {
  let answers: [status: number, retryAfter: string | undefined][] = [];
  let asked = 0;
  const own = await selfSigned(['webhook.example']);
  const server = createServer(own, (_request, response) => {
    const [status, retryAfter] = answers[asked++] ?? [200, undefined];
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`answer ${asked}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const calls = new WebhookClient(async () => ({ host: '', port: 0 }));
  t.teardown(() => {
    calls.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const called = target({ server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true });
  const rows: [what: string, answers: typeof answers, asked: number, answer: string | RegExp][] = [
    ['at once', [[503, '0']], 2, 'answer 2'],
    [
      '429 too',
      [
        [429, '0'],
        [500, '0'],
      ],
      3,
      'answer 3',
    ],
    ['not for other codes', [[404, '0']], 1, /could not find the requested resource/],
    ['not without the header', [[503, undefined]], 1, /unable to handle the request/],
    ['not at a date', [[503, 'Mon, 23 Nov 2026 03:00:00 GMT']], 1, /unable to handle/],
    ['not beyond its time', [[503, '31']], 1, /unable to handle/],
    ['ten times', Array.from({ length: 20 }, () => [503, '0']), 11, /unable to handle/],
  ];
  for (const [what, its, times, answer] of rows) {
    answers = its;
    asked = 0;
    const calling = calls.call(called, '{}', 30_000).then(
      ({ body }) => body.toString(),
      (error: unknown) => (error as Error).message,
    );
    t.match(await calling, answer, what);
    t.equal(asked, times, what);
  }
});
