/** Versions, suites, names, tickets and new files of HTTPS, by both TLS that serve it. */
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import t from 'tap';
import { makeAuthority, writePair } from '../../support/authorities.ts';
import { temporaryFolder } from '../../support/server-process.ts';
import { ask, connectTls, openTestPort } from '../../support/tls-port.ts';
import type { TlsPort } from '../../support/tls-port.ts';

/** How often it is looked whether new files are served. */
const LOOK_MS = 100;
const folder = temporaryFolder();
const authority = await makeAuthority('authority');
const clientAuthorityFile = writePair(folder, 'authority', authority).certFile;
const FILES = writePair(
  folder,
  'served',
  await authority.sign({ subject: [{ CN: ['default'] }], names: ['default.example.org'] }),
);
/** The second is served by Node, since clients may show certificates. */
const FORMS = {
  'by the library': FILES,
  'by Node': { ...FILES, clientAuthorityFile },
};
const OLD = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

/** Version and suite; what a refused client is told. */
async function agreed(port: TlsPort, options: ConnectionOptions = {}): Promise<string> {
  try {
    const socket = await connectTls(port, options);
    const text = `${socket.getProtocol()} ${socket.getCipher().name}`;
    socket.destroy();
    return text;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

for (const [form, tls] of Object.entries(FORMS)) {
  t.test(`versions and suites ${form}`, async (t) => {
    const usual = await openTestPort(t, tls);
    t.match(await agreed(usual), /^TLSv1\.3 /);
    t.match(await agreed(usual, { maxVersion: 'TLSv1.2' }), /^TLSv1\.2 ECDHE-ECDSA-.*GCM/);
    t.match(await agreed(usual, OLD), /^ERR_SSL_/, 'older ones are refused');
    const newest = await openTestPort(t, { ...tls, minVersion: 'TLSv1.3' });
    t.match(await agreed(newest), /^TLSv1\.3 /);
    t.match(await agreed(newest, { maxVersion: 'TLSv1.2' }), /^ERR_SSL_/);
    const [first, second] = ['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-AES128-SHA'];
    const few = await openTestPort(t, { ...tls, cipherSuites: [first, second] });
    const by = (ciphers: string) => agreed(few, { maxVersion: 'TLSv1.2', ciphers });
    t.equal(await by(second), `TLSv1.2 ${second}`);
    t.equal(await by('DEFAULT'), `TLSv1.2 ${first}`);
    t.match(await by('ECDHE-ECDSA-AES128-GCM-SHA256'), /^ERR_SSL_/, 'one that is not in the list');
    t.match(await agreed(few), /^TLSv1\.3 /, 'the list is for TLS 1.2');
    const none = await openTestPort(t, { ...tls, cipherSuites: [] });
    t.match(await agreed(none), /^TLSv1\.3 /);
    t.match(await agreed(none, { maxVersion: 'TLSv1.2' }), /^ERR_SSL_/);
  });

  t.test(`sessions go on with a ticket ${form}`, async (t) => {
    const port = await openTestPort(t, tls);
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const agent = new Agent({ maxCachedSessions: 1 });
      await ask(port, { agent, maxVersion });
      const { socket } = await ask(port, { agent, maxVersion });
      t.ok(socket.isSessionReused(), maxVersion);
    }
  });

  t.test(`new files are served without a restart ${form}`, async (t) => {
    const own = temporaryFolder();
    const sign = (name: string) => authority.sign({ subject: [{ CN: [name] }] });
    const port = await openTestPort(t, { ...tls, ...writePair(own, 'own', await sign('one')) });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    const before = await ask(port, { agent });
    t.equal(before.served, 'one');
    for (const name of ['two', 'three']) {
      const next = writePair(own, `new-${name}`, await sign(name));
      renameSync(next.keyFile, join(own, 'own.key'));
      renameSync(next.certFile, join(own, 'own.crt'));
      while ((await ask(port)).served !== name) await pause();
      t.equal((await ask(port, { agent })).served, 'one', 'connections go on');
    }
    const { length } = port.errors;
    writeFileSync(join(own, 'own.crt'), (await sign('four')).cert);
    while (port.errors.length === length) await pause();
    t.match(
      port.errors.at(-1),
      /^HTTPS goes on as it was: .*own\.key is not the private key of .*own\.crt$/,
    );
    t.notMatch(port.errors.at(-1), /\n|BEGIN/, 'in one line');
    t.equal((await ask(port)).served, 'three');
  });
}

t.test('old versions, and suites that are weak, where they are asked for', async (t) => {
  const port = await openTestPort(t, { ...FILES, minVersion: 'TLSv1' });
  t.match(await agreed(port, OLD), /^TLSv1\.1 /);
  const weak = await openTestPort(t, { ...FILES, cipherSuites: ['ECDHE-ECDSA-AES128-SHA256'] });
  const asked = { maxVersion: 'TLSv1.2', ciphers: 'ALL' } as const;
  t.equal(await agreed(weak, asked), 'TLSv1.2 ECDHE-ECDSA-AES128-SHA256');
});

t.test('a name has a certificate of its own', async (t) => {
  const pair = async (name: string, names: readonly string[]) =>
    writePair(folder, name, await authority.sign({ subject: [{ CN: [name] }], names }));
  const port = await openTestPort(t, {
    ...FILES,
    namedPairs: [
      { ...(await pair('first.example.org', ['*.example.org', 'b.example.org'])), names: [] },
      { ...(await pair('second', ['b.example.org', '*.wild.example.org'])), names: [] },
      { ...(await pair('third', [])), names: ['C.example.org', '*.wild.example.org'] },
    ],
  });
  const rows: [string, string][] = [
    ['first.example.org', 'first.example.org'],
    ['a.example.org', 'first.example.org'],
    ['b.example.org', 'first.example.org'],
    ['second', 'second'],
    ['c.example.org', 'third'],
    ['x.wild.example.org', 'third'],
    ['X.Wild.example.org', 'third'],
    ['x.y.wild.example.org', 'default'],
    ['third', 'default'],
    ['example.com', 'default'],
  ];
  for (const [servername, served] of rows) {
    const socket = await connectTls(port, { servername });
    t.equal([socket.getPeerCertificate().subject.CN].flat().join(), served, servername);
    socket.destroy();
  }
  t.equal((await ask(port)).served, 'default', 'without a name');
});

t.test('a half of the handshake, or none, hurts nobody', async (t) => {
  const port = await openTestPort(t, FORMS['by Node']);
  const socket = await connectTls(port);
  const raw = await import('node:net').then(({ connect }) => connect(port.port, '127.0.0.1'));
  raw.on('error', () => undefined);
  raw.write('GET / HTTP/1.1\r\n\r\n');
  raw.resume();
  await once(raw, 'close');
  socket.end();
  await once(socket, 'close');
  t.equal((await ask(port)).served, 'default');
});

t.end();
