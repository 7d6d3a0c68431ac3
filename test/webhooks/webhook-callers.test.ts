/** As whom webhooks are called that objects of the API name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { stringify } from 'yaml';
import { PLUGINS } from '../../src/admission/plugins.ts';
import { kubeconfigCallers } from '../../src/webhooks/kubeconfig.ts';
import { callerOf } from '../../src/webhooks/webhook-callers.ts';

const folder = mkdtempSync(join(tmpdir(), 'shardplane-callers-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function kubeconfig(names: readonly string[], current = ''): string {
  const file = join(folder, 'kubeconfig');
  const users = names.map((name) => ({ name, user: { token: name } }));
  const contexts = [{ name: 'x', context: { user: current } }];
  writeFileSync(file, stringify({ users, contexts, 'current-context': 'x' }));
  return file;
}

t.test('the user whose name fits best, as in the reference', async (t) => {
  const service = { name: 'hook', namespace: 'shop', path: '/', port: 443 };
  const byUrl = (url: string) => ({ url });
  const rows: [target: Parameters<typeof callerOf>[1], users: string[], found: string][] = [
    [byUrl('https://a.example.com/x'), ['a.example.com'], 'a.example.com'],
    [byUrl('https://a.example.com/x'), ['a.example.com:443', 'a.example.com'], 'a.example.com:443'],
    [byUrl('https://a.example.com:8443'), ['a.example.com'], ''],
    [byUrl('https://a.example.com:8443'), ['a.example.com:8443', '*'], 'a.example.com:8443'],
    [
      byUrl('https://a.example.com:8443'),
      ['*.com:8443', '*.example.com:8443'],
      '*.example.com:8443',
    ],
    [byUrl('https://a.example.com'), ['*.com', '*.example.com:443'], '*.example.com:443'],
    [byUrl('https://a.example.com'), ['*.example.com', '*'], '*.example.com'],
    [byUrl('https://a.example.com'), ['*', 'b.example.com'], '*'],
    [byUrl('https://[::1]:8443/'), ['[::1]:8443'], '[::1]:8443'],
    [byUrl('https://toString/'), ['a'], ''],
    [{ service }, ['hook.shop.svc'], 'hook.shop.svc'],
    [{ service }, ['*.shop.svc', '*.svc'], '*.shop.svc'],
    [
      { service: { ...service, port: 8443 } },
      ['hook.shop.svc', 'hook.shop.svc:8443'],
      'hook.shop.svc:8443',
    ],
  ];
  for (const [target, users, found] of rows) {
    const { authorization = '' } = callerOf(kubeconfigCallers(kubeconfig(users)), target) ?? {};
    t.equal(
      authorization,
      found === '' ? '' : `Bearer ${found}`,
      `${JSON.stringify(target)} ${users.join()}`,
    );
  }
  const others = kubeconfigCallers(kubeconfig(['b', 'c'], 'c'));
  t.equal(callerOf(others, byUrl('https://a'))?.authorization, 'Bearer c', 'the current context');
});

const TOOLS = { gates: DEFAULT_GATES, typeOf: () => Promise.reject(new Error('not asked')) };

t.test('the settings of both plugins name the file', async (t) => {
  const kubeConfigFile = kubeconfig(['*']);
  const v1 = {
    apiVersion: 'apiserver.config.cluster.io/v1',
    kind: 'WebhookAdmissionConfiguration',
  };
  const old = { apiVersion: 'apiserver.config.cluster.io/v1alpha1', kind: 'WebhookAdmission' };
  for (const name of ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook']) {
    const { check, read } = PLUGINS[name]!;
    const problems = async (settings: object): Promise<string> =>
      (await check!({ ...settings }, DEFAULT_GATES))
        .map(({ field, message }) => `${field}: ${message}`)
        .join();
    t.equal(await problems({}), '');
    for (const form of [v1, old]) {
      t.equal(await problems({ ...form, kubeConfigFile }), '');
      t.match(await read!({ ...form, kubeConfigFile }, TOOLS), {
        callers: { byName: { '*': {} } },
      });
    }
    t.equal(
      await problems({ ...v1, kubeConfigFile: 'beside' }),
      'kubeConfigFile: Invalid value: "beside": must be an absolute file path',
    );
    t.match(await problems({ ...v1, kind: 'WebhookAdmission', kubeConfigFile }), /^kind: Unsupp/);
    t.match(await problems({ kubeConfigFile }), /^apiVersion: Required value/);
    await t.rejects(read!({ ...v1, kubeConfigFile: join(folder, 'none') }, TOOLS), {
      message: /none cannot be used: ENOENT/,
    });
  }
});
