/** `npm run lab`: the laboratory from a terminal, recordings and their replay. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer, type Server } from '../support/server.ts';
import { runLab } from '../../tools/lab/run.ts';

const LAB = '/shardplane/lab/v1';

async function lab(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const code = await runLab(args, {
    write: (part) => void (text += part),
    say: (line) => void (text += `${line}\n`),
  });
  return { code, text };
}

/** Some traffic: writes, generated names, reads, refusals, a watch, Secrets. */
async function traffic(server: Server): Promise<void> {
  const { json: list } = await server.get(CONFIG_MAPS);
  const version = list.metadata.resourceVersion;
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  const made = await server.post(CONFIG_MAPS, configMap('replayed', { a: 'b' }));
  const { resourceVersion } = made.json.metadata;
  const generated = configMap('x', {}, { name: undefined, generateName: 'some-' });
  const { name } = (await server.post(CONFIG_MAPS, generated)).json.metadata;
  await server.get(`${CONFIG_MAPS}/${name}`);
  await server.put(`${CONFIG_MAPS}/replayed`, {
    ...configMap('replayed', { a: 'c' }),
    metadata: { name: 'replayed', resourceVersion },
  });
  await server.put(`${CONFIG_MAPS}/replayed`, {
    ...configMap('replayed', { a: 'd' }),
    metadata: { name: 'replayed', resourceVersion },
  });
  await server.get(`${CONFIG_MAPS}/missing`);
  const secret = { metadata: { name: 'hidden' }, stringData: { password: 'sesame' } };
  await server.post('/api/v1/namespaces/default/secrets', secret);
  const step = [{ op: 'add', path: '/data/more', value: 'c2VzYW1l' }];
  const json = { 'content-type': 'application/json-patch+json' };
  await server.request('PATCH', '/api/v1/namespaces/default/secrets/hidden', step, json);
  await server.delete(`${CONFIG_MAPS}/replayed`);
  await watch.take(4);
  watch.close();
}

async function recorded(t: Test): Promise<string> {
  const server = await startServer({ test: t, args: ['--laboratory'] });
  const begun = await server.post(`${LAB}/recordings`, { name: 'traffic', maskSecrets: true });
  t.equal(begun.status, 201, begun.text);
  await traffic(server);
  t.match((await server.get(`${LAB}/recordings`)).json.items, [{ name: 'traffic' }]);
  const { json } = await server.post(`${LAB}/recordings/traffic/stop`, {});
  return json.file;
}

t.test('what was recorded is sent again, and compared', async (t) => {
  const file = await recorded(t);
  const text = readFileSync(file, 'utf8');
  t.notMatch(text, 'sesame', 'values of Secrets are masked');
  t.notMatch(text, Buffer.from('sesame').toString('base64'));
  const folder = t.testdir();
  const copy = join(folder, 'traffic.jsonl');
  writeFileSync(copy, text);
  const fresh = await startServer({ test: t });
  const at = (server: Server): string[] => [
    '--server',
    `http://127.0.0.1:${server.port}`,
    '--token',
    server.token,
  ];
  const samePage = join(folder, 'same.json');
  const same = await lab('replay', copy, ...at(fresh), '--report', samePage);
  t.equal(same.code, 0, same.text);
  t.match(same.text, / requests, 0 with differences/);
  const other = await startServer({ test: t });
  await other.post(CONFIG_MAPS, configMap('missing', { it: 'is there' }));
  const junit = join(folder, 'junit.xml');
  const page = join(folder, 'other.html');
  const different = await lab('replay', copy, ...at(other), '--junit', junit, '--report', page);
  t.equal(different.code, 1);
  t.match(different.text, /GET .*configmaps\/missing\n  code 404, now 200/);
  t.match(readFileSync(junit, 'utf8'), /<testsuite .*<failure message="code 404, now 200/s);
  t.match(readFileSync(page, 'utf8'), /<svg .*GET [^<]*configmaps\/missing.*code 404, now 200/s);
  const both = join(folder, 'both.html');
  t.equal((await lab('report', samePage, page, '--to', both)).code, 0);
  const compared = readFileSync(both, 'utf8');
  t.match(compared, /<td>with differences<\/td><td class="n">0<\/td><td class="n">2<\/td>/);
  t.match(compared, /B: p99.*class="passed">passed<\/span>.*class="failed">failed<\/span>/s);
});

t.test('a recording of a server that was killed is read as far as it goes', async (t) => {
  const server = await startServer({ test: t, args: ['--laboratory'] });
  const { json } = await server.post(`${LAB}/recordings`, { name: 'killed' });
  await server.post(CONFIG_MAPS, configMap('before-the-kill'));
  await until(async () => readFileSync(json.file, 'utf8').includes('"end"'));
  await server.kill();
  const copy = join(t.testdir(), 'killed.jsonl');
  const text = readFileSync(json.file, 'utf8');
  writeFileSync(copy, `${text}{"n":2,"ms":1,"requ`);
  const fresh = await startServer({ test: t });
  const url = `http://127.0.0.1:${fresh.port}`;
  const same = await lab('replay', copy, '--server', url, '--token', fresh.token);
  t.match(same, { code: 0, text: '1 requests, 0 with differences\n' });
});

t.test('an audit log is sent again as a load', async (t) => {
  const folder = t.testdir();
  const log = join(folder, 'audit.log');
  const policy = join(folder, 'policy.yaml');
  const rules = 'rules:\n- level: RequestResponse\n  resources: [{group: ""}]\n- level: Metadata\n';
  writeFileSync(policy, `apiVersion: audit.cluster.io/v1\nkind: Policy\n${rules}`);
  const args = ['--audit-policy-file', policy, '--audit-log-path', log];
  const server = await startServer({ test: t, args });
  await traffic(server);
  const limit = { 'content-type': 'application/merge-patch+json' };
  await server.post(CONFIG_MAPS, configMap('patched'));
  await server.request('PATCH', `${CONFIG_MAPS}/patched`, { data: { a: null, b: 'c' } }, limit);
  const lease = { metadata: { name: 'left-out' } };
  await server.post('/apis/coordination.cluster.io/v1/namespaces/default/leases', lease);
  await server.stop();
  const fresh = await startServer({ test: t });
  const at = ['--server', `http://127.0.0.1:${fresh.port}`, '--token', fresh.token];
  const same = await lab('replay', '--audit-log', log, ...at);
  t.match(same.text, /^\d+ requests are left out: the log has no body of theirs/);
  t.match(same.text, /\n\d+ requests, 0 with differences\n$/);
  t.equal(same.code, 0);
  t.match((await fresh.get(`${CONFIG_MAPS}/patched`)).json.data, { b: 'c' });
  t.equal((await fresh.get('/api/v1/namespaces/default/secrets/hidden')).status, 200);
  const again = await lab('replay', '--audit-log', log, ...at, '--pace', '1000');
  t.equal(again.code, 1, 'what is there now is there already');
  t.match(again.text, /POST .*configmaps.*\n {2}code 201, now 409/);
});

t.test('each endpoint has a command', async (t) => {
  const args = ['--laboratory', '--clock=laboratory'];
  const server = await startServer({ test: t, args });
  const of = ['--data-dir', server.dataDirectory];
  t.match(JSON.parse((await lab('snapshot', 'begin', ...of)).text), { name: 'begin' });
  await server.post(CONFIG_MAPS, configMap('later'));
  const diff = JSON.parse((await lab('diff', 'begin', ...of)).text);
  t.match(diff.items, [{ resource: 'configmaps', name: 'later' }]);
  const dry = JSON.parse((await lab('restore', 'begin', '--dry-run', ...of)).text);
  t.match(dry.types.configmaps, { deleted: 1 });
  t.equal((await server.get(`${CONFIG_MAPS}/later`)).status, 200);
  t.equal((await lab('restore', 'begin', ...of)).code, 0);
  t.equal((await server.get(`${CONFIG_MAPS}/later`)).status, 404);
  t.match(JSON.parse((await lab('snapshots', ...of)).text), { items: [{ name: 'begin' }] });
  const rule = { name: 'lost', then: { loseAnswer: true }, what: { verbs: ['create'] } };
  t.match(JSON.parse((await lab('fault', JSON.stringify(rule), ...of)).text), { name: 'lost' });
  await t.rejects(server.post(CONFIG_MAPS, configMap('lost')));
  const journal = await lab('journal', 'lost', ...of);
  t.match(JSON.parse(journal.text), { items: [{ acted: true }] });
  t.match(JSON.parse((await lab('faults', ...of)).text), { items: [{ name: 'lost', acted: 1 }] });
  t.match(JSON.parse((await lab('release', 'lost', ...of)).text), { released: 0 });
  t.equal((await lab('remove', 'faults/lost', ...of)).code, 0);
  const view = await lab('view', '{"name":"old"}', ...of);
  t.match(JSON.parse(view.text), { name: 'old' });
  t.match(JSON.parse((await lab('advance', 'old', '--by', '1', ...of)).text).version, Number);
  t.match(JSON.parse((await lab('views', ...of)).text), { items: [{ name: 'old' }] });
  const { time } = JSON.parse((await lab('clock', ...of)).text);
  const moved = JSON.parse((await lab('clock', '--advance', '1h', ...of)).text);
  t.ok(Date.parse(moved.time) >= Date.parse(time) + 3_600_000);
  t.equal((await lab('record', 'r', ...of)).code, 0);
  t.match(JSON.parse((await lab('recordings', ...of)).text), { items: [{ name: 'r' }] });
  t.match(JSON.parse((await lab('stop', 'r', ...of)).text).file, /r\.jsonl$/);
  t.match((await lab('record', 'r', ...of)).text, 'there is a recording "r" already');
  t.equal((await lab('remove', 'recordings/r', ...of)).code, 0);
  t.equal((await lab('record', 'r', ...of)).code, 0);
});

t.test('what is wrong is said in a line', async (t) => {
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [['nonsense'], /^"nonsense" is no command: give one of snapshots/],
    [['replay'], /^give the FILE of a recording, or --audit-log FILE/],
    [
      ['replay', '--audit-log', 'package.json', '--server', 'http://a', '--token', 'b'],
      /no audit log/,
    ],
    [['replay', 'a', '--server', 'here'], /^give --server, a URL/],
    [['fault', '{'], /^what is given is no document in JSON/],
    [['advance', 'x', '--by', 'y'], /^--by is "y": give a number/],
    [['remove', 'pods/a'], /^"pods\/a" is none of snapshots, forks, faults, views, recordings/],
    [['journal'], /^give a NAME/],
    [['report', 'a'], /^give two reports/],
    [['report', 'package.json', 'package.json'], /^package.json is no report/],
    [['faults', '--data-dir', '/nowhere'], /^\/nowhere is no data folder/],
  ];
  for (const [args, line] of rows) {
    const { code, text } = await lab(...args);
    t.ok(code > 0);
    t.match(text, line);
  }
  const help = await lab('--help');
  t.match(help, { code: 0, text: /^Usage: npm run lab/ });
});

t.end();
