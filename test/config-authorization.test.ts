import t from 'tap';
import { readCommand } from '../src/config/config.ts';
import type { Config } from '../src/config/config.ts';

const folder = t.testdir({
  'hook.kubeconfig': 'clusters: [{cluster: {server: "https://a.example"}}]',
  'mode.yaml': 'authorization-mode: RBAC\n',
});

function config(...args: readonly string[]): Config {
  const command = readCommand(args);
  if (command.run !== 'serve') throw new Error(`asked to ${command.run}`);
  return command.config;
}

t.test('modes are asked in the order of the option', async (t) => {
  const { chain, file } = config('--authorization-mode', 'RBAC,AlwaysDeny').authorization;
  t.same(
    chain.map(({ mode, name }) => [mode, name]),
    [
      ['RBAC', 'rbac'],
      ['AlwaysDeny', 'alwaysdeny'],
    ],
  );
  t.equal(file, '');
});

t.test('a webhook that decides is read from its kubeconfig', async (t) => {
  const file = `${folder}/hook.kubeconfig`;
  const mode = ['--authorization-mode', 'Webhook,RBAC'];
  const option = '--authorization-webhook';
  const given = [...mode, `${option}-config-file`, file];
  const settingsOf = (...args: string[]) => config(...args).authorization.chain[0]?.settings;
  const webhook = settingsOf(...given);
  t.match(webhook, { version: 'v1beta1', allowedMs: 300_000, refusedMs: 30_000 });
  t.match(webhook, { target: { url: 'https://a.example' } });
  const ttls = [`${option}-cache-authorized-ttl=1s`, `${option}-cache-unauthorized-ttl=2s`];
  const others = settingsOf(...given, ...ttls, `${option}-version=v1`);
  t.match(others, { version: 'v1', allowedMs: 1_000, refusedMs: 2_000 });
  t.throws(() => config(...mode), { name: 'ConfigError', message: /need each other$/ });
  t.throws(() => config(`${option}-config-file`, file), { message: /need each other$/ });
  t.throws(() => config(...given, `${option}-version=v2`), { message: /give v1 or v1beta1$/ });
});

t.test('a file of who decides takes the place of these options', async (t) => {
  const option = '--authorization-config=a.yaml';
  const { authorization, controllers } = config('--release=1.37', option);
  t.same(authorization, { chain: [], file: 'a.yaml' });
  t.same([...controllers], [...config('--release=1.37').controllers]);
  const both =
    '--authorization-config can not be specified when --authorization-mode or ' +
    '--authorization-webhook-* flags are defined';
  for (const other of [
    '--authorization-mode=Node,RBAC',
    '--authorization-webhook-cache-authorized-ttl=5m',
    `--config=${folder}/mode.yaml`,
  ]) {
    t.throws(() => config('--release=1.37', option, other), { message: both }, other);
  }
  const off =
    '--authorization-config cannot be used without enabling ' +
    'StructuredAuthorizationConfiguration feature flag';
  for (const release of ['1.23', '1.29']) {
    t.throws(() => config(`--release=${release}`, option), { message: off }, release);
  }
  const on = '--feature-gates=StructuredAuthorizationConfiguration=true';
  t.equal(config('--release=1.29', on, option).authorization.file, 'a.yaml');
});
