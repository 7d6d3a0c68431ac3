/** Continue tokens: whose they are, tampering, restarts and expiry. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { configMap, kindNamed, minimalObject, typePath } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';
import {
  createAll,
  createNamespaceOf,
  itemsOf,
  joinPages,
  listPath,
  namesOf,
  readAll,
  readPages,
  tokenOf,
  versionOf,
} from '../support/whole-list.ts';

const ALL = '/api/v1/configmaps';
const SEVEN = '/api/v1/namespaces/seven/configmaps';
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const CALM = '/api/v1/namespaces/seven/secrets';
const LIMIT = 2;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Characters beyond that alphabet. */
const ODD = [
  ['=', '.'],
  ['+', 'é'],
  ['\u0000', ' '],
] as const;
const EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start ' +
  'a new list without the continue parameter, or use the continue token in this response to ' +
  'retrieve the remainder of the results. Continuing with the provided token results in an ' +
  'inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

const server = await startServer({ test: t });
await fill(server);
const expiring = prepareExpiring();

async function fill(server: Server): Promise<void> {
  await createNamespaceOf(server, SEVEN);
  for (const name of NAMES) await server.post(SEVEN, configMap(name));
}

async function firstToken(t: Test, server: Server, path = SEVEN): Promise<string> {
  const first = await server.get(listPath(path, { limit: LIMIT }));
  const token = tokenOf(first);
  t.type(token, 'string', `a page of ${path} has a token: ${first.text.slice(0, 200)}`);
  return token ?? 'none';
}

async function expectRefused(t: Test, token: string, path = SEVEN): Promise<void> {
  expectFailure(t, await server.get(listPath(path, { limit: LIMIT, token })), {
    code: 400,
    reason: 'BadRequest',
    message: /^invalid continue token: continue key is not valid: /,
  });
}

t.test('what was never a token is refused', async (t) => {
  for (const token of [
    'x',
    '0',
    'true',
    'null',
    'not a token',
    'ü€😀',
    '%00',
    '\u0000',
    '====',
    '../../etc/passwd',
    '{}',
    'e30',
    'bnVsbA',
    'W10',
    'A'.repeat(10_000),
    Buffer.from('{"v":"meta.cluster.io/v1","rv":1,"start":"a\\u0000"}').toString('base64url'),
    Buffer.from('{"v":"meta.cluster.io/v1","rv":-1,"start":"a\\u0000"}').toString('base64url'),
    Buffer.from('{"v":"v0","rv":1}').toString('base64url'),
    Buffer.from('{"v":"meta.cluster.io/v1","rv":1,"start":').toString('base64url'),
  ]) {
    await expectRefused(t, token);
  }
});

t.test('a token with any character changed is refused', async (t) => {
  const token = await firstToken(t, server);
  const page = await server.get(listPath(SEVEN, { limit: LIMIT, token }));
  const check = async (at: number, character: string): Promise<void> => {
    const changed = token.slice(0, at) + character + token.slice(at + 1);
    if (changed === token) return;
    const answer = await server.get(listPath(SEVEN, { limit: LIMIT, token: changed }));
    if (answer.status === 400) return;
    t.fail(`character ${at} as ${character}: ${answer.status} ${answer.text.slice(0, 200)}`);
  };
  for (let at = 0; at < token.length; at += 1) {
    // The last ones may have bits that encode nothing.
    const all = at >= token.length - 6;
    const characters = all
      ? BASE64URL.split('')
      : [BASE64URL.charAt((at * 7) % 64), ...ODD[at % ODD.length]!];
    await Promise.all(characters.map(async (character) => check(at, character)));
  }
  t.equal((await server.get(listPath(SEVEN, { limit: LIMIT, token }))).text, page.text);
});

t.test('a token that is cut, longer or put together of two is refused', async (t) => {
  const token = await firstToken(t, server);
  const other = (await server.get(listPath(SEVEN, { limit: 4 }))).json.metadata.continue ?? 'none';
  for (let length = 1; length < token.length; length += 1) {
    const cut = await server.get(listPath(SEVEN, { token: token.slice(0, length) }));
    if (cut.status !== 400) t.fail(`cut to ${length}: ${cut.text.slice(0, 200)}`);
  }
  for (const longer of [`${token}AAAA`, `AAAA${token}`, token + token, `${token} `]) {
    await expectRefused(t, longer);
  }
  t.not(token, other);
  for (let length = 4; length < token.length; length += 4) {
    const mixed = token.slice(0, length) + other.slice(length);
    if (mixed !== other && mixed !== token) await expectRefused(t, mixed);
  }
});

t.test('a token that was decoded, changed and encoded again is refused', async (t) => {
  const token = await firstToken(t, server);
  const content = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  t.match(content.v, /^meta\.(?:cluster|k8s)\.io\/v1$/);
  t.equal(content.rv, Number((await readAll(t, server, SEVEN, { token })).rv));
  t.ok(content.start.endsWith('b\u0000'), 'the last key of the page, and what comes after it');
  for (const change of [
    { rv: content.rv - 1 },
    { rv: content.rv + 1 },
    { rv: -1 },
    { rv: 0 },
    { rv: `${content.rv}` },
    { rv: null },
    { start: 'd\u0000' },
    { start: '' },
    { start: '../cluster-system/a\u0000' },
    { start: 'x'.repeat(1_000) },
    { start: ['b\u0000'] },
    { start: undefined },
    { v: 'meta.cluster.io/v2' },
    { v: undefined },
  ]) {
    const changed = JSON.stringify({ ...content, ...change });
    await expectRefused(t, Buffer.from(changed).toString('base64url'));
  }
});

t.test('a token of another collection is refused', async (t) => {
  const secrets = kindNamed('Secret');
  const other = '/api/v1/namespaces/seven-2/configmaps';
  await createNamespaceOf(server, other);
  await createAll(
    server,
    other,
    NAMES.map((name) => configMap(name)),
  );
  await createAll(
    server,
    typePath(secrets, 'seven'),
    NAMES.map((name) => minimalObject(secrets, name)),
  );
  const paths = [
    SEVEN,
    other,
    ALL,
    typePath(secrets, 'seven'),
    '/api/v1/secrets',
    '/api/v1/namespaces',
  ];
  for (const path of paths) {
    const token = await firstToken(t, server, path);
    for (const foreign of paths) {
      if (foreign !== path) await expectRefused(t, token, foreign);
    }
    t.equal((await server.get(listPath(path, { token }))).status, 200, 'at home it goes on');
  }
});

t.test('tokens go on after restarts and crashes, with the same bytes', async (t) => {
  const first = await server.get(listPath(SEVEN, { limit: LIMIT }));
  const everywhere = await server.get(listPath(ALL, { limit: 3 }));
  const whole = await readAll(t, server, SEVEN);
  const [token, allToken] = [tokenOf(first) ?? 'none', tokenOf(everywhere) ?? 'none'];
  const rest = await server.get(listPath(SEVEN, { limit: LIMIT, token }));
  const allRest = await server.get(listPath(ALL, { limit: LIMIT, token: allToken }));
  for (const end of ['stop', 'kill'] as const) {
    await server.put(`${SEVEN}/d`, configMap('d', { end }));
    await server.delete(`${SEVEN}/e`);
    await server[end]();
    await server.restart();
    await server.post(SEVEN, configMap('e', { end }));
    t.equal((await server.get(listPath(SEVEN, { limit: LIMIT, token }))).text, rest.text, end);
    t.equal(
      (await server.get(listPath(ALL, { limit: LIMIT, token: allToken }))).text,
      allRest.text,
    );
    const pages = await readPages(t, server, SEVEN, { limit: LIMIT, token });
    t.equal(`${itemsOf(first.text)},${joinPages(t, pages).items}`, whole.items);
    t.equal(versionOf(pages[0]!), whole.rv);
  }
});

interface Expiring {
  readonly own: Server;
  readonly token: string;
  readonly allToken: string;
  /** A token of a collection in which nothing changes. */
  readonly calmToken: string;
}

async function prepareExpiring(): Promise<Expiring> {
  const own = await startServer({ test: t, args: ['--watch-history', '1s'] });
  await fill(own);
  const secret = kindNamed('Secret');
  await createAll(
    own,
    CALM,
    NAMES.map((name) => minimalObject(secret, name)),
  );
  const calmToken = tokenOf(await own.get(listPath(CALM, { limit: LIMIT }))) ?? 'none';
  const token = tokenOf(await own.get(listPath(SEVEN, { limit: LIMIT }))) ?? 'none';
  const allToken = tokenOf(await own.get(listPath(ALL, { limit: LIMIT }))) ?? 'none';
  await own.put(`${SEVEN}/d`, configMap('d', { new: '1' }));
  await own.put(`${SEVEN}/a`, configMap('a', { new: '1' }));
  await own.delete(`${SEVEN}/e`);
  return { own, token, allToken, calmToken };
}

/** The token is answered 410; gives the one that comes with that. */
async function freshToken(t: Test, own: Server, path: string, token: string): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS;
  let answer = await own.get(listPath(path, { limit: LIMIT, token }));
  while (answer.status === 200 && Date.now() < deadline) {
    t.same(namesOf(answer), ['c', 'd'], 'the same as long as there is one');
    t.notOk(answer.text.includes('"new"'), 'and as it was');
    await sleep(100);
    answer = await own.get(listPath(path, { limit: LIMIT, token }));
  }
  expectFailure(t, answer, { code: 410, reason: 'Expired', message: EXPIRED });
  t.same(Object.keys(answer.json?.metadata), ['continue'], 'a token that goes on');
  const fresh = tokenOf(answer) ?? 'none';
  t.match(fresh, /^[A-Za-z0-9_-]+$/);
  return fresh;
}

t.test('an expired token is 410 with one that goes on at the newest version', async (t) => {
  const { own, token, allToken } = await expiring;
  for (const [path, old] of [
    [SEVEN, token],
    [ALL, allToken],
  ] as const) {
    const fresh = await freshToken(t, own, path, old);
    await own.delete(`${SEVEN}/e`);
    await own.post(SEVEN, configMap('c-2', { new: '2' }));
    await own.post(SEVEN, configMap('a-2', { new: '2' }));
    const expected = ['c', 'c-2', 'd', 'f', 'g'];
    const pages = await readPages(t, own, path, { limit: LIMIT, token: fresh }, async () =>
      own.post(SEVEN, configMap('e', { new: '3' })),
    );
    t.same(pages.flatMap(namesOf), expected, 'the rest as it is now, then of one version');
    joinPages(t, pages);
    t.equal(pages[1]?.json.items[0]?.data.new, '1', 'd as it was changed');
    const { rv } = await readAll(t, own, path);
    t.ok(Number(versionOf(pages[0]!)) <= Number(rv));
    const whole = await readAll(t, own, path, { token: fresh });
    t.equal(whole.rv, rv, 'the newest version each time');
    const rest = (await readAll(t, own, path)).items;
    t.equal(whole.items, rest.slice(rest.indexOf('{"metadata":{"name":"c"')));
    await own.delete(`${SEVEN}/c-2`);
    await own.delete(`${SEVEN}/a-2`);
  }
});

t.test('a token expires also where nothing has changed', async (t) => {
  const { own, calmToken } = await expiring;
  const fresh = await freshToken(t, own, CALM, calmToken);
  const rest = await own.get(listPath(CALM, { token: fresh }));
  t.same(namesOf(rest), ['c', 'd', 'e', 'f', 'g']);
  // Deleting with it is refused like listing.
  const answer = await own.delete(listPath(CALM, { token: calmToken }));
  expectFailure(t, answer, { code: 410, reason: 'Expired', message: EXPIRED });
  t.same(namesOf(await own.get(CALM)), NAMES);
});

t.test('an expired token stays so after a crash, and its successor works', async (t) => {
  const { own, token } = await expiring;
  const fresh = await freshToken(t, own, SEVEN, token);
  await own.kill();
  await own.restart();
  const later = await freshToken(t, own, SEVEN, token);
  for (const successor of [fresh, later]) {
    const names = namesOf(await own.get(listPath(SEVEN, { token: successor })));
    t.same(names, ['c', 'd', 'e', 'f', 'g']);
  }
  const other = await own.get(listPath(ALL, { token: fresh }));
  expectFailure(t, other, { code: 400, reason: 'BadRequest', message: /^invalid continue token/ });
  const content = JSON.parse(Buffer.from(fresh, 'base64url').toString('utf8'));
  t.equal(content.rv, -1);
});

t.end();
