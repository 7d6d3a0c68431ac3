/** `--controllers`: what works by itself, and what does not when it is switched off. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Garden } from '../support/owned-objects.ts';
import { runToExit, temporaryFolder } from '../support/server-process.ts';

const NAMES = [
  'bootstrap',
  'namespace',
  'garbage-collector',
  'event-expiry',
  'serviceaccount-token',
  'csrapproving',
  'csrsigning',
  'csrcleaner',
  'bootstrapsigner',
  'tokencleaner',
  'serviceaccount',
  'root-ca-cert-publisher',
  'pvc-protection',
  'pv-protection',
  'clusterrole-aggregation',
];

t.test('without the collector dependents stay, and owners wait; with it they go', async (t) => {
  // It may stand in a file, too.
  const config = join(temporaryFolder(), 'config.yaml');
  const controllers = '*,-garbage-collector,-serviceaccount,-root-ca-cert-publisher';
  writeFileSync(config, `controllers: "${controllers}"\nevent-ttl: 10m\n`);
  const garden = await Garden.start(t, { args: ['--config', config] });
  const { plant, owns, remains, remove, look } = await garden.bed('kept');
  const owner = await plant('configmaps/owner');
  await plant('secrets/dependent', [owns(owner)]);
  const waiting = await plant('configmaps/waiting');
  await plant('secrets/blocking', [owns(waiting, true)]);
  const leaving = await plant('configmaps/leaving');
  await plant('secrets/orphan', [owns(leaving)]);
  await remove('configmaps/owner');
  await remove('configmaps/waiting', { propagationPolicy: 'Foreground' });
  await remove('configmaps/leaving', { propagationPolicy: 'Orphan' });
  const kept = [
    'configmaps/leaving',
    'configmaps/waiting',
    'secrets/blocking',
    'secrets/dependent',
    'secrets/orphan',
  ];
  t.same(await remains(kept), kept);
  t.match((await look('secrets/orphan')).ownerReferences, [{ name: 'leaving' }]);
  // A start with the collector collects what was left meanwhile.
  await garden.server.stop();
  await garden.server.restart({ args: ['--controllers', 'garbage-collector'] });
  t.same(await remains(['secrets/orphan']), ['secrets/orphan']);
  t.equal((await look('secrets/orphan')).ownerReferences, undefined);
});

t.test('without the namespace controller a namespace goes on terminating', async (t) => {
  const garden = await Garden.start(t, { args: ['--controllers=garbage-collector'] });
  const { plant, remains } = await garden.bed('stays');
  await plant('configmaps/inside');
  const path = `${garden.namespaces}/stays`;
  t.equal((await garden.server.delete(path)).json.status.phase, 'Terminating');
  t.same(await remains(['configmaps/inside']), ['configmaps/inside']);
  await garden.server.stop();
  await garden.server.restart({ args: [] });
  t.same(await remains([]), []);
  const { status } = await garden.server.get(path);
  t.ok(status === 404 || status === 200, 'it is gone, or about to');
});

t.test('all are off where none is named', async (t) => {
  const garden = await Garden.start(t, { args: ['--controllers=-namespace'] });
  const { json } = await garden.server.get('/api/v1/services');
  t.same(json.items, [], 'the API has no Service');
  const { plant, owns, remains, remove } = await garden.bed('off');
  const owner = await plant('configmaps/owner');
  await plant('secrets/dependent', [owns(owner)]);
  await remove('configmaps/owner');
  t.same(await remains(['secrets/dependent']), ['secrets/dependent']);
});

t.test('a name that there is not is refused in one line that has the names', async (t) => {
  const data = join(temporaryFolder(), 'data');
  for (const flags of [
    ['--controllers', 'nonsense'],
    ['--controllers', '*,-nonsense'],
    ['--event-ttl', 'nonsense'],
  ]) {
    const exit = await runToExit(['--data-dir', data, ...flags]);
    t.ok(exit.code !== null && exit.code > 0, `exit code ${exit.code}`);
    const lines = exit.stderr.trim().split('\n');
    t.equal(lines.length, 1, exit.stderr);
    t.match(lines[0], flags[0]);
    t.match(lines[0], /nonsense/);
    if (flags[0] === '--controllers') for (const name of NAMES) t.match(lines[0], name);
  }
  const help = await runToExit(['--help']);
  for (const text of ['--controllers', '--event-ttl', ...NAMES]) t.match(help.stdout, text);
});

t.end();
