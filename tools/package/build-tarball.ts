/**
 * `npm run package:tarball`: a tarball for machines like this one that have neither Node nor npm:
 * the package with all that it needs, the Node that runs this, and an install script.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const files = join(import.meta.dirname, 'files');
const EXECUTABLE = 0o755;
const INSTALL_FLAGS = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];

const work = mkdtempSync(join(tmpdir(), 'shardplane-tarball-'));
try {
  process.stdout.write(`${buildTarball()}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Returns the path of the tarball. */
function buildTarball(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const name = `shardplane-${version}-${process.platform}-${process.arch}`;
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  run('npm', ['pack', '--silent', `--pack-destination=${work}`], root);
  const packed = join(work, `shardplane-${version}.tgz`);
  run('npm', ['install', '--silent', ...INSTALL_FLAGS, packed], folder);
  rmSync(join(folder, 'package.json'));
  // Its mode stays: it is a program.
  copyFileSync(process.execPath, join(folder, 'node'));
  copyFileSync(join(files, 'install.sh'), join(folder, 'install.sh'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  run('chmod', [EXECUTABLE.toString(8), 'node', 'install.sh'], folder);
  const tarball = join(root, `${name}.tgz`);
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  run('tar', ['-czf', tarball, ...owner, name], work);
  return tarball;
}

/** Throws where it fails. */
function run(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 'inherit'] });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}
