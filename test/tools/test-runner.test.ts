import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';

const RUNNER = join(import.meta.dirname, '../../tools/test.ts');

type Fixture = { readonly [name: string]: string | Fixture };

/** Runs test files of these contents, as `npm test -- <folder>` does. */
function run(t: Test, files: Fixture, ...args: string[]) {
  const folder = t.testdir(files);
  const { stdout, status } = spawnSync(process.execPath, [RUNNER, ...args, folder], {
    encoding: 'utf8',
  });
  return { lastLine: stdout.trimEnd().split('\n').at(-1), stdout, status };
}

const HEAD = "import t from 'tap';\n";

t.test('assertions are counted, subtests and files are not', async (t) => {
  const { lastLine, status } = run(t, {
    'a.test.ts': `${HEAD}t.test('a', async (t) => { t.ok(1); await t.test('b', async (t) => { t.ok(1); t.ok(2); }); });`,
    'b.test.ts': `${HEAD}chooseRelease(23);\nfunction chooseRelease() { t.ok(1 as number); }`,
    'c.ts': 'throw new Error("is no test");',
  });
  t.equal(lastLine, '4 passed, 0 failed');
  t.equal(status, 0);
});

t.test('a failed assertion fails the run and is shown with its names', async (t) => {
  const { lastLine, stdout, status } = run(t, {
    'a.test.ts': `${HEAD}t.test('outer', async (t) => { t.ok(1); t.equal(1, 2, 'inner'); });`,
  });
  t.equal(lastLine, '1 passed, 1 failed');
  t.equal(status, 1);
  t.match(stdout, /outer > inner/);
});

t.test('what is skipped is counted apart', async (t) => {
  const { lastLine } = run(t, {
    'a.test.ts': `${HEAD}t.ok(1); t.test('a', { skip: 'why' }, async () => {}); t.todo('b');`,
  });
  t.equal(lastLine, '1 passed, 0 failed, 2 skipped');
});

const BROKEN: readonly [what: string, text: string, lastLine: string][] = [
  ['throws before any assertion', "throw new Error('early');", '0 passed, 1 failed'],
  ['does not parse', 'const = ;', '0 passed, 1 failed'],
  ['asserts nothing', 'export {};', '0 passed, 1 failed'],
  ['misses its plan', `${HEAD}t.plan(2); t.ok(1);`, '1 passed, 1 failed'],
  ['throws later', `${HEAD}t.ok(1); throw new Error('late');`, '1 passed, 1 failed'],
  [
    'ends with another exit code',
    `${HEAD}t.ok(1); process.on('exit', () => { process.exitCode = 3; });`,
    '1 passed, 1 failed',
  ],
  ['is killed', "process.kill(process.pid, 'SIGKILL');", '0 passed, 1 failed'],
];

t.test('a file that breaks is one failure', async (t) => {
  for (const [what, text, lastLine] of BROKEN) {
    await t.test(what, async (t) => {
      const result = run(t, { 'a.test.ts': text });
      t.equal(result.lastLine, lastLine);
      t.equal(result.status, 1);
    });
  }
});

t.test('a file that hangs is ended', async (t) => {
  const text = `${HEAD}t.ok(1); setInterval(() => {}, 1000);`;
  const { lastLine, stdout } = run(t, { 'a.test.ts': text }, '--timeout-seconds', '1');
  t.match(stdout, /took longer than 1 s/);
  t.match(lastLine, /, [1-9] failed$/);
});

t.test('files of a folder share a process, and each begins as if it were alone', async (t) => {
  const { lastLine, stdout } = run(t, {
    'c.test.ts': `${HEAD}globalThis.up = true; t.teardown(() => { globalThis.up = false; });
      t.setTimeout(100); t.ok(1); t.end();`,
    below: {
      'b.test.ts': `${HEAD}t.equal(globalThis.up, false, 'torn down');
        t.test('a', (t) => setTimeout(() => { t.ok(1); t.end(); }, 300));`,
    },
    'a.test.ts': `${HEAD}\nchooseRelease(23);
      function chooseRelease() { t.equal(globalThis.up, undefined); }`,
  });
  t.equal(lastLine, '6 passed, 0 failed', `two say that they made assertions: ${stdout}`);
});

t.test('a file without an assertion is found beside others', async (t) => {
  const { lastLine, stdout } = run(t, { 'a.test.ts': `${HEAD}t.ok(1);`, 'b.test.ts': HEAD });
  t.equal(lastLine, '1 passed, 1 failed');
  t.match(stdout, /b\.test\.ts made no assertion/, 'alone, as what fails runs once more');
});

t.test('no test file at all is a failure', async (t) => {
  t.equal(run(t, { 'a.ts': '' }).lastLine, '0 passed, 1 failed');
});
