import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { kindNamed, minimalObject } from '../support/kinds.ts';
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
  const broken = await check(FOLDER);
  t.equal(broken.status, 2);
  t.match(broken.said, [/d\.yaml: yaml: line 1/]);
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
  t.match(stranger.said, [/^GET \/apis: 40[13]$/]);
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
