/**
 * Puts Debian's kubectl into `.runtime/kubectl`, for the tests that drive the server with it. apt
 * itself fetches it, with lists of its own: it needs no root, leaves the machine's packages alone
 * and checks the signatures. Needs Node 18 and a Debian, or what derives of it.
 *
 * Prints the folder to put on the PATH; where it fails, one line on stderr, and the exit code is 1.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest release whose kubectl is new enough; its binary needs no libraries of a release. */
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const RUNTIME = fileURLToPath(new URL('../.runtime', import.meta.url));
const TARGET = path.join(RUNTIME, 'kubectl');
const BIN = path.join(TARGET, 'usr/bin');

try {
  if (!runs(path.join(BIN, 'kubectl'))) install();
  process.stdout.write(`${BIN}\n`);
} catch (error) {
  process.stderr.write(`shardplane: no kubectl from Debian: ${error.message}\n`);
  process.exitCode = 1;
}

function runs(program) {
  return spawnSync(program, ['version', '--client'], { stdio: 'ignore' }).status === 0;
}

/** It appears by a rename once it is whole, so an interrupted installation is just done again. */
function install() {
  const work = path.join(RUNTIME, `kubectl-${process.pid}`);
  removeFolder(work);
  for (const folder of ['lists/partial', 'archives/partial', 'root']) {
    fs.mkdirSync(path.join(work, folder), { recursive: true });
  }
  try {
    const apt = aptOptions(work);
    run('apt-get', [...apt, 'update'], work);
    run('apt-get', [...apt, 'download', 'kubectl'], work);
    const archive = fs.readdirSync(work).find((name) => name.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get brought no package');
    const root = path.join(work, 'root');
    run('dpkg-deb', ['--extract', archive, root], work);
    if (!runs(path.join(root, 'usr/bin/kubectl'))) throw new Error(`${archive} does not run here`);
    removeFolder(TARGET);
    fs.renameSync(root, TARGET);
  } finally {
    removeFolder(work);
  }
}

/** All that apt reads or writes is in `work`, but for how the machine reaches the network. */
function aptOptions(work) {
  if (!fs.existsSync(KEYRING)) throw new Error(`${KEYRING} is missing: this is not a Debian`);
  fs.writeFileSync(path.join(work, 'status'), '');
  fs.writeFileSync(
    path.join(work, 'sources.list'),
    `deb [signed-by=${KEYRING} target=Packages] ${MIRROR} ${SUITE} main\n`,
  );
  const options = {
    'Dir::Etc::sourcelist': path.join(work, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferences': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::State': work,
    'Dir::State::lists': path.join(work, 'lists'),
    'Dir::State::status': path.join(work, 'status'),
    'Dir::Cache': work,
    'Dir::Cache::archives': path.join(work, 'archives'),
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '30',
    // Else a mirror that cannot be reached is a warning.
    'APT::Update::Error-Mode': 'any',
    // As root it would take the rights of a user that cannot write here.
    'APT::Sandbox::User': 'root',
  };
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

function run(program, args, cwd) {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  const { error, status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (error !== undefined) throw new Error(`${program} does not run: ${error.message}`);
  if (status === 0) return;
  const [reason = `it ended with code ${status}`] = stderr.match(/(?<=^E: ).+/m) ?? [];
  throw new Error(`${program}: ${reason}`);
}

function removeFolder(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
