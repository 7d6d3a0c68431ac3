/** Which sources a build is made of: a commit of their repository, or what they contain. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface BuildOrigin {
  /** 40 hexadecimal digits. */
  readonly gitCommit: string;
  /** `archive`: there is no repository, and `gitCommit` is a hash of the sources instead. */
  readonly gitTreeState: 'clean' | 'dirty' | 'archive';
  /** A time in UTC, to the second. */
  readonly buildDate: string;
}

/** The build reads these. */
const SOURCES = ['package.json', 'package-lock.json', 'proto', 'src', 'tools'];

/** Tells the origin of the sources in `root`. */
export function buildOrigin(root: string, now: Date): BuildOrigin {
  const buildDate = `${now.toISOString().slice(0, 19)}Z`;
  const commit = repositoryCommit(root);
  if (commit === undefined) {
    return { gitCommit: hashOfSources(root), gitTreeState: 'archive', buildDate };
  }
  const changes = git(root, 'status', '--porcelain', '--', ...SOURCES);
  return { gitCommit: commit, gitTreeState: changes === '' ? 'clean' : 'dirty', buildDate };
}

/** Undefined where the sources are no repository of their own, but lie in one of others. */
function repositoryCommit(root: string): string | undefined {
  const top = git(root, 'rev-parse', '--show-toplevel');
  if (top === undefined || realpathSync(top) !== realpathSync(root)) return undefined;
  return git(root, 'rev-parse', '--verify', 'HEAD');
}

/** Asks git; gives undefined when it fails or is not there. */
function git(root: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['--no-optional-locks', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trimEnd() : undefined;
}

function hashOfSources(root: string): string {
  const hash = createHash('sha1');
  for (const file of SOURCES.flatMap((name) => filesOf(root, name))) {
    hash.update(`${file}\0`);
    hash.update(readFileSync(join(root, file)));
    hash.update('\0');
  }
  return hash.digest('hex');
}

/** The files at or below a path of `root`, sorted; none where there is nothing. */
function filesOf(root: string, path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(root, `${path}/${name}`));
}
