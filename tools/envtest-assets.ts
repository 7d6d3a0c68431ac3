/**
 * `npm run envtest-assets -- FOLDER`: writes the programs that a test suite with envtest starts, so
 * that it starts this server (src/envtest/README.md).
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEFAULT_RELEASE, parseRelease } from '../src/release/release.ts';

const USAGE = 'usage: npm run envtest-assets -- [--release RELEASE] FOLDER';
const EXIT_OF_USAGE = 2;
const EXECUTABLE = 0o755;
/** How each program begins: others of these names are not written over. */
const MARK = '#!/bin/sh\n# By npm run envtest-assets of shardplane.\n';

const build = resolve(import.meta.dirname, '../.build');

function main(args: readonly string[]): number {
  const [release, folder = '', ...more] = readArgs(args);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (release === undefined || more.length > 0 || folder === '' || folder.startsWith('-')) {
    process.stderr.write(`${USAGE}\n`);
    return EXIT_OF_USAGE;
  }
  try {
    writePrograms(resolve(folder), release);
  } catch (error) {
    process.stderr.write(`shardplane: ${(error as Error).message}\n`);
    return 1;
  }
  process.stdout.write(`export KUBEBUILDER_ASSETS=${quoted(resolve(folder))}\n`);
  return 0;
}

/** The release, undefined for one that there is not, and all else. */
function readArgs(args: readonly string[]): readonly [string | undefined, ...string[]] {
  const at = args.findIndex((argument) => /^--release(?:=|$)/.test(argument));
  const [flag = '', next = ''] = at < 0 ? [] : args.slice(at);
  const isInline = flag.includes('=');
  const text = isInline ? flag.slice(flag.indexOf('=') + 1) : next;
  const others = at < 0 ? args : args.toSpliced(at, isInline ? 1 : 2);
  return [at < 0 ? DEFAULT_RELEASE.name : nameOf(text), ...others];
}

function nameOf(release: string): string | undefined {
  try {
    return parseRelease(release).name;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.stderr.write(`shardplane: ${error.message}\n`);
    return undefined;
  }
}

/** Throws where the folder cannot be written to, or has programs of others. */
function writePrograms(folder: string, release: string): void {
  const programs = {
    'kube-apiserver': serverText(`kube-apiserver --release=${release}`),
    etcd: serverText('etcd'),
    kubectl: KUBECTL,
  };
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(programs)) refuseForeign(join(folder, name));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `${MARK}${text}`);
    chmodSync(join(folder, name), EXECUTABLE);
  }
}

function refuseForeign(file: string): void {
  if (!existsSync(file) || readFileSync(file, 'latin1').startsWith(MARK)) return;
  throw new Error(`${file} is another program: give a folder without one, or remove it`);
}

function serverText(program: string): string {
  const [name = ''] = program.split(' ');
  const file = quoted(join(build, 'envtest.js'));
  const missing = quoted(`${name}: shardplane has moved: run npm run envtest-assets again`);
  return `[ -f ${file} ] || { echo ${missing} >&2; exit 1; }
exec ${quoted(process.execPath)} ${file} ${program} "$@"
`;
}

/** envtest itself never runs it. The next on the PATH that is not one of these does the work. */
const KUBECTL = `IFS=:
for folder in $PATH; do
  if [ -x "$folder/kubectl" ] &&
    ! head -n 2 "$folder/kubectl" | grep -q 'npm run envtest-assets'; then
    unset IFS
    exec "$folder/kubectl" "$@"
  fi
done
echo 'kubectl: there is none on the PATH for shardplane to pass this on to' >&2
exit 127
`;

/** One word for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

process.exitCode = main(process.argv.slice(2));
