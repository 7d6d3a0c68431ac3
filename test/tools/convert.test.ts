import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { runConvert } from '../../tools/convert/run.ts';

const PROGRAM = join(import.meta.dirname, '../../tools/convert/main.ts');
const FOLDER = mkdtempSync(join(tmpdir(), 'convert-'));
t.teardown(() => rmSync(FOLDER, { recursive: true }));

function convert(args: readonly string[]) {
  const out: string[] = [];
  const said: string[] = [];
  const status = runConvert(args, {
    write: (text) => out.push(text),
    say: (line) => said.push(line),
  });
  return { status, out: out.join(''), said };
}

const JOB = 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a} # mine\n';
const NEW_JOB = JOB.replace('v1beta1', 'v1');

t.test('standard input', async (t) => {
  const args = [PROGRAM, '-f', '-', '--output-version', 'batch/v1beta1'];
  const options = { input: NEW_JOB, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  t.same({ status, stdout, stderr }, { status: 0, stdout: JOB, stderr: '' });
});

t.test('a folder, with files that cannot be read', async (t) => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(FOLDER, name), text);
    return join(FOLDER, name);
  };
  const good = file('a.yaml', JOB);
  file('b.json', '{"kind":"ConfigMap","apiVersion":"v1"}');
  file('c.yaml', 'kind: ConfigMap\n  a: [');
  truncateSync(file('d.yaml', ''), 50 * 1024 * 1024);
  file('e.yml', 'apiVersion: apps/v1beta2\nkind: Deployment\nspec: {}\n');
  file('f.txt', 'no manifest');
  file('g.yaml', 'apiVersion: batch/v2alpha1\nkind: CronJob\n');
  symlinkSync('..', join(FOLDER, 'loop'));
  symlinkSync('h.yaml', join(FOLDER, 'h.yaml'));
  const { status, out, said } = convert(['-f', FOLDER]);
  t.equal(status, 1);
  t.equal(
    out,
    `${NEW_JOB}---
{"kind":"ConfigMap","apiVersion":"v1"}
---
apiVersion: apps/v1
kind: Deployment
spec: {}
---
apiVersion: batch/v2alpha1
kind: CronJob
`,
  );
  t.match(said, [
    /^\S+c\.yaml: yaml: line 1: /,
    /^\S+d\.yaml: is larger than 16 MiB$/,
    /^\S+e\.yml: line 1: Deployment: spec\.selector is required$/,
    /^\S+g\.yaml: line 1: CronJob: batch\/v2alpha1 is no version that is known of this kind$/,
    /^\S+h\.yaml: ELOOP/,
  ]);
  t.equal(convert(['-f', FOLDER, '--in-place']).status, 1);
  t.equal(readFileSync(good, 'utf8'), NEW_JOB);
});

t.test('what has no end is read no further than the limit', async (t) => {
  const { status, said } = convert(['-f', '/dev/zero']);
  t.same({ status, said }, { status: 1, said: ['/dev/zero: is larger than 16 MiB'] });
});

t.test('what cannot be asked for', async (t) => {
  const wrong: [args: string[], says: RegExp][] = [
    [[], /say what to convert/],
    [['-f', join(FOLDER, 'none')], /none/],
    [['-f', '-', '--output-version', 'apps/v9'], /"apps\/v9": no kind is known/],
    [['-f', '-', '--in-place'], /--in-place needs/],
  ];
  for (const [args, says] of wrong) {
    const { status, out, said } = convert(args);
    t.same({ status, out }, { status: 2, out: '' }, args.join(' '));
    t.match(said, [says]);
  }
});
