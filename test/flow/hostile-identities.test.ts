/**
 * Strangers who say that they are somebody: tokens that are forged or over, heads that readers may
 * take for different ones, headers of proxies. All are refused in words, on every port and front,
 * and no secret is told to anybody.
 */
import { createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { legacyNames } from '../../src/auth/authentication/service-accounts/account-tokens.ts';
import { newTokenKey } from '../../src/auth/authentication/service-accounts/token-keys.ts';
import { makeAuthority, writePair } from '../support/authorities.ts';
import { made, PODS, podWith } from '../support/cluster-objects.ts';
import { Connections } from '../support/connections.ts';
import { expectFailure, expectUnharmed } from '../support/expect-status.ts';
import { CONFIG_MAPS } from '../support/kinds.ts';
import type { Members } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { exchangeRaw } from '../support/raw-exchange.ts';
import type { RawPort } from '../support/raw-exchange.ts';
import { startServer } from '../support/server.ts';
import { freePort, temporaryFolder } from '../support/server-process.ts';
import { macToken, signedText, signedToken } from '../support/signed-token.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const SECRETS = '/api/v1/namespaces/default/secrets';
const GROUP = 'rbac.authorization.cluster.io';
const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';
const ISSUER = `https://${SERVER_DIALECT.apiService}.default.svc`;
const MINUTES = 60;

const folder = temporaryFolder();
const clients = writePair(folder, 'clients', await makeAuthority('clients'));
const tokenFile = join(folder, 'tokens.csv');
const ALICE = 'the-token-of-alice';
writeFileSync(tokenFile, `${ALICE},alice,1\n`);
const fronts = process.platform === 'linux' ? ['--fronts', '2'] : [];
const [securePort, sessionPort] = [await freePort(), await freePort()];
const otherPort = await freePort();
const [server, other] = await Promise.all([
  startServer({
    test: t,
    args: [
      ...fronts,
      '--durability=relaxed',
      `--secure-port=${securePort}`,
      `--session-port=${sessionPort}`,
      `--token-auth-file=${tokenFile}`,
      `--client-ca-file=${clients.certFile}`,
      `--requestheader-client-ca-file=${clients.certFile}`,
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
    ],
  }),
  startServer({ test: t, args: ['--secure-port', String(otherPort)] }),
]);
/** Where nobody but the holder of a token may do anything. */
const PORTS: Readonly<Record<string, RawPort>> = {
  plain: server,
  'TLS with certificates of clients': { port: securePort, isSecure: true },
  'of sessions': { port: sessionPort, isSecure: true },
  TLS: { port: otherPort, isSecure: true },
};
const connections = new Connections(t, server);
const robot = await made(server, ACCOUNTS, { metadata: { name: 'robot' } });
const key = readFileSync(join(server.dataDirectory, 'service-account.key'), 'utf8');
const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
const goodToken: string = (await made(server, `${ACCOUNTS}/robot/token`, {})).status.token;
/** Nobody is to read any of them anywhere. */
const secrets = new Set([server.token, other.token, ALICE, goodToken]);
for (const line of key.split('\n')) if (!line.startsWith('---') && line !== '') secrets.add(line);

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part: string | undefined): Members =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Members;
const [goodHeader = '', goodClaims = '', goodSignature = ''] = goodToken.split('.');
const header = decoded(goodHeader);
const claims = decoded(goodClaims);
const now = Math.floor(Date.now() / 1000);

/** Checks that a refusal tells nothing but that, on any connection. */
async function expectUnknown(t: Test, what: string, token: string): Promise<void> {
  secrets.add(token);
  for (const { status, text } of await connections.getOnEach(CONFIG_MAPS, token)) {
    t.equal(status, 401, what);
    t.match(JSON.parse(text), { reason: 'Unauthorized', message: 'Unauthorized' });
    t.notOk(text.includes(token), 'the answer does not repeat it');
  }
}

async function expectKnown(t: Test, token: string): Promise<void> {
  secrets.add(token);
  t.same(await connections.statusesOf(CONFIG_MAPS, token), [403], 'known, without rights');
}

const withClaims = (members: Members): string =>
  signedToken(key, goodHeader, { ...claims, ...members });
const withHeader = (members: Members): string =>
  signedText(key, `${encoded({ ...header, ...members })}.${goodClaims}`);
const withoutSignature = (alg: string): string => `${encoded({ ...header, alg })}.${goodClaims}.`;
const accountClaims = (members: Members): Members => {
  const own = claims[SERVER_DIALECT.tokenClaims] as Members;
  return { [SERVER_DIALECT.tokenClaims]: { ...own, ...members } };
};

t.test('tokens that are forged or not for here and now', async (t) => {
  await expectKnown(t, goodToken);
  await expectKnown(t, withClaims({}));
  const stranger = newTokenKey();
  const deep = `{"iss":"${ISSUER}","aud":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const rows: Record<string, string> = {
    'signed by somebody else': signedToken(stranger, goodHeader, claims),
    'signed by a key that it brings': signedToken(
      stranger,
      encoded({ ...header, jwk: createPublicKey(stranger).export({ format: 'jwk' }) }),
      claims,
    ),
    'of another key, by name': `${encoded({ ...header, kid: '../x' })}.${goodClaims}.${goodSignature}`,
    none: withoutSignature('none'),
    'None, with a signature': `${withoutSignature('None')}${goodSignature}`,
    'an empty algorithm': withoutSignature(''),
    'a MAC with the public key': macToken(publicKey, header, claims),
    'a MAC with the public key, in one line': macToken(publicKey.trim(), header, claims),
    'a signature of zeros': `${goodHeader}.${goodClaims}.${Buffer.alloc(64).toString('base64url')}`,
    'another algorithm for the key': withHeader({ alg: 'ES384' }),
    'an extension that must be understood': withHeader({ crit: ['exp'] }),
    'other claims with its signature': `${goodHeader}.${encoded({ ...claims, exp: now + 9 ** 9 })}.${goodSignature}`,
    'a claim twice': signedText(
      key,
      `${goodHeader}.${Buffer.from(`{"exp":${now + 600},${JSON.stringify(claims).slice(1)}`).toString('base64url')}`,
    ),
    'with padding': `${goodToken}=`,
    'with more after it': `${goodToken}.x`,
    'deep claims': signedText(key, `${goodHeader}.${Buffer.from(deep).toString('base64url')}`),
    long: 'x'.repeat(50_000),
    expired: withClaims({ exp: now - 2 * MINUTES }),
    'without an end': withClaims({ exp: undefined }),
    'an end that is a text': withClaims({ exp: String(now + 600) }),
    'not yet valid': withClaims({ nbf: now + 3 * MINUTES }),
    'for others': withClaims({ aud: ['https://others.example.org'] }),
    'for no text': withClaims({ aud: [5] }),
    'of another issuer': withClaims({ iss: 'https://others.example.org' }),
    'of no issuer': withClaims({ iss: undefined }),
    'of an issuer that is a list': withClaims({ iss: [ISSUER] }),
    'of nobody': withClaims({ [SERVER_DIALECT.tokenClaims]: undefined }),
    'of an account that is not there': withClaims(
      accountClaims({ serviceaccount: { name: 'root', uid: robot.metadata.uid } }),
    ),
    'of another account of that name': withClaims(
      accountClaims({ serviceaccount: { name: 'robot', uid: 'another' } }),
    ),
    'of another namespace': withClaims(accountClaims({ namespace: 'other' })),
    'of no Secret': withClaims(accountClaims({ secret: { name: 'none', uid: 'x' } })),
    'of no pod': withClaims(accountClaims({ pod: { name: 'none', uid: 'x' } })),
    'legacy, of no Secret': signedToken(key, goodHeader, legacyClaims('none')),
    'the token of the administrator, cut': server.token.slice(0, -1),
    'the token of another server': other.token,
  };
  for (const [what, token] of Object.entries(rows)) await expectUnknown(t, what, token);
  const long = await server.post(REVIEWS, { spec: { token: 'x'.repeat(60_000) } });
  t.same(long.json.status, { user: {}, error: 'invalid bearer token' }, 'a review of a long one');
  const longer = await server.post(REVIEWS, { spec: { token: 'x'.repeat(1_000_000) } });
  t.equal(longer.status, 413, 'one that is longer than a review may be');
});

function legacyClaims(secret: string): object {
  const names = legacyNames(SERVER_DIALECT);
  return {
    iss: names.issuer,
    sub: 'system:serviceaccount:default:robot',
    [names.namespace]: 'default',
    [names.secret]: secret,
    [names.account]: 'robot',
    [names.uid]: robot.metadata.uid,
  };
}

t.test('tokens end with what they are bound to', async (t) => {
  const boundTo = async (kind: string, name: string): Promise<string> => {
    const boundObjectRef = { kind, apiVersion: 'v1', name };
    const asked = await made(server, `${ACCOUNTS}/robot/token`, { spec: { boundObjectRef } });
    return asked.status.token;
  };
  const secret = { metadata: { name: 'bound' } };
  await made(server, SECRETS, secret);
  const ofSecret = await boundTo('Secret', 'bound');
  await expectKnown(t, ofSecret);
  await server.delete(`${SECRETS}/bound`);
  await expectUnknown(t, 'without its Secret', ofSecret);
  await made(server, SECRETS, secret);
  await expectUnknown(t, 'with another Secret of that name', ofSecret);

  const legacy = signedToken(key, goodHeader, legacyClaims('legacy'));
  const data = { token: Buffer.from(legacy).toString('base64') };
  await made(server, SECRETS, { metadata: { name: 'legacy' }, data });
  await expectKnown(t, legacy);
  await server.put(`${SECRETS}/legacy`, { metadata: { name: 'legacy' }, data: {} });
  await expectUnknown(t, 'legacy, and not in its Secret any more', legacy);

  await podWith(server, 'bound', { spec: { serviceAccountName: 'robot' } });
  const ofPod = await boundTo('Pod', 'bound');
  await expectKnown(t, ofPod);
  await server.delete(`${PODS}/bound`, { gracePeriodSeconds: 0 });
  // Pods change too often to be looked at each time: it may count for a second more.
  const endMs = Date.now() + PATIENCE_MS;
  const statuses = (): Promise<number[]> => connections.statusesOf(CONFIG_MAPS, ofPod);
  while ((await statuses()).includes(403) && Date.now() < endMs) await sleep(50);
  await expectUnknown(t, 'without its pod', ofPod);
});

t.test('acting as somebody else takes the right to', async (t) => {
  const rules = [
    { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['bob'] },
    { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['dev'] },
  ];
  const api = `/apis/${GROUP}/v1`;
  await made(server, `${api}/clusterroles`, { metadata: { name: 'as-bob' }, rules });
  await made(server, `${api}/clusterrolebindings`, {
    metadata: { name: 'as-bob' },
    subjects: [{ kind: 'User', apiGroup: GROUP, name: 'alice' }],
    roleRef: { kind: 'ClusterRole', apiGroup: GROUP, name: 'as-bob' },
  });
  const alice = { authorization: `Bearer ${ALICE}` };
  const cannot = (what: string, group = '', where = 'at the cluster scope'): string =>
    `User "alice" cannot impersonate resource "${what}" in API group "${group}" ${where}`;
  const asBob = 'User "bob" cannot list resource "configmaps"';
  const masters = 'system:masters';
  /** One line each. */
  const groups = (...names: string[]): string => names as unknown as string;
  const of = 'authentication.cluster.io';
  const rows: [Record<string, string>, string][] = [
    [{ 'Impersonate-User': 'bob' }, asBob],
    [{ 'Impersonate-User': 'bob', 'Impersonate-Group': 'dev' }, asBob],
    [{ 'Impersonate-User': 'bob', 'Impersonate-Group': masters }, cannot('groups')],
    [{ 'Impersonate-User': 'bob', 'Impersonate-Group': groups('dev', masters) }, cannot('groups')],
    [{ 'Impersonate-User': 'bob', 'Impersonate-Uid': '1' }, cannot('uids', of)],
    [{ 'Impersonate-User': 'bob', 'Impersonate-Extra-A': 'b' }, cannot('userextras/a', of)],
    [
      { 'Impersonate-User': 'bob', 'Impersonate-Extra-__proto__': 'b' },
      cannot('userextras/__proto__', of),
    ],
    [{ 'Impersonate-User': 'root' }, cannot('users')],
    [{ 'Impersonate-User': 'system:admin' }, cannot('users')],
    [{ 'Impersonate-User': 'BOB' }, cannot('users')],
    [{ 'Impersonate-User': '*' }, cannot('users')],
    [{ 'Impersonate-User': 'bob, root' }, cannot('users')],
    [{ 'Impersonate-User': 'bob\tx' }, cannot('users')],
    [{ 'Impersonate-User': `b"\\'<>\u00FC\u00FF` }, cannot('users')],
    [{ 'Impersonate-User': 'x'.repeat(10_000) }, cannot('users')],
    [
      { 'Impersonate-User': 'system:serviceaccount:default:robot' },
      cannot('serviceaccounts', '', 'in the namespace "default"'),
    ],
    [{ 'Impersonate-User': 'system:serviceaccount:default:robot:x' }, cannot('users')],
  ];
  for (const [headers, expected] of rows) {
    const answer = await server.get(CONFIG_MAPS, { ...alice, ...headers });
    t.equal(answer.status, 403);
    t.ok(answer.json.message.includes(expected), answer.json.message);
  }
  for (const name of ['bob', 'system:anonymous']) {
    const answer = await server.get(CONFIG_MAPS, {
      authorization: undefined,
      'Impersonate-User': name,
    });
    const stranger = 'User "system:anonymous" cannot impersonate resource "users"';
    t.match(answer.json.message, stranger);
    const forged = { authorization: 'Bearer none', 'Impersonate-User': name };
    expectFailure(t, await server.get(CONFIG_MAPS, forged), { code: 401 });
  }
});

/** A request for something that a stranger may not have. */
function requestOf(...lines: readonly string[]): string {
  return `GET ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}

const ANSWERED = /^HTTP\/1\.1 \d+ [^]*\r\n\r\n/;
const ALLOWED = /^HTTP\/1\.1 2/m;

t.test('heads that readers may take for different ones', async (t) => {
  const token = `Authorization: Bearer ${server.token}`;
  const bad = 'Authorization: Bearer none';
  const rows: Record<string, [string, RegExp]> = {
    'a very long token': [requestOf(`${bad}${'x'.repeat(1_000_000)}`), /^HTTP\/1\.1 431 |^$/],
    'a bad token before a good one': [requestOf(bad, token), /^HTTP\/1\.1 401 /],
    'many bad tokens': [requestOf(...Array<string>(40).fill(bad)), /^HTTP\/1\.1 401 /],
    'more headers than anybody needs': [
      requestOf(...Array<string>(5_000).fill(bad), token),
      /^HTTP\/1\.1 431 |^$/,
    ],
    'NUL after the token': [requestOf(`${token}\0`), /^HTTP\/1\.1 400 /],
    'NUL in the name': [requestOf(token.replace('h', 'h\0')), /^HTTP\/1\.1 400 /],
    'a line feed alone': [requestOf(`X-A: b\n${token}`), /^HTTP\/1\.1 400 /],
    'a folded line': [requestOf('X-A: b', ` ${token}`), /^HTTP\/1\.1 400 /],
    'a folded user': [requestOf(token, 'Impersonate-User: bob', ' root'), /^HTTP\/1\.1 400 /],
    'NUL in the user': [requestOf(token, 'Impersonate-User: b\0b'), /^HTTP\/1\.1 400 /],
    'a space before the colon': [requestOf(token.replace(':', ' :')), /^HTTP\/1\.1 400 /],
    'no colon': [requestOf(token.replace(':', '')), /^HTTP\/1\.1 400 /],
    'two users': [
      requestOf(token, 'Impersonate-User: bob', 'Impersonate-User: admin'),
      /^HTTP\/1\.1 403 [^]*User \\"bob\\" cannot list/,
    ],
    'bytes that are no text': [
      requestOf(token, 'Impersonate-User: b\u00FFb'),
      /^HTTP\/1\.1 403 [^]*User \\"b�b\\" cannot list/,
    ],
    'a user with letters of any kind': [
      requestOf(token, `Impersonate-User: ${Buffer.from('bär').toString('latin1')}`),
      /^HTTP\/1\.1 403 [^]*User \\"bär\\" cannot list/,
    ],
    // The rest of it on some ports is nothing, which must not stand for who asks.
    'a user without a letter of ASCII': [
      requestOf(token, `Impersonate-User: ${Buffer.from('é').toString('latin1')}`),
      /^HTTP\/1\.1 (?:400 [^]*Impersonate-User names nobody|403 [^]*User \\"é\\" cannot list)/,
    ],
    'a user of a proxy': [
      requestOf('X-Remote-User: admin', 'X-Remote-Group: system:masters'),
      /^HTTP\/1\.1 403 [^]*User \\"system:anonymous\\" cannot list/,
    ],
    // The server waits for the rest.
    'a carriage return alone': [requestOf(`X-A: b\r${token}`), /^$|^HTTP\/1\.1 400 /],
  };
  for (const [where, port] of Object.entries(PORTS)) {
    if (port.port === otherPort) continue;
    await Promise.all(
      Object.entries(rows).map(async ([what, [text, expected]]) => {
        const isAnswered = !expected.test('');
        const bytes = Buffer.from(text, 'latin1');
        const told = await exchangeRaw(port, bytes, isAnswered ? ANSWERED : undefined);
        const answer = Buffer.from(told, 'latin1').toString();
        t.match(answer, expected, `${where}: ${what}`);
        t.notMatch(answer, ALLOWED);
      }),
    );
  }
  await expectUnharmed(t, server);
});

/** Version 2 of the PROXY protocol, with a family of addresses and so many bytes of them. */
function proxyHeader(command: number, family: number, bytes: number, saidBytes = bytes): Buffer {
  const start = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x20\0\0\0', 'latin1');
  start[12] = command;
  start[13] = family;
  start.writeUInt16BE(saidBytes, 14);
  return Buffer.concat([start, Buffer.alloc(bytes)]);
}

t.test('what proxies say before a request, from who is none', async (t) => {
  const request = Buffer.from(requestOf());
  const asAdmin = Buffer.from(requestOf('X-Remote-User: admin', 'X-Remote-Group: system:masters'));
  const ipv6 = proxyHeader(0x21, 0x21, 36);
  const rows: Record<string, Buffer> = {
    'version 1': Buffer.concat([Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n'), request]),
    'an address': Buffer.concat([ipv6, asAdmin]),
    'one of IPv4': Buffer.concat([proxyHeader(0x21, 0x11, 12), request]),
    'no address': Buffer.concat([proxyHeader(0x21, 0x21, 0), asAdmin]),
    'a part of one': Buffer.concat([proxyHeader(0x21, 0x21, 4), asAdmin]),
    'a connection of its own': Buffer.concat([proxyHeader(0x20, 0, 0), asAdmin]),
    'a long one': Buffer.concat([proxyHeader(0x21, 0x21, 600), request]),
    'a length that is none': Buffer.concat([proxyHeader(0x21, 0x21, 36, 0xff_ff), request]),
    'another version': Buffer.concat([proxyHeader(0x31, 0x21, 36), request]),
    twice: Buffer.concat([ipv6, ipv6, request]),
    'after a request': Buffer.concat([request, ipv6, asAdmin]),
  };
  for (const [where, port] of Object.entries(PORTS)) {
    await Promise.all(
      Object.entries(rows).map(async ([what, bytes]) => {
        const answer = await exchangeRaw(port, bytes);
        t.notMatch(answer, ALLOWED, `${where}: ${what}`);
        t.notMatch(answer, /User \\"(?!system:anonymous)/, 'nobody is taken for somebody');
      }),
    );
  }
  await Promise.all([expectUnharmed(t, server), expectUnharmed(t, other)]);
});

t.test('nobody reads a secret', async (t) => {
  const { pid, stdout, stderr } = server.process;
  const seen: Record<string, string> = { stdout, stderr };
  if (process.platform === 'linux') {
    for (const file of ['cmdline', 'environ']) {
      seen[file] = readFileSync(`/proc/${pid}/${file}`, 'latin1');
    }
  }
  for (const [where, text] of Object.entries(seen)) {
    const told = [...secrets].filter((secret) => text.includes(secret)).length;
    t.equal(told, 0, `in ${where} of the server`);
  }
});

t.end();
