/** The token of the administrator, and what else of its kind is damaged. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { adminKubeconfig, adminToken } from '../../src/auth/credentials.ts';
import { ownTokenKey } from '../../src/auth/service-account-tokens.ts';
import { temporaryFolder } from '../support/server-process.ts';

const CHOSEN = 'a-token-that-somebody-has-chosen';

t.test('a token is made once, or taken as it is', async (t) => {
  const folder = temporaryFolder();
  const file = join(folder, 'admin.token');
  const token = adminToken(folder);
  t.match(token, /^[0-9a-f]{64}$/);
  t.equal(adminToken(folder), token);
  writeFileSync(file, ` ${CHOSEN}\n`);
  t.equal(adminToken(folder), CHOSEN);
  writeFileSync(file, '\n');
  t.match(adminToken(folder), /^[0-9a-f]{64}$/, 'nothing is none');
});

t.test('what nobody could show, or anybody find, is no token', async (t) => {
  const folder = temporaryFolder();
  const file = join(folder, 'admin.token');
  const zeroed = Buffer.alloc(65);
  for (const text of [
    zeroed,
    'two words of a text',
    `${CHOSEN}\0`,
    'ümlaut-ümlaut-ümlaut',
    'short',
  ]) {
    writeFileSync(file, text);
    const message = /^.*admin\.token holds no token .*: restore it, or remove it to get a new one$/;
    t.throws(() => adminToken(folder), { name: 'OwnFileError', message });
    t.ok(readFileSync(file).equals(Buffer.from(text)), 'it is left as it is');
  }
});

t.test('what is in the place of a file is named', async (t) => {
  const folder = temporaryFolder();
  const inTheWay: readonly ((file: string) => void)[] = [
    (file) => mkdirSync(file),
    (file) => symlinkSync(file, file),
    (file) => symlinkSync('/nowhere/at/all', file),
  ];
  const options = { dataDir: folder, server: 'https://127.0.0.1:6443', authorityFile: '' };
  const read: readonly [name: string, () => void][] = [
    ['admin.token', () => adminToken(folder)],
    ['admin.kubeconfig', () => adminKubeconfig(options, CHOSEN)],
    ['service-account.key', () => ownTokenKey(folder)],
  ];
  for (const [name, run] of read) {
    for (const put of inTheWay) {
      const file = join(folder, name);
      put(file);
      t.throws(run, { name: 'OwnFileError', message: `cannot read ${file} (` });
      rmSync(file, { recursive: true });
    }
  }
  mkdirSync(join(folder, 'admin.token.new'));
  const refusal = { name: 'OwnFileError', message: /^cannot write .*admin\.token \(EISDIR/ };
  t.throws(() => adminToken(folder), refusal);
});

t.end();
