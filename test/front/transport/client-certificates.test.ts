/** Certificates that clients show, on ports whose TLS is Node's own. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { makeAuthority, writePair } from '../../support/authorities.ts';
import type { Authority, CertificateWishes } from '../../support/authorities.ts';
import { temporaryFolder } from '../../support/server-process.ts';
import { ask, connectTls, openTestPort, STREAM_PART } from '../../support/tls-port.ts';
import type { Seen } from '../../support/tls-port.ts';

/** How often it is looked whether a new file counts. */
const LOOK_MS = 100;
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));
const folder = temporaryFolder();
const HOUR_MS = 3_600_000;
const [server, clients, proxies, others] = (await Promise.all(
  ['server', 'clients', 'proxies', 'others'].map(makeAuthority),
)) as [Authority, Authority, Authority, Authority];
const served = await server.sign({ subject: [{ CN: ['localhost'] }] });
const TLS = {
  ...writePair(folder, 'served', served),
  clientAuthorityFile: writePair(folder, 'clients', clients).certFile,
  proxyAuthorityFile: writePair(folder, 'proxies', proxies).certFile,
};
const alice = await clients.sign({
  subject: [{ O: ['dev'] }, { O: ['ops'] }, { CN: ['alice'] }],
  usage: 'client',
});
const ALICE: Omit<NonNullable<Seen['certificate']>, 'endMs'> = {
  commonName: 'alice',
  organizations: ['dev', 'ops'],
  fingerprint: new X509Certificate(alice.cert).fingerprint256.replaceAll(':', '').toLowerCase(),
  signedBy: { clients: true, frontProxy: false },
};

t.test('who signed it is found out, and a bad one costs no connection', async (t) => {
  const port = await openTestPort(t, TLS);
  const one = { subject: [{ CN: ['x'] }] };
  const nowMs = Date.now();
  const rows: [string, Awaited<ReturnType<Authority['sign']>>, boolean, boolean][] = [
    ['of the authority of clients', alice, true, false],
    ['of that of the front proxy', await proxies.sign({ ...one, usage: 'client' }), false, true],
    ['for everything', await clients.sign(one), true, false],
    ['of another authority', await others.sign({ ...one, usage: 'client' }), false, false],
    ['for servers', await clients.sign({ ...one, usage: 'server' }), false, false],
    ['expired', await clients.sign({ ...one, untilMs: nowMs - HOUR_MS }), false, false],
    ['not yet valid', await clients.sign({ ...one, fromMs: nowMs + HOUR_MS }), false, false],
    ['of itself', others, false, false],
  ];
  for (const [name, pair, isClient, isProxy] of rows) {
    const { seen } = await ask(port, { ...pair });
    t.same(seen.certificate?.signedBy, { clients: isClient, frontProxy: isProxy }, name);
    t.equal(seen.remoteAddress, '127.0.0.1', 'and from where it comes');
  }
  const { certificate } = (await ask(port, { ...alice })).seen;
  t.same({ ...certificate, endMs: 0 }, { ...ALICE, endMs: 0 });
  t.equal((await ask(port)).seen.certificate, undefined, 'none is shown');
});

t.test('a chain is followed as far as it may be', async (t) => {
  const port = await openTestPort(t, TLS);
  const middle = await clients.below('middle', 0);
  const last = await middle.below('last');
  const wishes: CertificateWishes = { subject: [{ CN: ['x'] }], usage: 'client' };
  const isClient = async (pair: { cert: string; key: string }) =>
    (await ask(port, { ...pair })).seen.certificate?.signedBy.clients;
  const near = await middle.sign(wishes);
  t.equal(await isClient({ ...near, cert: near.cert + middle.cert }), true);
  t.equal(await isClient(near), false, 'its issuer is missing');
  const far = await last.sign(wishes);
  const all = far.cert + last.cert + middle.cert;
  t.equal(await isClient({ ...far, cert: all }), false, 'one authority more than is allowed');
  const bound = { ...TLS, clientAuthorityFile: writePair(folder, 'middle', middle).certFile };
  const below = await openTestPort(t, bound);
  t.equal(
    (await ask(below, { ...near })).seen.certificate?.signedBy.clients,
    true,
    'in the middle',
  );
});

t.test('who comes back with a ticket is still who it was', async (t) => {
  const port = await openTestPort(t, TLS);
  const middle = await clients.below('middle');
  const pair = await middle.sign({ subject: [{ CN: ['carol'] }] });
  const shown = { ...pair, cert: pair.cert + middle.cert };
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const agent = new Agent({ maxCachedSessions: 1 });
    const names: unknown[] = [];
    const reused: boolean[] = [];
    for (let time = 0; time < 2; time++) {
      const { seen, socket } = await ask(port, { agent, maxVersion, ...shown });
      names.push(seen.certificate?.signedBy.clients && seen.certificate.commonName);
      reused.push(socket.isSessionReused());
    }
    t.same(
      [names, reused],
      [
        ['carol', 'carol'],
        [false, true],
      ],
      maxVersion,
    );
  }
});

t.test('large bodies, slow readers and WebSockets come through', async (t) => {
  const port = await openTestPort(t, TLS);
  const body = Buffer.alloc(3 * 1024 * 1024, 'b');
  t.equal((await ask(port, { ...alice, method: 'POST', body })).seen.bodyBytes, body.length);
  const parts = 64;
  const socket = await connectTls(port, { ...alice });
  socket.write(`GET /stream/${parts} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  let bytes = 0;
  let pauses = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (pauses++ % 8 > 0) return;
    socket.pause();
    setImmediate(() => socket.resume());
  });
  while (bytes < parts * STREAM_PART.length) await once(socket, 'data');
  t.ok(bytes > parts * STREAM_PART.length, 'all of a stream');
  socket.destroy();
  const webSocket = await connectTls(port, { ...alice });
  webSocket.write(
    'GET /socket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n',
  );
  t.match(String((await once(webSocket, 'data'))[0]), /^HTTP\/1.1 101 /);
  webSocket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  t.match(String((await once(webSocket, 'data'))[0]), 'alice hi');
  webSocket.destroy();
});

/** With any source address. */
function proxyHeader(fill: number): Buffer {
  const start = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x21\0\x24', 'latin1');
  return Buffer.concat([start, Buffer.alloc(36, fill)]);
}

const GET = Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n');

t.test('nobody can say to be another connection', async (t) => {
  const port = await openTestPort(t, TLS);
  t.equal(statSync(port.socketFile).mode & 0o777, 0o600, "the socket between is its owner's");
  const inside = connectSocket(port.socketFile);
  inside.on('error', () => undefined);
  inside.write(Buffer.concat([proxyHeader(7), GET]));
  inside.on('data', () => t.fail('a stranger is answered'));
  await once(inside, 'close');
  const bare = connectSocket(port.socketFile);
  bare.on('error', () => undefined);
  bare.write(GET);
  bare.on('data', () => t.fail('one who says nothing is answered'));
  await once(bare, 'close');
  const socket = await connectTls(port, { ...alice });
  socket.on('error', () => undefined);
  socket.write(GET);
  t.match(String((await once(socket, 'data'))[0]), 'alice');
  socket.write(Buffer.concat([proxyHeader(0), GET]));
  socket.on('data', () => t.fail('who changes it is answered'));
  await once(socket, 'close');
  for (const tls of [undefined, { certFile: TLS.certFile, keyFile: TLS.keyFile }]) {
    const other = await openTestPort(t, tls);
    const client =
      tls === undefined ? connectSocket(other.port, '127.0.0.1') : await connectTls(other);
    client.write(Buffer.concat([proxyHeader(7), GET]));
    const answer = String((await once(client, 'data'))[0]);
    t.match(answer, '"remoteAddress":"127.0.0.1"', 'on other ports it means nothing');
    t.notMatch(answer, 'certificate');
    client.destroy();
  }
});

t.test("pages of elsewhere show nobody's certificate", async (t) => {
  const port = await openTestPort(t, TLS, (origin) => origin === 'https://friend.example.org');
  const own = { host: `127.0.0.1:${port.port}` };
  const rows: [Record<string, string>, boolean][] = [
    [{}, true],
    [{ origin: `https://127.0.0.1:${port.port}`, 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'https://friend.example.org', 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ origin: 'https://evil.example.org' }, false],
    [{ origin: `http://127.0.0.1:${port.port}` }, false],
    [{ origin: 'null' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
  ];
  for (const [headers, isShown] of rows) {
    const { seen } = await ask(port, { ...alice, headers: { ...own, ...headers } });
    t.equal(seen.certificate !== undefined, isShown, JSON.stringify(headers));
  }
  const proxy = await proxies.sign({ subject: [{ CN: ['front'] }] });
  const passed = { origin: 'https://evil.example.org', 'sec-fetch-site': 'cross-site' };
  const { seen } = await ask(port, { ...proxy, headers: passed });
  t.ok(seen.certificate?.signedBy.frontProxy, 'a front proxy passes on what browsers say to it');
});

t.test('a certificate counts as long as its authority is trusted', async (t) => {
  const clientAuthorityFile = join(folder, 'changing.crt');
  writeFileSync(clientAuthorityFile, `# two\n${others.cert}\n${clients.cert}`);
  const port = await openTestPort(t, { ...TLS, clientAuthorityFile });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const isClient = async () =>
    (await ask(port, { agent, ...alice })).seen.certificate?.signedBy.clients;
  t.equal(await isClient(), true);
  writeFileSync(clientAuthorityFile, 'no certificate');
  while (port.errors.length === 0) await pause();
  t.equal(await isClient(), true, 'what is no file changes nothing');
  t.match(port.errors[0], /^HTTPS goes on as it was: .*changing\.crt has no certificate \(PEM\)$/);
  writeFileSync(clientAuthorityFile, others.cert);
  while (await isClient()) await pause();
  t.equal(await isClient(), false, 'on the same connection');
});

t.end();
