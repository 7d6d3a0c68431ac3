import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { PLUGINS } from '../src/admission/plugins.ts';
import { AUTHENTICATORS } from '../src/auth/authentication/authenticators.ts';
import { AUTHORIZERS } from '../src/auth/authorizers.ts';
import { FLAGS } from '../src/config/flags.ts';
import { helpText, readCommand, type Command, type Config } from '../src/config/config.ts';
import { DEFAULT_RELEASE } from '../src/release/release.ts';
import { DEFAULT_GATES } from '../src/release/own-gates.ts';
import { FLAG_OF } from './support/flag-members.ts';

const RENEWED_EACH_SECOND = { leaseMs: 15_000, renewMs: 1_000 };
const folder = mkdtempSync(join(tmpdir(), 'shardplane-config-'));
t.teardown(() => rmSync(folder, { recursive: true }));

let fileCount = 0;

function configFile(text: string): string {
  const file = join(folder, `config-${fileCount++}.yaml`);
  writeFileSync(file, text);
  return file;
}

function config(...args: string[]): Config {
  const command = readCommand(args);
  if (command.run !== 'serve') throw new Error(`asked to ${command.run}`);
  return command.config;
}

t.test('without arguments everything has its preset', async (t) => {
  t.match(config(), {
    bindAddress: '127.0.0.1',
    port: 8080,
    securePort: 6443,
    dataDir: resolve('.shardplane'),
    durability: 'fsync',
    apiDomain: 'cluster.io',
    fronts: 1,
    shardThreads: Math.max(1, availableParallelism() - 1),
    watchHistoryMs: 300_000,
    eventTtlMs: 3_600_000,
    release: DEFAULT_RELEASE.minor,
    allowLowerRelease: false,
    featureGates: DEFAULT_GATES,
    featureGateWarnings: [],
    kindSettings: { serviceClusterIpRange: '10.0.0.0/24' },
    shutdownTimeoutMs: 10_000,
    shutdownDelayMs: 0,
    livezGraceMs: 0,
    authorization: { chain: [{ mode: 'Node' }, { mode: 'RBAC' }], file: '' },
    tls: tls({}),
    browsers: { allowedOrigins: [], transportSecurity: '' },
    observability: { shownMetrics: '', profiling: true },
    advertiseAddress: '',
  });
  t.throws(() => Object.assign(config(), { port: 1 }), 'options do not change');
});

function tls(given: Partial<Config['tls']>): Config['tls'] {
  return {
    certFile: '',
    keyFile: '',
    extraNames: [],
    namedPairs: [],
    minVersion: 'TLSv1.2',
    cipherSuites: undefined,
    clientAuthorityFile: '',
    ...given,
  };
}

/** Ports can be shared on Linux alone. */
const MORE_FRONTS: [string, string, Partial<Config>][] =
  process.platform === 'linux' ? [['fronts', '2', { fronts: 2 }]] : [];

t.test('every flag is heard, in both spellings', async (t) => {
  const rows: [string, string, Partial<Config>][] = [
    ['bind-address', '0.0.0.0', { bindAddress: '0.0.0.0' }],
    ['advertise-address', '192.0.2.1', { advertiseAddress: '192.0.2.1' }],
    [
      'tls-extra-san',
      'a.example.org, *.b.example.org,::2',
      { tls: tls({ extraNames: ['a.example.org', '*.b.example.org', '::2'] }) },
    ],
    [
      'tls-sni-cert-key',
      'a.crt, a.key:*.a.example.org, b',
      {
        tls: tls({
          namedPairs: [{ certFile: 'a.crt', keyFile: 'a.key', names: ['*.a.example.org', 'b'] }],
        }),
      },
    ],
    ['tls-min-version', 'VersionTLS13', { tls: tls({ minVersion: 'TLSv1.3' }) }],
    [
      'tls-cipher-suites',
      'TLS_AES_128_GCM_SHA256,TLS_RSA_WITH_AES_128_CBC_SHA256',
      { tls: tls({ cipherSuites: ['AES128-SHA256'] }) },
    ],
    ['client-ca-file', 'ca.crt', { tls: tls({ clientAuthorityFile: 'ca.crt' }) }],
    [
      'cors-allowed-origins',
      String.raw`\.example\.org$,^https://x$`,
      {
        browsers: {
          allowedOrigins: [String.raw`\.example\.org$`, '^https://x$'],
          transportSecurity: '',
        },
      },
    ],
    [
      'strict-transport-security-directives',
      'max-age=600,includeSubDomains',
      { browsers: { allowedOrigins: [], transportSecurity: 'max-age=600; includeSubDomains' } },
    ],
    ['port', '0', { port: 0 }],
    ['port', '65535', { port: 65_535 }],
    ['secure-port', '0', { securePort: 0 }],
    ['data-dir', '/tmp/x/../y', { dataDir: '/tmp/y' }],
    ['durability', 'relaxed', { durability: 'relaxed' }],
    ['api-domain', 'k8s.io', { apiDomain: 'k8s.io' }],
    ['api-domain', 'cluster.io', { apiDomain: 'cluster.io' }],
    [
      'feature-gates',
      'IdentifyPodOS=1, ProcMountType=true,ProcMountType=F',
      { featureGates: new Set([...DEFAULT_GATES, 'IdentifyPodOS'] as const) },
    ],
    ...MORE_FRONTS,
    ['shard-threads', '3', { shardThreads: 3 }],
    ['watch-history', '30s', { watchHistoryMs: 30_000 }],
    ['watch-history', '250ms', { watchHistoryMs: 250 }],
    ['shutdown-timeout', '2m', { shutdownTimeoutMs: 120_000 }],
    ['shutdown-delay-duration', '1h', { shutdownDelayMs: 3_600_000 }],
    ['coordinated-leadership-retry-period', '1s', { leadership: RENEWED_EACH_SECOND }],
    [
      'legacy-service-account-token-clean-up-period',
      '8761h',
      { legacyTokensPeriodMs: 8_761 * 3_600_000 },
    ],
    ['livez-grace-period', '596h', { livezGraceMs: 596 * 3_600_000 }],
  ];
  for (const [flag, value, expected] of rows) {
    t.match(config(`--${flag}`, value), expected, `--${flag} ${value}`);
    t.match(config(`--${flag}=${value}`), expected, `--${flag}=${value}`);
    t.match(config('--config', configFile(`${flag}: ${value}\n`)), expected, `${flag} in a file`);
  }
  const pair = ['--tls-cert-file', 'a.crt', '--tls-private-key-file', 'a.key'];
  t.match(config(...pair), { tls: tls({ certFile: 'a.crt', keyFile: 'a.key' }) });
  const signing = pair.map((value) => value.replace(/^--tls(-private)?/, '--cluster-signing'));
  t.match(config(...signing, '--cluster-signing-duration=1h'), {
    signing: { certFile: 'a.crt', keyFile: 'a.key', durationMs: 3_600_000 },
  });
  const named = (file: string) => ['--tls-sni-cert-key', `${file}.crt,${file}.key`];
  t.same(
    config(...named('a'), ...named('b')).tls.namedPairs.map(({ keyFile }) => keyFile),
    ['a.key', 'b.key'],
    'several pairs for some names',
  );
});

t.test('the command line wins over the file, the file over the preset', async (t) => {
  const file = configFile('port: 1234\nwatch-history: 1m\n');
  t.match(config('--port', '99', '--config', file), { port: 99, watchHistoryMs: 60_000 });
  t.match(config('--config', file, '--port', '99'), { port: 99, securePort: 6443 });
  t.match(config('--config', configFile('')), { port: 8080 }, 'an empty file says nothing');
});

t.test('a certificate is asked for by a user and groups', async (t) => {
  const { config: shown, ...command } = readCommand([
    '--write-client-cert=system:node:a,system:nodes, b,b',
    '--port=99',
  ]) as Extract<Command, { run: 'writeClientCertificate' }>;
  const client = { user: 'system:node:a', groups: ['system:nodes', 'b'] };
  t.same([command, shown.port], [{ run: 'writeClientCertificate', client }, 99]);
});

t.test('help and version win over all else that is well formed', async (t) => {
  t.match(readCommand(['--help']), { run: 'help', release: { minor: DEFAULT_RELEASE.minor } });
  t.match(readCommand(['--help', '--release', '1.37']), { release: { minor: 37 } });
  t.same(readCommand(['--version']), { run: 'version' });
  const help = helpText(DEFAULT_RELEASE);
  for (const name of Object.keys(FLAG_OF)) t.match(help, `--${name} `, `${name} is explained`);
  t.notOk(help.split('\n').some((line) => line.length > 140));
});

t.test('every member of the configuration has a flag', async (t) => {
  const members = new Set([...Object.values(FLAG_OF), 'featureGateWarnings', 'flags']);
  t.same(Object.keys(config()).sort(), [...members].sort());
});

t.test('no two parts of the server have a flag of one name', async (t) => {
  const who = [...Object.values(AUTHENTICATORS), ...Object.values(AUTHORIZERS)];
  const parts = [...who, ...Object.values(PLUGINS).flatMap(({ options }) => options ?? [])];
  const flags = parts.flatMap((part) => Object.entries(part.flags));
  t.ok(flags.length > 30);
  for (const [name, flag] of flags) t.equal(FLAGS[name as keyof typeof FLAGS], flag, name);
});

t.test('what is wrong is said in one line', async (t) => {
  const port = 'give a port from 1 to 65535, or 0 for none';
  const duration = 'give a whole number with ms, s, m or h, up to 596h';
  const threads = 'give a number from 1 to 64, or auto';
  const rows: [string[], string | RegExp][] = [
    [['--nonsense'], "Unknown option '--nonsense'. See --help for the options"],
    [['--portt', '1'], /^Unknown option '--portt' \(did you mean --port\?\)\. See --help/],
    [['--shardthreads=1'], /'--shardthreads' \(did you mean --shard-threads\?\)\. See/],
    [['--data_dir=a'], /did you mean --data-dir\?/],
    [['--hlep'], /did you mean --help\?/],
    [['--x'], "Unknown option '--x'. See --help for the options"],
    [[`--${'port'.repeat(20_000)}`], /^Unknown option '--(?:port)+'\. See --help/],
    // Flags of the reference that have another name here, and one that has none.
    [
      ['--etcd-compaction-interval', '5m'],
      "Unknown option '--etcd-compaction-interval' (use --watch-history instead). See --help for the options",
    ],
    [['--cert-dir=a'], /'--cert-dir' \(use --tls-cert-file and --tls-private-key-file instead\)\./],
    [['--insecure-port=0'], /\(use --port instead\)/],
    [
      ['--encryption-provider-config=a'],
      "Unknown option '--encryption-provider-config'. See --help for the options",
    ],
    [
      ['--show-hidden-metrics-for-version', '1.21'],
      '--show-hidden-metrics-for-version is "1.21": leave it out, or give 1.22',
    ],
    [
      ['--tls-min-version', 'VersionTLS14'],
      /^--tls-min-version is "VersionTLS14": give one of VersionTLS10, .*VersionTLS13$/,
    ],
    [
      ['--tls-cipher-suites', 'TLS_RSA_WITH_RC4_128_SHA,AES128-SHA'],
      /^--tls-cipher-suites is ".*": Cipher suite AES128-SHA not supported or doesn't exist$/,
    ],
    [
      ['--default-not-ready-toleration-seconds', '5m'],
      '--default-not-ready-toleration-seconds is "5m": give a whole number of seconds',
    ],
    [['--tls-sni-cert-key', 'a.crt'], /^--tls-sni-cert-key is "a.crt": give the files of a cert/],
    [['--tls-sni-cert-key', 'a.crt,a.key:'], /^--tls-sni-cert-key is "a.crt,a.key:": give/],
    [['--cors-allowed-origins', '('], /^--cors-allowed-origins is "\(": error parsing regexp: /],
    [
      ['--strict-transport-security-directives', 'preload,forever'],
      /^--strict-transport-security-directives has "forever": give max-age=SECONDS, /,
    ],
    [
      ['--coordinated-leadership-lease-duration=10s'],
      '--coordinated-leadership-lease-duration must be greater than ' +
        '--coordinated-leadership-renew-deadline',
    ],
    [
      ['--coordinated-leadership-retry-period=10s'],
      '--coordinated-leadership-renew-deadline must be greater than ' +
        '--coordinated-leadership-retry-period',
    ],
    [['stray'], /^Unexpected argument 'stray'.* See --help for the options$/],
    [['--port'], /^Option '--port <value>' argument missing\. See --help for the options$/],
    [['--port', '-1'], /^Option '--port' argument is ambiguous.*See --help for the options$/],
    [['--port='], `--port is "": ${port}`],
    [['--port', '80a'], `--port is "80a": ${port}`],
    [['--port', '65536'], `--port is "65536": ${port}`],
    [['--secure-port=-1'], `--secure-port is "-1": ${port}`],
    [['--durability', 'never'], '--durability is "never": give fsync or relaxed'],
    [['--api-domain', 'example.com'], '--api-domain is "example.com": give cluster.io or k8s.io'],
    [['--api-domain='], '--api-domain is "": give cluster.io or k8s.io'],
    [['--api-domain', 'K8S.IO'], '--api-domain is "K8S.IO": give cluster.io or k8s.io'],
    [['--fronts', '0'], '--fronts is "0": give a number from 1 to 16'],
    [['--fronts', '1.5'], '--fronts is "1.5": give a number from 1 to 16'],
    [['--fronts', '17'], '--fronts is "17": give a number from 1 to 16'],
    [['--shard-threads', '0'], `--shard-threads is "0": ${threads}`],
    [['--shard-threads', '65'], `--shard-threads is "65": ${threads}`],
    [['--shard-threads', '1.5'], `--shard-threads is "1.5": ${threads}`],
    [['--shard-threads='], `--shard-threads is "": ${threads}`],
    [['--watch-history', '5'], `--watch-history is "5": ${duration}`],
    [['--watch-history', '1.5m'], `--watch-history is "1.5m": ${duration}`],
    [['--watch-history', '597h'], `--watch-history is "597h": ${duration}`],
    [['--shutdown-timeout', '5d'], `--shutdown-timeout is "5d": ${duration}`],
    [
      ['--port', '0', '--secure-port', '0'],
      '--port and --secure-port are both 0: give at least one to listen on',
    ],
    [
      ['--feature-gates', 'Nonsense=true'],
      /^--feature-gates is "Nonsense=true": there is no feature gate "Nonsense", only AllAlpha/,
    ],
    [
      ['--feature-gates', 'IdentifyPodOS'],
      /^--feature-gates is "IdentifyPodOS": "IdentifyPodOS" is not IdentifyPodOS=true or Ident/,
    ],
    [['--feature-gates', 'IdentifyPodOS=2'], /"IdentifyPodOS=2" is not IdentifyPodOS=true or/],
    [['--feature-gates', 'IdentifyPodOS=true=x'], /"IdentifyPodOS=true=x" is not IdentifyPodOS/],
    [['--tls-cert-file', 'x'], '--tls-cert-file and --tls-private-key-file need each other'],
    [['--tls-private-key-file', 'x'], /need each other$/],
    [
      ['--cluster-signing-key-file', 'x'],
      '--cluster-signing-cert-file and --cluster-signing-key-file need each other',
    ],
    [
      ['--cluster-signing-duration', '1y'],
      /"1y": give a whole number with ms, s, m or h, up to 87/,
    ],
    [['--write-client-cert', 'jane,'], '--write-client-cert is "jane,": give USER or USER,GROUP,…'],
    [['--tls-extra-san', 'a,b_c'], '--tls-extra-san has "b_c": give DNS names and IP addresses'],
    [['--advertise-address', '127.0.0.1'], /^--advertise-address is "127\.0\.0\.1": give an IP/],
    [['--advertise-address', 'here'], /^--advertise-address is "here": give an IP/],
  ];
  for (const [args, message] of rows) {
    t.throws(() => readCommand(args), { name: 'ConfigError', message }, args.join(' '));
    try {
      readCommand(args);
    } catch (error) {
      t.notMatch((error as Error).message, '\n');
    }
  }
});

t.test('what is wrong with a file is said with its name', async (t) => {
  const rows: [string, RegExp][] = [
    ['nonsense: 1', /^unknown option "nonsense" in .*\.yaml\. See --help for the options$/],
    ['portt: 1', /^unknown option "portt" in .*\.yaml \(did you mean port\?\)\. See --help/],
    ['insecure-port: 1', /^unknown option "insecure-port" in .* \(use port instead\)\. See/],
    ['etcd-servers: http://a:2379', /^--etcd-servers is given, and --store is local: give --store/],
    ['config: other.yaml', /^unknown option "config"/],
    ['help: true', /^unknown option "help"/],
    ['__proto__: 1', /^unknown option "__proto__"|must hold lines/],
    ['- port', /\.yaml must hold lines of "option: value"$/],
    ['just a text', /\.yaml must hold lines of "option: value"$/],
    ['port: [1]', /^option "port" in .*\.yaml must be a text or a number$/],
    ['port: true', /^option "port" in .*\.yaml must be a text or a number$/],
    ['port: 99999', /^--port is "99999"/],
    ['port: "1\n', /^cannot read the config file [^\n]*\.yaml: [^\n]*$/],
    ['port: 1\nport: 2', /^cannot read the config file [^\n]*\.yaml: [^\n]*$/],
    ['- '.repeat(5_000), /\.yaml: yaml: line 1: exceeded max depth of 500$/],
    [`a: 1\n---\n${'? '.repeat(5_000)}`, /\.yaml: yaml: line 3: exceeded max depth of 500$/],
  ];
  for (const [text, message] of rows) {
    const args = ['--config', configFile(text)];
    t.throws(() => readCommand(args), { name: 'ConfigError', message }, text);
  }
  const missing = join(folder, 'missing.yaml');
  t.throws(() => readCommand(['--config', missing]), {
    name: 'ConfigError',
    message: /^cannot read the config file .*missing\.yaml: ENOENT/,
  });
});

t.end();
