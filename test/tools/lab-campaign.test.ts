/** Campaigns: the bug of the example is found by its plan, and gone when it is mended. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { startServer } from '../support/server.ts';
import { runLab } from '../../tools/lab/run.ts';

const EXAMPLE = join(mkdtempSync(join(tmpdir(), 'shardplane-keeper-')), 'keeper');

async function lab(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const code = await runLab(args, {
    write: (part) => void (text += part),
    say: (line) => void (text += `${line}\n`),
  });
  return { code, text };
}

t.teardown(() => rmSync(dirname(EXAMPLE), { recursive: true }));
const server = await startServer({ test: t, args: ['--laboratory'] });
const of = ['--data-dir', server.dataDirectory];

const node = (file: string): string => `'${process.execPath}' '${file}'`;

function settingOf(keeper: string): readonly string[] {
  return [
    ...of,
    '--snapshot=begin',
    '--user-agent=keeper/*',
    '--give-up=500',
    '--quiet=1000',
    `--command=${node(keeper)}`,
    `--scenario=${node(join(EXAMPLE, 'scenario.mjs'))}`,
    `--check=${node(join(EXAMPLE, 'check.mjs'))}`,
  ];
}

t.before(async () => {
  const written = await lab('example', EXAMPLE);
  t.match(written, { code: 0, text: `--command 'node ${EXAMPLE}/keeper.mjs'` });
  t.match(await lab('example', EXAMPLE), { code: 1, text: 'is there already' });
  t.equal((await lab('snapshot', 'begin', ...of)).code, 0);
});

t.test('a planted bug is found, and its plan says whether it is mended', async (t) => {
  const out = join(t.testdir(), 'out');
  const keeper = join(EXAMPLE, 'keeper.mjs');
  const few = ['--only=crash,stale', '--skip=configmaps', '--limit=2'];
  const found = await lab('campaign', ...settingOf(keeper), ...few, `--out=${out}`);
  t.equal(found.code, 1, found.text);
  t.match(found.text, /^4 plans, of which 2 are run$/m);
  t.match(
    found.text,
    /^1\/2 passed .* the controller is killed after the first create of secrets/m,
  );
  t.match(found.text, /^2\/2 failed .* secrets are seen as before .*: the team has 4 workers$/m);
  const plan = join(out, 'plan-stale-secrets-added-1.json');
  t.match(found.text, `npm run lab -- campaign --plan ${plan}`);
  const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
  t.match(junit, /tests="2" failures="1".*<failure message="the team has 4 workers">/s);
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  t.match(page, 'secrets are seen as before version');
  t.match(page, /create secrets default: 201 \(keeper\/1.0\)/, 'what it did is in the report');
  t.match(page, /Content-Security-Policy" content="default-src 'none'/);
  t.notMatch(page, /<script|https?:\/\/(?!127\.0\.0\.1)/, 'it loads nothing');
  const again = await lab('campaign', '--plan', plan, ...of, '--out', out);
  t.match(again, { code: 1, text: /^failed .*the team has 4 workers\n/ });
  const mended = join(out, 'mended.mjs');
  writeFileSync(mended, readFileSync(keeper, 'utf8').replace('&resourceVersion=0', ''));
  const good = await lab(
    'campaign',
    '--plan',
    plan,
    ...of,
    '--out',
    out,
    '--command',
    node(mended),
  );
  t.match(good, { code: 0, text: /^passed / });
  t.same((await server.get('/shardplane/lab/v1/views')).json.items, [], 'nothing is left');
  t.same((await server.get('/shardplane/lab/v1/recordings')).json.items, []);
});

t.test('what is wrong is said', async (t) => {
  const folder = t.testdir();
  const out = ['--out', join(folder, 'out')];
  const whole = [...of, ...out, '--snapshot', 'begin', '--check', 'true'];
  const refused = join(folder, 'plan.json');
  const setting = { snapshot: 'begin', command: 'true', check: 'true', seconds: 9, quietMs: 9 };
  const who = { users: [], userAgents: [] };
  const write = { verb: 'create', group: '', resource: 'secrets', subresource: '' };
  const plan = { kind: 'error', write: { ...write, namespace: '', name: '' }, nth: 1, code: 200 };
  const form = { 'shardplane-campaign-plan': 1, setting: { ...setting, who }, plan };
  writeFileSync(refused, JSON.stringify(form));
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /^give --snapshot/],
    [['--snapshot', 'begin', '--command', 'true'], /^give --check/],
    [[...whole, '--command', 'true', '--only', 'luck'], /^"luck" is none of stale, crash/],
    [['--plan', '/nowhere'], /^cannot read \/nowhere/],
    [[...whole, '--command', 'echo broken; false', '--check', 'false'], /fails: .*\nbroken/],
    [[...whole, '--command', 'true'], /^no request is the controller's: give --user-agent/],
    [[...whole, '--snapshot', 'other', '--command', 'true'], /there is no snapshot/],
    [[...of, ...out, '--plan', refused], /then\.refuse\.code must be a whole number/],
  ];
  for (const [args, line] of rows) {
    const { code, text } = await lab('campaign', ...args);
    t.ok(code > 0);
    t.match(text, line);
  }
  t.same((await server.get('/shardplane/lab/v1/recordings')).json.items, [], 'nothing is left');
  const help = await lab('campaign', '--help');
  t.match(help, { code: 0, text: /--give-up MS/ });
});

t.end();
