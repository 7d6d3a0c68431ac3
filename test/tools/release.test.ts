import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { sharedServer } from '../support/shared-server.ts';
import { changeText, factDifferences } from '../../tools/release/fact-differences.ts';
import { enumOf, enumsIn } from '../../tools/release/published-enums.ts';
import { runCheckRelease } from '../../tools/release/run.ts';
import { ApiClient } from '../../tools/reference/api-client.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'release-'));
t.teardown(() => rmSync(FOLDER, { recursive: true }));

async function check(...args: readonly string[]) {
  const out: string[] = [];
  const said: string[] = [];
  const status = await runCheckRelease(args, {
    write: (text) => out.push(text),
    say: (line) => said.push(line),
  });
  return { status, out: out.join(''), said };
}

/** Documents as they are published: those that a server has. */
async function publish(change: (path: string, text: string) => string): Promise<readonly string[]> {
  const { port, token } = (await sharedServer()).process;
  const url = `http://127.0.0.1:${port}`;
  const client = new ApiClient(url, token);
  const write = async (path: string, file: string): Promise<string> => {
    const { text } = await client.get(path);
    writeFileSync(join(FOLDER, file), change(path, text));
    return text;
  };
  for (const name of ['openapi-spec/v3', 'discovery']) {
    mkdirSync(join(FOLDER, name), { recursive: true });
  }
  await write('/openapi/v2', 'openapi-spec/swagger.json');
  const { paths } = (await client.get('/openapi/v3')).json as { readonly paths: object };
  for (const root of Object.keys(paths)) {
    const name = root.replaceAll('/', '__');
    await write(`/openapi/v3/${root}`, `openapi-spec/v3/${name}_openapi.json`);
    if (/^apis?(\/|$)/.test(root)) await write(`/${root}`, `discovery/${name}.json`);
  }
  client.close();
  return ['--documents', FOLDER, '--release', '1.23', '--server', url, '--token', token];
}

t.test('a server that says what is published', async (t) => {
  const { status, out, said } = await check(...(await publish((_path, text) => text)));
  t.same({ status, said }, { status: 0, said: [] });
  t.match(out, /^1\.23: \d+ facts; 0 differences, 0 of them not accepted\n$/);
});

t.test('each difference is told, here → published', async (t) => {
  const args = await publish((path, text) => {
    if (path === '/apis/batch/v1') return text.replace('"shortNames":["cj"],', '');
    if (!path.endsWith('/batch/v1')) return text;
    return text
      .replace('"required":["template"]', '"required":["template","suspend"]')
      .replace('"name":"force"', '"name":"strength"');
  });
  const { status, out } = await check(...args);
  t.equal(status, 1);
  t.match(
    out,
    'definition: nothing → required\n    of definition io.cluster.api.batch.v1.JobSpec suspend\n',
  );
  t.match(out, 'operation how: ?force:boolean → ?strength:boolean\n');
  t.match(out, 'resources: shortNames=cj → nothing\n    of resources batch/v1 cronjobs\n');
  // Another document has that definition as it was, and so has version 2.
  t.match(out, /facts; 6 differences, 6 of them not accepted\n$/);
});

t.test('what is accepted, and in which releases', async (t) => {
  const ours = new Map([
    ['a', 'x y'],
    ['b', 'x'],
  ]);
  const theirs = new Map([
    ['a', 'x z'],
    ['c', 'x'],
  ]);
  const accepted = [
    { since: 25, until: 27, subjects: /^a$/, change: /^y → z$/, reason: 'so it is' },
    { subjects: /^[bc]$/, change: /^nothing → /, reason: 'never mind' },
  ];
  const reasons = (minor: number) =>
    factDifferences(ours, theirs, accepted, minor).map((one) => [changeText(one), one.reason]);
  t.same(reasons(26), [
    ['y → z', 'so it is'],
    ['x → nothing', undefined],
    ['nothing → x', 'never mind'],
  ]);
  for (const minor of [24, 27]) t.same(reasons(minor)[0], ['y → z', undefined]);
});

t.test('allowed values of what is generated from the types', async (t) => {
  const enums = enumsIn(
    [
      'func schema_k8sio_api_core_v1_ContainerPort(ref common.ReferenceCallback) {',
      '\t\t\t\t\t"name": {',
      '\t\t\t\t\t"protocol": {',
      '\t\t\t\t\t\t\tEnum:        []interface{}{"SCTP", "TCP"}},',
    ].join('\n'),
  );
  t.same(enumOf(enums, 'io.k8s.api.core.v1.ContainerPort', 'protocol'), ['SCTP', 'TCP']);
  t.equal(enumOf(enums, 'io.k8s.api.core.v1.ContainerPort', 'name'), undefined);
});

t.test('options', async (t) => {
  t.match(await check('--help'), { status: 0, out: /^Usage: npm run check:release/ });
  const rows: [args: string[], said: string][] = [
    [[], 'which documents? Give --documents FOLDER'],
    [['--documents', 'x/api'], 'of which release are they? Give --release 1.N'],
    [['--documents', 'x', '--release', '30'], '--release is "30": give one such as 1.30'],
    [['--documents', 'x', '--server', 'y'], '"y" is no URL'],
    [
      ['--documents', '/no/kubernetes@v1.30.14/api'],
      '--documents: /no/kubernetes@v1.30.14/api/openapi-spec/swagger.json is not there: ' +
        'give the folder "api" of a release',
    ],
  ];
  for (const [args, said] of rows)
    t.same(await check(...args), { status: 2, out: '', said: [said] });
});
