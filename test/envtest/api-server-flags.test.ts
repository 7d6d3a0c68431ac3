/** Each flag of a `kube-apiserver` has a meaning for the server. */
import t from 'tap';
import { readCommand } from '../../src/config/config.ts';
import type { Config } from '../../src/config/config.ts';
import { translateFlags } from '../../src/envtest/api-server-flags.ts';

const PRESETS = [
  '--api-domain=k8s.io',
  '--authorization-mode=AlwaysAllow',
  '--controllers=bootstrap,event-expiry',
  '--durability=relaxed',
  '--port=0',
];

/**
 * The given flags, those that the server gets of them after its presets, and the complaint about
 * the rest.
 */
const ROWS: readonly [given: string, args: readonly string[], warnings?: readonly string[]][] = [
  ['', []],
  // Those that the server has itself.
  [
    '--secure-port=1234 --bind-address=127.0.0.1',
    ['--secure-port=1234', '--bind-address=127.0.0.1'],
  ],
  ['--secure-port 1234', ['--secure-port=1234']],
  ['--secure_port=1234', ['--secure-port=1234']],
  ['--client-ca-file=/c/ca.crt', ['--client-ca-file=/c/ca.crt']],
  ['--service-cluster-ip-range=10.0.0.0/24', ['--service-cluster-ip-range=10.0.0.0/24']],
  [
    '--service-account-issuer=https://127.0.0.1:1/',
    ['--service-account-issuer=https://127.0.0.1:1/'],
  ],
  ['--service-account-signing-key-file=/c/k', ['--service-account-signing-key-file=/c/k']],
  ['--anonymous-auth --event-ttl=2h', ['--anonymous-auth=true', '--event-ttl=2h']],
  ['--anonymous-auth=false', ['--anonymous-auth=false']],
  ['--controllers=*', ['--controllers=*']],
  ['-v 4', ['--v=4']],
  // Those that come several times.
  [
    '--service-account-key-file=a --service-account-key-file=b',
    ['--service-account-key-file=a', '--service-account-key-file=b'],
  ],
  ['--authorization-mode=Node --authorization-mode=RBAC', ['--authorization-mode=Node,RBAC']],
  [
    '--disable-admission-plugins=ServiceAccount --disable-admission-plugins=Priority,LimitRanger',
    ['--disable-admission-plugins=ServiceAccount,Priority,LimitRanger'],
  ],
  [
    '--runtime-config=batch/v1=true --runtime-config=v1=true',
    ['--runtime-config=batch/v1=true,v1=true'],
  ],
  // Items that come and go with releases.
  [
    '--enable-admission-plugins=ServiceAccount,FromTomorrow',
    ['--enable-admission-plugins=ServiceAccount'],
    ['--enable-admission-plugins: FromTomorrow is not known here and has no effect'],
  ],
  [
    '--feature-gates=FromTomorrow=true,IdentifyPodOS=true',
    ['--feature-gates=IdentifyPodOS=true'],
    ['--feature-gates: FromTomorrow=true is not known here and has no effect'],
  ],
  // Those that mean something else, or nothing.
  ['--cert-dir=/empty', []],
  [
    '--cert-dir=/c',
    ['--tls-cert-file=/c/apiserver.crt', '--tls-private-key-file=/c/apiserver.key'],
  ],
  [
    '--cert-dir=/c --tls-cert-file=a --tls-private-key-file=b',
    ['--tls-cert-file=a', '--tls-private-key-file=b'],
  ],
  ['--advertise-address=192.0.2.1', ['--advertise-address=192.0.2.1']],
  [
    '--advertise-address=127.0.0.1',
    [],
    ['--advertise-address 127.0.0.1 is left out: nobody else could reach it'],
  ],
  ['--allow-privileged --secure-port=1', ['--secure-port=1']],
  ['--allow-privileged=true', []],
  ['--allow-privileged=false', [], ['--allow-privileged is always true here']],
  ['--vmodule=a=1 --logtostderr --alsologtostderr=true', []],
  ['--etcd-prefix=/a --storage-backend=etcd3 --watch-cache=false', []],
  // Those that have another name here.
  ['--logging-format=json', ['--log-format=json']],
  ['--service-account-api-audiences=a', ['--api-audiences=a']],
  // Those that nobody knows: named, and their values with them.
  ['--no-such=a', [], ['--no-such is not known here and has no effect']],
  [
    '--no-such a --secure-port=1',
    ['--secure-port=1'],
    ['--no-such is not known here and has no effect'],
  ],
  [
    '--no-such --secure-port=1',
    ['--secure-port=1'],
    ['--no-such is not known here and has no effect'],
  ],
  ['--insecure-port=0', [], ['--insecure-port is not known here and has no effect']],
];

function translate(given: string): ReturnType<typeof translateFlags> {
  const files = ['/c/apiserver.crt', '/c/apiserver.key'];
  const args = given.split(' ').filter((arg) => arg !== '');
  return translateFlags(args, (path) => files.includes(path));
}

t.test('each flag is translated', async (t) => {
  for (const [given, args, warnings = []] of ROWS) {
    t.same(translate(given), { args: [...PRESETS, ...args], databases: [], warnings }, given);
  }
});

t.test('the servers of the database are told', async (t) => {
  const urls = ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'http://127.0.0.1:3'];
  const { args, databases, warnings } = translate(
    `--etcd-servers=${urls[0]},${urls[1]} --etcd-servers=${urls[2]}`,
  );
  t.same({ args, databases, warnings }, { args: PRESETS, databases: urls, warnings: [] });
});

t.test('what is no flag is refused', async (t) => {
  for (const given of ['serve', '--', '-', '--=a', '--secure-port=1 more']) {
    t.throws(() => translate(given), { name: 'ConfigError' }, given);
  }
});

/** Gives the configuration that the server makes of them. */
function config(given: string): Config {
  const command = readCommand(translate(given).args);
  if (command.run !== 'serve') throw new Error(`asked to ${command.run}`);
  return command.config;
}

t.test('the server understands what envtest gives', async (t) => {
  const given =
    '--allow-privileged=true --authorization-mode=RBAC --bind-address=127.0.0.1 --cert-dir=/c ' +
    '--client-ca-file=/c/client-cert-auth-ca.crt --disable-admission-plugins=ServiceAccount ' +
    '--etcd-servers=http://127.0.0.1:2379 --secure-port=44321 ' +
    '--service-account-issuer=https://127.0.0.1:44321/ ' +
    '--service-account-key-file=/c/sa-signer.crt ' +
    '--service-account-signing-key-file=/c/sa-signer.key --service-cluster-ip-range=10.0.0.0/24';
  t.same(translate(given).warnings, []);
  const { admission, ...read } = config(given);
  t.match(read, {
    bindAddress: '127.0.0.1',
    port: 0,
    securePort: 44_321,
    apiDomain: 'k8s.io',
    durability: 'relaxed',
    authorization: { chain: [{ mode: 'RBAC' }], file: '' },
    tls: {
      certFile: '/c/apiserver.crt',
      keyFile: '/c/apiserver.key',
      clientAuthorityFile: '/c/client-cert-auth-ca.crt',
    },
    authentication: {
      serviceAccounts: {
        keyFiles: ['/c/sa-signer.crt'],
        signingKeyFile: '/c/sa-signer.key',
        issuers: ['https://127.0.0.1:44321/'],
      },
    },
  });
  t.notOk(admission.plugins.includes('ServiceAccount'));
  t.ok(admission.plugins.includes('ResourceQuota'));
  t.notOk(read.controllers.has('garbage-collector'), 'as without a controller manager');
  t.ok(config('--controllers=*').controllers.has('garbage-collector'), 'who wants it may have it');
});
