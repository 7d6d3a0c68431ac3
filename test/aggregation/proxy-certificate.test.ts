/** The certificate by which other servers know this one. */
import { X509Certificate } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ProxyCertificate } from '../../src/aggregation/proxy-certificate.ts';
import { ownAuthority } from '../../src/auth/certificate-authority.ts';

const DAY_MS = 86_400_000;

t.test('the own authority signs one, which is kept until its last month', async (t) => {
  const dataDir = t.testdir();
  const settings = { certFile: '', keyFile: '', dataDir, isOwnTrusted: true };
  let nowMs = Date.now();
  const certificate = new ProxyCertificate(settings, () => nowMs);
  const made = await certificate.current();
  const shown = new X509Certificate(made?.cert ?? '');
  const authority = new X509Certificate((await ownAuthority(dataDir, nowMs)).certificate);
  t.match(shown.subject, 'CN=front-proxy-client');
  t.ok(shown.verify(authority.publicKey));
  nowMs += 300 * DAY_MS;
  const other = new ProxyCertificate(settings, () => nowMs);
  t.same(await other.current(), made, 'that of another thread, or another start');
  nowMs += 40 * DAY_MS;
  t.not((await certificate.current())?.cert, made?.cert);
});

t.test('none where nobody is told to trust it', async (t) => {
  const settings = { certFile: '', keyFile: '', dataDir: t.testdir(), isOwnTrusted: false };
  t.equal(await new ProxyCertificate(settings, Date.now).current(), undefined);
});

t.test('files of the options are read again when they change', async (t) => {
  const dataDir = t.testdir({ cert: 'one', key: 'its key' });
  const [certFile, keyFile] = [join(dataDir, 'cert'), join(dataDir, 'key')];
  let nowMs = 0;
  const settings = { certFile, keyFile, dataDir, isOwnTrusted: true };
  const certificate = new ProxyCertificate(settings, () => nowMs);
  t.same(await certificate.current(), { cert: 'one', key: 'its key' });
  writeFileSync(certFile, 'two');
  utimesSync(certFile, 1, 1);
  t.same(await certificate.current(), { cert: 'one', key: 'its key' }, 'not looked at so soon');
  nowMs += 1_000;
  t.same(await certificate.current(), { cert: 'two', key: 'its key' });
});

t.end();
