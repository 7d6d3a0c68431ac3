import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { buildOrigin } from '../../tools/build-origin.ts';

const NOW = new Date('2024-01-02T03:04:05.678Z');
const folder = mkdtempSync(join(tmpdir(), 'build-origin-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function git(root: string, ...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  return execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim();
}

function sources(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}');
  writeFileSync(join(root, 'src/main.ts'), 'one');
  return root;
}

t.test('of a repository: its commit, and whether sources have changed since', async (t) => {
  const root = sources('repository');
  git(root, 'init', '--quiet');
  t.equal(buildOrigin(root, NOW).gitTreeState, 'archive', 'nothing is committed yet');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'first');
  const gitCommit = git(root, 'rev-parse', 'HEAD');
  const clean = { gitCommit, gitTreeState: 'clean', buildDate: '2024-01-02T03:04:05Z' };
  t.same(buildOrigin(root, NOW), clean);
  writeFileSync(join(root, 'notes.txt'), 'not built');
  t.same(buildOrigin(root, NOW), clean);
  writeFileSync(join(root, 'src/new.ts'), 'two');
  t.same(buildOrigin(root, NOW), { ...clean, gitTreeState: 'dirty' });
});

t.test('without one: what the sources contain', async (t) => {
  const root = sources('archive');
  const first = buildOrigin(root, NOW);
  t.match(first, { gitCommit: /^[0-9a-f]{40}$/, gitTreeState: 'archive' });
  const copy = join(folder, 'copy');
  cpSync(root, copy, { recursive: true });
  t.same(buildOrigin(copy, NOW), first, 'wherever they lie');
  writeFileSync(join(root, 'src/main.ts'), 'two');
  t.not(buildOrigin(root, NOW).gitCommit, first.gitCommit);
  const inside = join(folder, 'repository/vendored');
  cpSync(copy, inside, { recursive: true });
  t.same(buildOrigin(inside, NOW), first, 'also inside of another repository');
});

t.end();
