/** Requests for certificates: what is read of them, and what gets into the certificates. */
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { ownAuthority, signingAuthority } from '../../src/auth/certificate-authority.ts';
import { readSigningRequest, signRequest } from '../../src/auth/signing-request.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { madeRequest } from '../support/signing-requests.ts';

const run = promisify(execFile);
const HOUR_MS = 3_600_000;
const NOW_MS = Math.floor(Date.now() / 1000) * 1000;
const CLIENT = ['digital signature', 'key encipherment', 'client auth'];
const folder = temporaryFolder();
const authority = await ownAuthority(folder, NOW_MS);
const issuer = new X509Certificate(authority.certificate);

async function signed(
  request: string,
  terms: Partial<Parameters<typeof signRequest>[2]> = {},
): Promise<X509Certificate> {
  const asked = await readSigningRequest(request);
  const pem = await signRequest(authority, asked, {
    usages: CLIENT,
    durationMs: 24 * HOUR_MS,
    nowMs: NOW_MS,
    ...terms,
  });
  return new X509Certificate(pem);
}

t.test('what a request says is read, and no more of it is signed', async (t) => {
  const names = [
    { type: 'dns', value: 'a.example.org' },
    { type: 'ip', value: '192.0.2.1' },
    { type: 'ip', value: '2001:db8::1' },
    { type: 'email', value: 'a@example.org' },
    { type: 'url', value: 'spiffe://example.org/a' },
  ] as const;
  const groups = ['a', 'b, c=d', '#e\\f', 'ü'];
  const { request, key } = await madeRequest({ user: 'system:node:a', groups, names: [...names] });
  const asked = await readSigningRequest(request);
  t.match(asked, {
    commonName: 'system:node:a',
    organizations: groups,
    dnsNames: ['a.example.org'],
    ipAddresses: ['192.0.2.1', '2001:db8::1'],
    emailAddresses: ['a@example.org'],
    uris: ['spiffe://example.org/a'],
  });
  const leaf = await signed(request);
  t.ok(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey), 'by the authority');
  t.notOk(leaf.ca);
  const spki = { type: 'spki', format: 'pem' } as const;
  t.equal(leaf.publicKey.export(spki), createPublicKey(key).export(spki), 'for its key');
  t.same(leaf.toLegacyObject().subject, { O: groups, CN: 'system:node:a' });
  for (const name of ['DNS:a.example.org', 'IP Address:192.0.2.1', 'email:a@example.org']) {
    t.match(leaf.subjectAltName, name);
  }
  t.same(leaf.keyUsage, ['1.3.6.1.5.5.7.3.2']);
});

t.test('a certificate passes the strictest look', async (t) => {
  const { request } = await madeRequest({ user: 'jane', keys: 'rsa' });
  const file = join(folder, 'jane.crt');
  writeFileSync(file, (await signed(request)).toString());
  const { stdout } = await run('openssl', ['x509', '-in', file, '-noout', '-text']);
  t.match(stdout, /Basic Constraints: critical\s+CA:FALSE/);
  t.match(stdout, /Key Usage: critical\s+Digital Signature, Key Encipherment\n/);
  t.match(stdout, /Extended Key Usage: \s+TLS Web Client Authentication\n/);
  const strict = ['verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile'];
  t.match((await run('openssl', [...strict, join(folder, 'ca.crt'), file])).stdout, /OK/);
});

t.test('it begins five minutes ago; only a long one ends so much earlier', async (t) => {
  const { request } = await madeRequest({ user: 'jane' });
  const MINUTES_MS = 300_000;
  const rows: [durationMs: number, endMs: number][] = [
    [HOUR_MS, NOW_MS + HOUR_MS],
    [8 * HOUR_MS, NOW_MS + 8 * HOUR_MS - MINUTES_MS],
    [200_000 * HOUR_MS, Date.parse(issuer.validTo)],
  ];
  for (const [durationMs, endMs] of rows) {
    const { validFrom, validTo } = await signed(request, { durationMs });
    t.equal(Date.parse(validFrom), NOW_MS - MINUTES_MS);
    t.equal(Date.parse(validTo), endMs, `${durationMs / HOUR_MS} hours`);
  }
  const nowMs = Date.parse(issuer.validTo) + 2 * MINUTES_MS;
  await t.rejects(signed(request, { nowMs }), { name: 'CertificateError', message: /has ended/ });
});

t.test('who has not got the key gets no certificate', async (t) => {
  const { request } = await madeRequest({ user: 'jane' });
  const lines = request.trim().split('\n');
  const der = Buffer.from(lines.slice(1, -1).join(''), 'base64');
  const at = der.indexOf('jane');
  der.write('root', at);
  const forged = `${lines[0]}\n${der.toString('base64')}\n${lines.at(-1)}\n`;
  t.equal((await readSigningRequest(forged)).commonName, 'root');
  await t.rejects(signed(forged), { message: 'the request is not signed with its own key' });
  await t.rejects(readSigningRequest('x'), 'what is no request');
});

t.test('other authorities: of RSA, of larger curves, and none', async (t) => {
  const { request } = await madeRequest({ user: 'jane' });
  const asked = await readSigningRequest(request);
  const keys = {
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    ec: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  };
  for (const [name, key] of Object.entries(keys)) {
    const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    writeFileSync(keyFile, key.export({ type: 'pkcs8', format: 'pem' }));
    const subject = ['-subj', `/CN=${name}`, '-days', '1'];
    await run('openssl', ['req', '-x509', '-new', '-key', keyFile, '-out', certFile, ...subject]);
    const other = await signingAuthority(
      { dataDir: folder, certFile, keyFile, durationMs: 0 },
      NOW_MS,
    );
    const terms = { usages: CLIENT, durationMs: HOUR_MS, nowMs: Date.now() };
    const leaf = new X509Certificate(await signRequest(other, asked, terms));
    const signer = new X509Certificate(other.certificate);
    t.ok(leaf.checkIssued(signer) && leaf.verify(signer.publicKey), name);
  }
  const files = { certFile: join(folder, 'rsa.crt'), keyFile: join(folder, 'ec.key') };
  await t.rejects(signingAuthority({ dataDir: folder, ...files, durationMs: 0 }, NOW_MS), {
    name: 'CertificateError',
    message:
      /ec\.key and .*rsa\.crt are no key and certificate of an authority: give those of one$/,
  });
});
