import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { adminToken } from '../src/auth/credentials.ts';
import { ownTokenKey } from '../src/auth/service-account-tokens.ts';
import { servingCertificate } from '../src/auth/serving-certificate.ts';
import { FOLDER_FILES, openDataFolder } from '../src/data-folder.ts';
import { temporaryFolder } from './support/server-process.ts';

/** A folder, and the mask of this process as it was once the test has ended. */
function folderOf(t: Test): string {
  const mask = process.umask();
  t.teardown(() => process.umask(mask));
  return join(temporaryFolder(), 'data');
}

t.test('a folder has one owner at a time, of whom the refusal tells', (t) => {
  const folder = folderOf(t);
  const first = openDataFolder(folder);
  const inUse = {
    name: 'StoreError',
    message:
      `the data folder ${folder} is in use by process ${process.pid}: ` +
      'stop that server, or choose another --data-dir',
  };
  t.throws(() => openDataFolder(folder), inUse);
  t.throws(() => openDataFolder(folder), inUse, 'a refusal takes nothing away');
  first.release();
  openDataFolder(folder).release();
  t.ok(existsSync(join(folder, 'lock')), 'the file stays: another one would be another lock');
  t.end();
});

t.test('what an owner left in the file says nothing: only its lock counts', (t) => {
  const folder = folderOf(t);
  mkdirSync(folder);
  writeFileSync(join(folder, 'lock'), `${process.ppid}\n a longer text than a number`);
  const owner = openDataFolder(folder);
  t.equal(readFileSync(join(folder, 'lock'), 'utf8'), `${process.pid}\n`);
  owner.release();
  t.end();
});

t.test('nobody else may read what is in it, nor what is made in it later', (t) => {
  const folder = folderOf(t);
  const store = join(folder, 'store');
  mkdirSync(store, { recursive: true });
  const files = [join(store, 'data.mdb'), join(store, 'lock.mdb'), join(folder, 'ca.crt')];
  for (const file of files) {
    writeFileSync(file, '');
    chmodSync(file, 0o644);
  }
  const owner = openDataFolder(folder);
  const later = join(folder, 'later');
  writeFileSync(later, '');
  for (const file of [...files, later]) t.equal(statSync(file).mode & 0o777, 0o600, file);
  owner.release();
  t.end();
});

t.test('a folder that cannot be made is refused in one line', (t) => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  t.throws(() => openDataFolder(join(file, 'data')), {
    name: 'StoreError',
    message: /^cannot use the data folder .*\/file\/data: .*Give a folder that this user may/,
  });
  t.end();
});

t.test('a store that was emptied is no new one', (t) => {
  const folder = folderOf(t);
  const store = join(folder, 'store');
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, 'data.mdb'), '');
  openDataFolder(folder).release();
  writeFileSync(join(folder, 'admin.token'), 'x');
  t.throws(() => openDataFolder(folder), {
    name: 'StoreError',
    message: /data\.mdb is empty, and/,
  });
  t.end();
});

t.test('a store that is gone, while what came after it is there, is no new one', (t) => {
  const refusal = {
    name: 'StoreError',
    message: /data\.mdb is missing, and was not: restore .* remove admin\.token.* to begin anew$/,
  };
  const folder = folderOf(t);
  openDataFolder(folder).release();
  writeFileSync(join(folder, 'admin.token'), 'x');
  t.throws(() => openDataFolder(folder), refusal);
  mkdirSync(join(folder, 'store'));
  symlinkSync('data.mdb', join(folder, 'store', 'data.mdb'));
  t.throws(() => openDataFolder(folder), refusal, 'nor one that is a link to nowhere');

  const copied = folderOf(t);
  mkdirSync(copied);
  writeFileSync(join(copied, 'admin.token'), 'x');
  writeFileSync(join(copied, 'admin.kubeconfig'), 'x');
  t.throws(() => openDataFolder(copied), refusal, 'also where its lock was left behind');

  const prepared = folderOf(t);
  mkdirSync(prepared);
  for (const name of ['admin.token', 'service-account.key', 'ca.crt', 'ca.key']) {
    writeFileSync(join(prepared, name), 'x');
  }
  openDataFolder(prepared).release();
  t.end();
});

t.test(
  'with what is of the cluster alone another server begins, trusted as the first',
  async (t) => {
    const [first, second] = [folderOf(t), folderOf(t)];
    const started = async (dataDir: string, name: string) => {
      openDataFolder(dataDir).release();
      const secrets = [adminToken(dataDir), ownTokenKey(dataDir).pem];
      const files = await servingCertificate({ dataDir, names: [name], nowMs: Date.now() });
      return { secrets, certificate: new X509Certificate(readFileSync(files.certFile)) };
    };
    const one = await started(first, 'one.example.com');
    mkdirSync(second);
    for (const [name, file] of Object.entries(FOLDER_FILES)) {
      if (file.of === 'cluster') copyFileSync(join(first, name), join(second, name));
    }
    const other = await started(second, 'other.example.com');
    t.same(other.secrets, one.secrets);
    t.ok(other.certificate.checkHost('other.example.com'), 'a certificate of its own');
    const authority = new X509Certificate(readFileSync(join(first, 'ca.crt')));
    t.ok(other.certificate.verify(authority.publicKey), 'that clients of the first trust');
  },
);

t.end();
