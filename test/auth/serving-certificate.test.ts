/** The authority and the certificate of HTTPS: what they say, when they are made, and anew. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import t from 'tap';
import { servingCertificate } from '../../src/auth/serving-certificate.ts';
import { withDamagedPrivatePart } from '../support/damaged-key.ts';
import { temporaryFolder } from '../support/server-process.ts';

const run = promisify(execFile);
const NAMES = ['localhost', 'kubernetes.default.svc', '127.0.0.1', '::1', '10.0.0.1'];
const DAY_MS = 86_400_000;

function readCertificate(file: string): X509Certificate {
  return new X509Certificate(readFileSync(file));
}

function make(dataDir: string, names: readonly string[] = NAMES, nowMs = Date.now()) {
  return servingCertificate({ dataDir, names, nowMs });
}

t.test('an authority signs a certificate for the names', async (t) => {
  const folder = temporaryFolder();
  const files = await make(folder);
  t.same(files, {
    authorityFile: join(folder, 'ca.crt'),
    certFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
  });
  const authority = readCertificate(files.authorityFile);
  const leaf = readCertificate(files.certFile);
  t.ok(authority.ca, 'the authority is one');
  t.notOk(leaf.ca, 'the certificate of the server is none');
  t.ok(leaf.checkIssued(authority) && leaf.verify(authority.publicKey), 'signed by it');
  for (const name of ['localhost', 'kubernetes.default.svc']) t.ok(leaf.checkHost(name), name);
  for (const ip of ['127.0.0.1', '::1', '10.0.0.1']) t.ok(leaf.checkIP(ip), ip);
  t.notOk(leaf.checkHost('example.org'));
  t.same(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1'], 'for servers alone');
  for (const file of ['ca.key', 'tls.key']) {
    t.equal(statSync(join(folder, file)).mode & 0o777, 0o600, `${file} is private`);
  }
  const { stdout } = await run('openssl', ['x509', '-in', files.certFile, '-noout', '-text']);
  t.match(stdout, /Basic Constraints: critical\s+CA:FALSE/);
  t.match(stdout, /Key Usage: critical\s+Digital Signature\n/);
  t.match(stdout, /Subject Key Identifier/);
  t.match(stdout, /Authority Key Identifier/);
  const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile'];
  const verified = await run('openssl', [...strict, files.authorityFile, files.certFile]);
  t.match(verified.stdout, /OK/);
});

t.test('it is kept while it fits, and made anew when it does not', async (t) => {
  const folder = temporaryFolder();
  const { authorityFile, certFile, keyFile } = await make(folder);
  const authority = readFileSync(authorityFile, 'utf8');
  const first = readFileSync(certFile, 'utf8');
  const reordered = NAMES.toReversed().map((name) => (name === '::1' ? '0:0:0:0:0:0:0:1' : name));
  await make(folder, reordered);
  t.equal(readFileSync(certFile, 'utf8'), first, 'the same names in another order and spelling');
  const leafOf = async (...args: Parameters<typeof make>): Promise<string> => {
    await make(...args);
    t.equal(readFileSync(authorityFile, 'utf8'), authority, 'the authority stays');
    const leaf = readCertificate(certFile);
    t.ok(leaf.verify(new X509Certificate(authority).publicKey));
    return readFileSync(certFile, 'utf8');
  };
  const more = await leafOf(folder, [...NAMES, 'example.org', '*.example.org']);
  t.not(more, first, 'a name more');
  t.ok(new X509Certificate(more).checkHost('a.example.org'));
  const fewer = await leafOf(folder, NAMES);
  t.not(fewer, more, 'a name less');
  const endMs = Date.parse(new X509Certificate(fewer).validTo);
  const late = await leafOf(folder, NAMES, endMs - 30 * DAY_MS);
  t.not(late, fewer, 'near its end');
  writeFileSync(keyFile, readFileSync(join(folder, 'ca.key')));
  const other = await leafOf(folder);
  t.not(other, late, 'with a key that is not its own');
  writeFileSync(keyFile, withDamagedPrivatePart(readFileSync(keyFile, 'utf8')));
  const signing = await leafOf(folder);
  t.not(signing, other, 'with a key that signs what nobody can verify');
  writeFileSync(certFile, 'not a certificate');
  t.not(await leafOf(folder), signing, 'damaged');
  rmSync(keyFile);
  await leafOf(folder);
  t.ok(statSync(keyFile), 'without a key');
});

t.test('a folder with the certificate that was its own authority', async (t) => {
  const folder = temporaryFolder();
  const old = await make(temporaryFolder());
  // Like that one: it may sign, and clients were told to trust it itself.
  writeFileSync(join(folder, 'tls.crt'), readFileSync(old.authorityFile));
  writeFileSync(join(folder, 'tls.key'), readFileSync(old.keyFile.replace('tls.', 'ca.')));
  const { authorityFile, certFile } = await make(folder);
  t.notOk(readCertificate(certFile).ca);
  t.ok(readCertificate(certFile).checkIssued(readCertificate(authorityFile)));
});

t.test('an authority that cannot sign is said, not replaced', async (t) => {
  const folder = temporaryFolder();
  await make(folder);
  const key = readFileSync(join(folder, 'ca.key'), 'utf8');
  rmSync(join(folder, 'ca.key'));
  await make(folder);
  const refused = { name: 'CertificateError', message: /ca\.key.*ca\.crt/s };
  await t.rejects(make(folder, ['localhost']), refused, 'without its key');
  writeFileSync(join(folder, 'ca.key'), readFileSync(join(folder, 'tls.key')));
  await t.rejects(make(folder, ['localhost']), refused, 'with the key of another');
  await t.rejects(make(folder), refused, 'also where nothing is to be signed');
  writeFileSync(join(folder, 'ca.key'), withDamagedPrivatePart(key));
  await t.rejects(make(folder), refused, 'with a key that signs what nobody can verify');
  writeFileSync(join(folder, 'ca.crt'), 'x');
  await t.rejects(make(folder, ['localhost']), refused, 'damaged');
});

/** Another byte at the end: in what it was signed with. */
function otherSignature(pem: string): string {
  const bytes = Buffer.from(new X509Certificate(pem).raw);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return new X509Certificate(bytes).toString();
}

t.test('an authority that is missing or is not as it was signed is not replaced', async (t) => {
  const folder = temporaryFolder();
  const { authorityFile } = await make(folder);
  const authority = readFileSync(authorityFile, 'utf8');
  writeFileSync(authorityFile, otherSignature(authority));
  const damaged = { name: 'CertificateError', message: /ca\.crt are no key and certificate/ };
  await t.rejects(make(folder), damaged);
  rmSync(authorityFile);
  const missing = { name: 'CertificateError', message: /ca\.crt is missing: restore them, or/ };
  await t.rejects(make(folder), missing);
  symlinkSync(authorityFile, authorityFile);
  await t.rejects(make(folder), damaged, 'a link to nowhere is none that is missing');
  rmSync(authorityFile);
  rmSync(join(folder, 'ca.key'));
  await make(folder);
  t.not(readFileSync(authorityFile, 'utf8'), authority, 'both were removed');
});

t.test('a start that ended before its authority was whole makes it anew', async (t) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'ca.key'), readFileSync((await make(temporaryFolder())).keyFile));
  const { authorityFile, certFile } = await make(folder);
  t.ok(readCertificate(certFile).checkIssued(readCertificate(authorityFile)));
});

t.test('what the HTTP library may read otherwise is made anew', async (t) => {
  const folder = temporaryFolder();
  const { certFile, keyFile } = await make(folder);
  for (const file of [certFile, keyFile]) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `#${text}`);
    await make(folder);
    t.match(readFileSync(file, 'utf8'), /^-----BEGIN/);
  }
});

t.test('an authority that has ended is no use to anybody', async (t) => {
  const folder = temporaryFolder();
  const { authorityFile, certFile } = await make(folder);
  const authority = readFileSync(authorityFile, 'utf8');
  const nearEndMs = Date.parse(new X509Certificate(authority).validTo) - DAY_MS;
  await make(folder, NAMES, nearEndMs);
  t.not(readFileSync(authorityFile, 'utf8'), authority);
  t.ok(readCertificate(certFile).checkIssued(readCertificate(authorityFile)));
});
