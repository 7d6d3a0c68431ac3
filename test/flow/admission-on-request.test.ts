/** Plugins that are on by request alone, and their settings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { runRows } from '../support/admission-rows.ts';
import { Hooked } from '../support/hooked.ts';
import { EVENT_SETTINGS, POD_ROWS, POD_SETTINGS, SERVICE_ROWS } from '../support/pod-rows.ts';
import { startServer } from '../support/server.ts';
import { runToExit, temporaryFolder } from '../support/server-process.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';
import { NEUTRAL } from '../../src/semantics/dialect/dialect.ts';
import { swapGroupVersion } from '../../src/semantics/dialect/names.ts';

const folder = temporaryFolder();

/** A file of settings, in the dialect of the server. */
function configuration(plugins: Readonly<Record<string, object>>): string {
  const file = join(folder, `admission-${Object.keys(plugins).join('-')}.yaml`);
  const own = (document: object): object => {
    const { apiVersion } = document as { apiVersion?: string };
    if (apiVersion === undefined || SERVER_DIALECT === NEUTRAL) return document;
    return { ...document, apiVersion: swapGroupVersion(apiVersion) };
  };
  const named = Object.entries(plugins).map(([name, settings]) => {
    return { name, configuration: own(settings) };
  });
  const kind = 'AdmissionConfiguration';
  const apiVersion = 'apiserver.config.cluster.io/v1';
  writeFileSync(file, JSON.stringify(own({ apiVersion, kind, plugins: named })));
  return file;
}

const PLUGINS = [
  'NamespaceAutoProvision',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'AlwaysPullImages',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'DenyServiceExternalIPs',
];

t.test('what is asked for acts as in the reference', async (t) => {
  const kubeConfigFile = join(folder, 'callers');
  const users = [{ name: '*', user: { token: 'of-mutating' } }];
  writeFileSync(kubeConfigFile, JSON.stringify({ users }));
  const settings = configuration({
    ...POD_SETTINGS,
    EventRateLimit: EVENT_SETTINGS,
    MutatingAdmissionWebhook: {
      apiVersion: 'apiserver.config.cluster.io/v1',
      kind: 'WebhookAdmissionConfiguration',
      kubeConfigFile,
    },
  });
  const server = await startServer({
    test: t,
    args: [
      `--enable-admission-plugins=${PLUGINS.join(',')}`,
      // Without it nothing else says that a namespace is not there.
      '--disable-admission-plugins=NamespaceLifecycle,ServiceAccount,DefaultTolerationSeconds',
      `--admission-control-config-file=${settings}`,
    ],
  });

  await t.test('webhooks are called as who the kubeconfig of the settings says', async (t) => {
    const webhook = await startAdmissionWebhook(t);
    const here = new Hooked(server, webhook, 'hooked-callers');
    await here.begin();
    const ends = [
      await here.register(t, 'Mutating', { w: {} }),
      await here.register(t, 'Validating', { v: {} }),
    ];
    t.equal((await here.make('a')).status, 201);
    t.same(
      webhook.calls.map(({ headers }) => headers.authorization),
      ['Bearer of-mutating', undefined],
    );
    for (const end of ends) await end();
  });

  await runRows(t, server, POD_ROWS);
  await runRows(t, server, SERVICE_ROWS);

  t.test('a namespace is made with what is first made in it', async (t) => {
    const path = '/api/v1/namespaces/made';
    const inside = { metadata: { name: 'inside' } };
    const dry = await server.post(`${path}/configmaps?dryRun=All`, inside);
    t.equal(dry.json.message, 'namespaces "made" not found', 'a dry run makes none');
    t.equal((await server.post(`${path}/configmaps`, inside)).status, 201);
    t.equal((await server.get(path)).json.status.phase, 'Active');
    const bad = await server.post('/api/v1/namespaces/Bad_name/configmaps', inside);
    t.equal(bad.status, 403);
    t.match(
      bad.json.message,
      /^configmaps "inside" is forbidden: Namespace "Bad_name" is invalid: metadata\.name: Invalid/,
    );
    t.equal((await server.delete('/api/v1/namespaces/gone/configmaps/x')).status, 404);
    const lease = '/apis/coordination.cluster.io/v1/namespaces/leased/leases/x';
    const made = await server.put(lease, {
      metadata: { name: 'x', namespace: 'leased' },
      spec: {},
    });
    t.equal(made.status, 201, 'an update that creates counts');
  });

  t.test('of many events about one object few are written', async (t) => {
    const namespace = 'plain';
    const about = { kind: 'Pod', namespace, name: 'p' };
    const write = (index: number, query = ''): ReturnType<typeof server.post> =>
      server.post(`/api/v1/namespaces/${namespace}/events${query}`, {
        metadata: { name: `e${index}`, namespace },
        involvedObject: about,
        source: { component: 'c' },
      });
    // A bucket that gets one a second has none for the last of so many.
    const answers = await Promise.all(Array.from({ length: 50 }, (_none, index) => write(index)));
    const refused = answers.filter(({ status }) => status !== 201);
    t.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} refused`);
    for (const { status, json } of refused) {
      t.same(
        [status, json.reason, json.message],
        [
          429,
          'TooManyRequests',
          'Too many requests: limit reached on type SourceAndObject for key cPodplainp',
        ],
      );
    }
    const dry = await Promise.all([0, 1, 2].map((index) => write(100 + index, '?dryRun=All')));
    t.same(
      dry.map(({ status }) => status),
      [201, 201, 201],
    );
  });
});

t.test('settings that are wrong end the start with one line', async (t) => {
  const limits = [{ type: 'Server', qps: 0, burst: 1 }];
  const wrong = configuration({ EventRateLimit: { ...EVENT_SETTINGS, limits } });
  const { domain } = SERVER_DIALECT;
  const args = ['--api-domain', domain, '--data-dir', join(folder, 'data')];
  const exit = await runToExit([...args, `--admission-control-config-file=${wrong}`]);
  t.not(exit.code, 0);
  t.match(
    exit.stderr.trim(),
    /-EventRateLimit\.yaml: EventRateLimit: limits\[0\]\.qps: Invalid value: 0: must be positive$/,
  );
  t.equal(exit.stderr.trim().split('\n').length, 1, exit.stderr);
});
