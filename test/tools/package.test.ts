import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    // Of an optional dependency that is not for this platform.
    return undefined;
  }
}

/** Links what an installation of the package would bring, and nothing else. */
function linkDependencies(folder: string, modules: string): void {
  const { dependencies, optionalDependencies } = manifestOf(folder) ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const from = join(MODULES, name);
    const to = join(modules, name);
    if (manifestOf(from) === undefined || manifestOf(to) !== undefined) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
    linkDependencies(from, modules);
  }
}

/** A folder in which the package is installed as npm would do it. */
function installedPackage(test: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-package-'));
  test.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  execFileSync(process.execPath, [join(ROOT, 'tools/package/build-package.ts')]);
  const pack = ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`];
  const name = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim();
  const installed = join(folder, 'node_modules/shardplane');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, name), '-C', installed, '--strip-components=1']);
  linkDependencies(installed, join(folder, 'node_modules'));
  return folder;
}

const OLD_MANIFEST = `apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: a}
spec: {template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}
`;
/** Writes what a test of somebody else would see, and ends without stopping its second server. */
const FOREIGN_TEST = `
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { startServer } from 'shardplane';
const server = await startServer({ args: ['--shard-threads=1'] });
const headers = { authorization: \`Bearer \${server.token}\` };
const { status } = await fetch(\`\${server.url}/api/v1/namespaces\`, { headers });
const folder = dirname(server.kubeconfig);
await server.stop();
const refused = await startServer({ args: ['--nonsense'] }).catch((error) => error.message);
const left = await startServer({ args: ['--shard-threads=1'], laboratory: true });
await left.lab.fault({ name: 'no', what: { verbs: ['list'] }, then: { refuse: { code: 503 } } });
const asked = { authorization: \`Bearer \${left.token}\` };
const spoilt = (await fetch(\`\${left.url}/api/v1/namespaces\`, { headers: asked })).status;
const address = left.url;
console.log(JSON.stringify({ status, isLeft: existsSync(folder), refused, address, spoilt }));
`;

t.test('the package runs where it is installed', async (t) => {
  const folder = installedPackage(t);
  const run = (...args: string[]) => {
    const program = join(folder, 'node_modules/shardplane/tools/package/shardplane.mjs');
    return spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' });
  };

  t.match(run('--version').stdout, /^shardplane \d+\.\d+\.\d+ \((?:commit|sources) [0-9a-f]{40}/);
  t.match(run('--help').stdout, /^Usage: shardplane \[options\]/);
  const unknown = run('nonsense');
  t.equal(unknown.status, 2);
  t.match(
    unknown.stderr,
    /no command "nonsense".* bench, backup, check-deprecated, completion, convert/,
  );

  await t.test('its commands find what they read', async (t) => {
    writeFileSync(join(folder, 'old.yaml'), OLD_MANIFEST);
    t.match(run('convert', '-f', 'old.yaml').stdout, /apiVersion: apps\/v1/);
    t.match(run('check-deprecated', 'old.yaml').stdout, /extensions\/v1beta1/);
    t.match(run('soak', '--help').stdout, /^Usage: npx shardplane soak \[options\]/);
    t.match(run('bench', '--help').stdout, /^Usage: npx shardplane bench \[options\]/);
    t.equal(run('lab', 'example', 'mine').status, 0);
    t.ok(existsSync(join(folder, 'mine/keeper.mjs')));
    const scripts = ['bash', 'zsh', 'fish'].map((shell) => run('completion', shell).stdout);
    for (const option of ['data-dir', 'watch-mix', 'in-place']) {
      t.ok(
        scripts.every((script) => script.includes(option)),
        `shells complete --${option}`,
      );
    }
  });

  await t.test('a test of somebody else starts servers of its own', async (t) => {
    writeFileSync(join(folder, 'foreign.mjs'), FOREIGN_TEST);
    const { stdout, stderr } = spawnSync(process.execPath, ['foreign.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    t.equal(stderr, '');
    const { address, ...seen } = JSON.parse(stdout) as { readonly address: string };
    t.match(seen, { status: 200, isLeft: false, refused: /Unknown option '--nonsense'/ });
    await untilGone(address);
  });
});

/** Resolves when nothing answers there. */
async function untilGone(address: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(`${address}/livez`)).text();
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
