import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { swapGroupVersion } from '../../src/semantics/dialect/names.ts';
import { kindNamed, minimalObject } from '../support/kinds.ts';
import { selfSigned } from '../support/self-signed.ts';
import { sharedServer } from '../support/shared-server.ts';
import { runCheckDeprecated } from '../../tools/deprecated/run.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'deprecated-'));
t.teardown(() => rmSync(FOLDER, { recursive: true }));

async function check(...args: readonly string[]) {
  const out: string[] = [];
  const said: string[] = [];
  const status = await runCheckDeprecated(args, {
    write: (text) => out.push(text),
    say: (line) => said.push(line),
  });
  return { status, out: out.join('').replaceAll(FOLDER, ''), said };
}

/** The migration table: when a version is gone, its replacement, the version and its kinds. */
const TABLE: readonly (readonly [release: string, now: string, was: string, kinds: string])[] = [
  ['1.16', 'networking.cluster.io/v1', 'extensions/v1beta1', 'NetworkPolicy'],
  ['1.16', 'apps/v1', 'extensions/v1beta1', 'DaemonSet Deployment ReplicaSet'],
  ['1.16', 'apps/v1', 'apps/v1beta1', 'Deployment StatefulSet ReplicaSet'],
  ['1.16', 'apps/v1', 'apps/v1beta2', 'DaemonSet Deployment StatefulSet ReplicaSet'],
  ['1.16', 'policy/v1beta1', 'extensions/v1beta1', 'PodSecurityPolicy'],
  [
    '1.22',
    'admissionregistration.cluster.io/v1',
    'admissionregistration.cluster.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  ],
  [
    '1.22',
    'apiextensions.cluster.io/v1',
    'apiextensions.cluster.io/v1beta1',
    'CustomResourceDefinition',
  ],
  ['1.22', 'apiregistration.cluster.io/v1', 'apiregistration.cluster.io/v1beta1', 'APIService'],
  ['1.22', 'authentication.cluster.io/v1', 'authentication.cluster.io/v1beta1', 'TokenReview'],
  [
    '1.22',
    'authorization.cluster.io/v1',
    'authorization.cluster.io/v1beta1',
    'LocalSubjectAccessReview SelfSubjectAccessReview SubjectAccessReview',
  ],
  [
    '1.22',
    'certificates.cluster.io/v1',
    'certificates.cluster.io/v1beta1',
    'CertificateSigningRequest',
  ],
  ['1.22', 'coordination.cluster.io/v1', 'coordination.cluster.io/v1beta1', 'Lease'],
  ['1.22', 'networking.cluster.io/v1', 'extensions/v1beta1', 'Ingress'],
  ['1.22', 'networking.cluster.io/v1', 'networking.cluster.io/v1beta1', 'Ingress IngressClass'],
  [
    '1.22',
    'rbac.authorization.cluster.io/v1',
    'rbac.authorization.cluster.io/v1beta1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
  ],
  ['1.22', 'scheduling.cluster.io/v1', 'scheduling.cluster.io/v1beta1', 'PriorityClass'],
  [
    '1.22',
    'storage.cluster.io/v1',
    'storage.cluster.io/v1beta1',
    'CSIDriver CSINode StorageClass VolumeAttachment',
  ],
  ['1.25', 'batch/v1', 'batch/v1beta1', 'CronJob'],
  ['1.25', 'discovery.cluster.io/v1', 'discovery.cluster.io/v1beta1', 'EndpointSlice'],
  ['1.25', 'events.cluster.io/v1', 'events.cluster.io/v1beta1', 'Event'],
  ['1.25', 'autoscaling/v2', 'autoscaling/v2beta1', 'HorizontalPodAutoscaler'],
  ['1.25', 'policy/v1', 'policy/v1beta1', 'PodDisruptionBudget'],
  ['1.25', '', 'policy/v1beta1', 'PodSecurityPolicy'],
  ['1.25', 'node.cluster.io/v1', 'node.cluster.io/v1beta1', 'RuntimeClass'],
  [
    '1.26',
    'flowcontrol.apiserver.cluster.io/v1beta2',
    'flowcontrol.apiserver.cluster.io/v1beta1',
    'FlowSchema PriorityLevelConfiguration',
  ],
  ['1.26', 'autoscaling/v2', 'autoscaling/v2beta2', 'HorizontalPodAutoscaler'],
];

t.test('each row of the migration table, in both dialects', async (t) => {
  const uses = TABLE.flatMap(([release, now, was, kinds]) =>
    kinds.split(' ').map((kind) => ({ release, now, was, kind })),
  );
  const file = join(FOLDER, 'table.json');
  t.teardown(() => rmSync(file));
  for (const spell of [(version: string) => version, swapGroupVersion]) {
    const documents = uses.map(({ was, kind }) => ({ apiVersion: spell(was), kind }));
    // Some groups are spelled the same in both: this shows which dialect it is.
    const hint = { apiVersion: spell('node.cluster.io/v1'), kind: 'RuntimeClass' };
    writeFileSync(file, [hint, ...documents].map((one) => JSON.stringify(one)).join('\n'));
    const lines = uses.map(({ release, now, was, kind }, index) => {
      const instead = now === '' ? 'nothing replaces it' : `use ${spell(now)}`;
      const what = `${spell(was)} ${kind} is gone in ${release}: ${instead}`;
      return `/table.json:${index + 2}: ${kind}: ${what}\n`;
    });
    const out = `${lines.join('')}breaks: 12 in 1.16, 22 in 1.22, 7 in 1.25, 3 in 1.26\n`;
    t.same(await check(file), { status: 1, out, said: [] });
  }
});

t.test('manifests, in the order of the releases', async (t) => {
  const applied = JSON.stringify({ apiVersion: 'extensions/v1beta1', kind: 'Ingress' });
  const budget = {
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudgetList',
    items: [{ metadata: { name: 'b', namespace: 'shop' } }],
  };
  const texts: Record<string, string> = {
    'a.yaml':
      'apiVersion: autoscaling/v2beta2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\n---\n' +
      'kind: ConfigMap\napiVersion: v1\n---\n' +
      `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: i\n  annotations:\n` +
      `    kubectl.kubernetes.io/last-applied-configuration: '${applied}'\n`,
    'b.json': JSON.stringify(budget),
    'c.yaml': 'apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: p}\n',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(FOLDER, name), text);
  t.same(await check(FOLDER), {
    status: 1,
    out: `/a.yaml:8: Ingress i: extensions/v1beta1 Ingress (what was applied last) is gone in 1.22: use networking.k8s.io/v1
/b.json:1: PodDisruptionBudget shop/b: policy/v1beta1 PodDisruptionBudget is gone in 1.25: use policy/v1
/c.yaml:1: PodSecurityPolicy p: policy/v1beta1 PodSecurityPolicy is gone in 1.25: nothing replaces it
/a.yaml:1: HorizontalPodAutoscaler h: autoscaling/v2beta2 HorizontalPodAutoscaler is gone in 1.26: use autoscaling/v2
breaks: 1 in 1.22, 2 in 1.25, 1 in 1.26
`,
    said: [],
  });
  const early = await check(FOLDER, '--release', '1.22');
  t.match(early.out, /breaks: 1 in 1\.22\n$/);
  t.same(await check(join(FOLDER, 'a.yaml'), '--release', '1.21'), {
    status: 0,
    out: 'nothing breaks\n',
    said: [],
  });
  writeFileSync(join(FOLDER, 'd.yaml'), 'a: [');
  writeFileSync(join(FOLDER, 'e.yaml'), 'kind: CronJob\napiVersion: batch/v2alpha1\n');
  const broken = await check(FOLDER);
  t.equal(broken.status, 2);
  t.match(
    broken.out,
    /\nbreaks: 1 in 1\.22, 2 in 1\.25, 1 in 1\.26, of what could be looked at\n$/,
  );
  t.match(broken.said, [
    /d\.yaml: yaml: line 1/,
    /e\.yaml:1: CronJob: batch\/v2alpha1 is no version that is known of this kind$/,
  ]);
});

t.test('for a release, what replaces a version is one that it has', async (t) => {
  const file = join(FOLDER, 'target.json');
  t.teardown(() => rmSync(file));
  const uses = [
    { apiVersion: 'extensions/v1beta1', kind: 'PodSecurityPolicy' },
    { apiVersion: 'extensions/v1beta1', kind: 'Ingress' },
    { apiVersion: 'node.k8s.io/v1alpha1', kind: 'RuntimeClass' },
  ];
  writeFileSync(file, uses.map((use) => JSON.stringify(use)).join('\n'));
  const rows: [release: string, policy: string, ...others: string[]][] = [
    ['1.22', 'use policy/v1beta1'],
    // A version may go without having been deprecated.
    ['1.26', 'nothing replaces it', 'node.k8s.io/v1alpha1 RuntimeClass is gone in 1.24'],
  ];
  for (const [release, policy, ...others] of rows) {
    const { status, out } = await check(file, '--release', release);
    t.equal(status, 1);
    t.match(out, `extensions/v1beta1 PodSecurityPolicy is gone in 1.16: ${policy}\n`);
    t.match(out, 'extensions/v1beta1 Ingress is gone in 1.22: use networking.k8s.io/v1\n');
    for (const other of others) t.match(out, `${other}: use node.k8s.io/v1\n`);
    t.equal(out.includes('RuntimeClass'), others.length > 0);
  }
});

t.test('the objects of a server, by who wrote them', async (t) => {
  const server = await sharedServer();
  const path = '/apis/batch/v1beta1/namespaces/default/cronjobs?fieldManager=tester';
  const job = { ...minimalObject(kindNamed('CronJob'), 'check-deprecated') };
  const made = await server.post(path, { ...job, apiVersion: 'batch/v1beta1' });
  t.equal(made.status, 201, made.text);
  const token = join(FOLDER, 'token');
  writeFileSync(token, server.token);
  const url = `http://127.0.0.1:${server.port}`;
  const { status, out, said } = await check('--server', url, '--token-file', token);
  t.match(
    out,
    'CronJob default/check-deprecated: batch/v1beta1 CronJob (manager tester) is gone in 1.25: use batch/v1\n',
  );
  t.same({ status, said }, { status: 1, said: [] });
  t.notMatch(out, /PodSecurityPolicy|Lease/);
  await server.delete('/apis/batch/v1/namespaces/default/cronjobs/check-deprecated');
  const stranger = await check('--server', url);
  t.equal(stranger.status, 2);
  t.equal(stranger.out, 'nothing breaks, of what could be looked at\n');
  t.match(stranger.said, [/^GET \/apis: 40[13]$/]);
});

t.test('who does not know the signer of a certificate is told what to give', async (t) => {
  const server = createTlsServer(await selfSigned([]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { status, said } = await check('--server', `https://127.0.0.1:${port}`);
  t.equal(status, 2);
  t.match(said, [
    /^self-signed certificate: give --certificate-authority FILE, or --kubeconfig FILE$/,
  ]);
});

t.test('what a server was asked for', async (t) => {
  const metrics =
    '# TYPE apiserver_requested_deprecated_apis gauge\n' +
    'apiserver_requested_deprecated_apis{group="policy",removed_release="1.25",' +
    'resource="podsecuritypolicies",subresource="",version="v1beta1"} 1\n' +
    'apiserver_requested_deprecated_apis{group="batch",removed_release="1.25",' +
    'resource="cronjobs",subresource="",version="v1beta1"} 0\n';
  const server = createServer((request, response) => {
    response.end(request.url === '/metrics' ? metrics : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { out } = await check('--server', `http://127.0.0.1:${port}`);
  t.equal(
    out,
    '/metrics: policy/v1beta1 PodSecurityPolicy (asked for since the start) is gone in 1.25: ' +
      'nothing replaces it\nbreaks: 1 in 1.25\n',
  );
});

t.test(
  'a check asks for no version that is to go, and so the next one finds the same',
  async (t) => {
    const asked: string[] = [];
    const resource = (name: string, kind: string) => ({ name, kind, verbs: ['list'] });
    const answers: Record<string, unknown> = {
      '/apis': {
        groups: [
          { versions: ['batch/v1beta1', 'batch/v1'].map((groupVersion) => ({ groupVersion })) },
          { versions: [{ groupVersion: 'policy/v1beta1' }] },
        ],
      },
      '/apis/batch/v1beta1': { resources: [resource('cronjobs', 'CronJob')] },
      '/apis/batch/v1': { resources: [resource('cronjobs', 'CronJob')] },
      '/apis/policy/v1beta1': { resources: [resource('podsecuritypolicies', 'PodSecurityPolicy')] },
    };
    let metrics = 'apiserver_storage_objects{resource="podsecuritypolicies.policy"} 2\n';
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.end(url === '/metrics' ? metrics : JSON.stringify(answers[url] ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const { port } = server.address() as AddressInfo;
    const told =
      '/metrics: policy/v1beta1 PodSecurityPolicy (2 objects) is gone in 1.25: ' +
      'nothing replaces it\nbreaks: 1 in 1.25\n';
    t.equal((await check('--server', `http://127.0.0.1:${port}`)).out, told);
    const lists = asked.filter((url) => url.includes('?'));
    t.same(lists, ['/apis/batch/v1/cronjobs?limit=500']);
    metrics = 'apiserver_resource_objects{group="policy",resource="podsecuritypolicies"} 2\n';
    const later = await check('--server', `http://127.0.0.1:${port}`);
    t.equal(later.out, told, 'as later releases call the metric');
  },
);

t.test('what cannot be asked for', async (t) => {
  const wrong: [args: string[], says: RegExp][] = [
    [[], /give one of a FOLDER/],
    [[FOLDER, '--server', 'http://127.0.0.1:1'], /give one of a FOLDER/],
    [[join(FOLDER, 'none')], /none/],
    [['--server', 'nowhere'], /is no URL/],
    [['--server', 'http://127.0.0.1:1'], /./],
    [[FOLDER, '--release', 'soon'], /give one such as 1\.25/],
  ];
  for (const [args, says] of wrong) {
    const { status, out, said } = await check(...args);
    t.same({ status, out }, { status: 2, out: '' }, args.join(' '));
    t.match(said, [says]);
  }
});
