import t from 'tap';
import { auditSettings, readAuditPolicy } from '../src/config/audit-policy.ts';
import { ConfigError } from '../src/base/options/config-error.ts';
import { readCommand } from '../src/config/config.ts';

const folder = t.testdir({
  'policy.yaml': 'apiVersion: audit.cluster.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n',
});
const POLICY = `--audit-policy-file=${folder}/policy.yaml`;
const LOG = '--audit-log-path=/var/log/audit.log';

function auditOf(...args: readonly string[]) {
  const command = readCommand(args);
  return command.run === 'serve' ? command.config.audit : undefined;
}

t.test('nothing is audited unless an option asks for it', async (t) => {
  t.equal(auditOf(), undefined);
  t.same(auditOf(POLICY), { policyFile: `${folder}/policy.yaml` });
});

t.test('the log blocks, grows to 100 MB, and waits for nothing else', async (t) => {
  t.same(auditOf(POLICY, LOG)?.log, {
    version: 'v1',
    mode: 'blocking',
    batch: { bufferSize: 10_000, sizeMax: 1, waitMsMax: 1_000 },
    path: '/var/log/audit.log',
    format: 'json',
    rotation: { bytesMax: 104_857_600, ageMsMax: 0, backupsMax: 0, isCompressed: false },
  });
});

t.test('options of the log', async (t) => {
  const log = auditOf(
    POLICY,
    '--audit-log-path=-',
    '--audit-log-mode=batch',
    '--audit-log-format=legacy',
    '--audit-log-maxsize=0',
    '--audit-log-maxage=2',
    '--audit-log-maxbackup=3',
    '--audit-log-compress',
    '--audit-log-truncate-enabled',
    '--audit-log-batch-throttle-enable=true',
    '--audit-log-batch-throttle-qps=5',
  )?.log;
  t.same(log, {
    version: 'v1',
    mode: 'batch',
    batch: {
      bufferSize: 10_000,
      sizeMax: 1,
      waitMsMax: 1_000,
      throttle: { perSecond: 5, burst: 15 },
    },
    truncation: { eventBytesMax: 102_400, batchBytesMax: 10_485_760 },
    path: '-',
    format: 'legacy',
    rotation: { bytesMax: 0, ageMsMax: 172_800_000, backupsMax: 3, isCompressed: true },
  });
});

const REFUSED: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[LOG], /^--audit-log-path needs --audit-policy-file/],
  [['--audit-webhook-config-file=x'], /^--audit-webhook-config-file needs --audit-policy-file/],
  [[POLICY, '--audit-webhook-config-file=/none'], /^--audit-webhook-config-file: \/none cannot/],
  [['--audit-log-mode=fast'], /^--audit-log-mode is "fast": give one of batch, blocking,/],
  [
    ['--audit-log-version=v1'],
    /^--audit-log-version is "v1": give one of audit\.cluster\.io\/v1, audit\.cluster\.io\/v1beta1, a/,
  ],
  [
    ['--audit-webhook-version=audit.cluster.io/v1', '--api-domain=k8s.io'],
    /^--audit-webhook-version is "audit\.cluster\.io\/v1": give one of audit\.k8s\.io\/v1, /,
  ],
  [['--audit-log-format=xml'], /^--audit-log-format is "xml": give one of json, legacy/],
  [['--audit-log-maxsize=-1'], /^--audit-log-maxsize is "-1": give a whole number/],
  [['--audit-webhook-batch-max-size=0'], /^--audit-webhook-batch-max-size is "0"/],
  [['--audit-webhook-initial-backoff=x'], /^--audit-webhook-initial-backoff is "x"/],
  [
    ['--audit-log-truncate-max-batch-size=5'],
    /^--audit-log-truncate-max-batch-size is less than --audit-log-truncate-max-event-size/,
  ],
];

for (const [args, message] of REFUSED) {
  t.test(`${args.join(' ')} is refused`, async (t) => {
    t.throws(() => readCommand(args), { name: 'ConfigError', message });
  });
}

const DOCUMENT = 'apiVersion: audit.cluster.io/v1\nkind: Policy\n';

/** Policies, and what is said of them after the name of the file. */
const POLICIES: readonly (readonly [text: string, message: string])[] = [
  ['a: [', 'yaml: line 1: Flow sequence in block collection must be sufficiently indented'],
  ['', 'it must hold a Policy'],
  [`# ${'x'.repeat(1024 * 1024)}`, 'it has more than 1048576 bytes'],
  [`${DOCUMENT}rules: []`, 'rules: Required value: give at least one rule'],
  [`${DOCUMENT}rules: 5`, 'rules: Invalid value: 5: must be a list'],
  [`${DOCUMENT}rules: [{}]`, 'rules[0].level: Required value: give one of None, Metadata,'],
  [`${DOCUMENT}rules: [{level: X}]`, 'rules[0].level: Unsupported value: "X"'],
  [`${DOCUMENT}rules: [{level: None, user: [a]}]`, 'rules[0].user: Forbidden: unknown member'],
  [`${DOCUMENT}rules: [{level: None, users: a}]`, 'rules[0].users: Invalid value: "a": must be a'],
  [`${DOCUMENT}rules: [{level: None}]\nomitStages: [End]`, 'omitStages[0]: Unsupported value'],
  [
    `${DOCUMENT}rules: [{level: None, nonResourceURLs: [x]}]`,
    `rules[0].nonResourceURLs[0]: Invalid value: "x": must begin with '/'`,
  ],
  [
    `${DOCUMENT}rules: [{level: None, nonResourceURLs: ["/a*b"]}]`,
    `rules[0].nonResourceURLs[0]: Invalid value: "/a*b": '*' may only be the last character`,
  ],
  [
    `${DOCUMENT}rules: [{level: None, nonResourceURLs: ["/a"], namespaces: [b]}]`,
    'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both',
  ],
  [
    `${DOCUMENT}rules: [{level: None, resources: [{group: apps/v1}]}]`,
    'rules[0].resources[0].group: Invalid value: "apps/v1": a lowercase RFC 1123 subdomain',
  ],
  [
    `${DOCUMENT}rules: [{level: None, resources: [{resourceNames: [a]}]}]`,
    'rules[0].resources[0].resourceNames: Invalid value: ["a"]: using resourceNames requires',
  ],
  [`apiVersion: v1\nkind: Policy\nrules: [{level: None}]`, 'apiVersion: Unsupported value: "v1"'],
  ['- '.repeat(5_000), 'yaml: line 1: exceeded max depth of 500'],
];

for (const [text, message] of POLICIES) {
  t.test(`a policy is refused: ${message}`, async (t) => {
    const file = `${t.testdir({ 'policy.yaml': text })}/policy.yaml`;
    let said = '';
    try {
      readAuditPolicy(file);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      said = error.message;
    }
    const start = `--audit-policy-file: ${file}: ${message}`;
    t.equal(said.slice(0, start.length), start);
    t.notMatch(said, /\n/);
  });
}

t.test('a policy that holds is what its file says', async (t) => {
  t.match(readAuditPolicy(`${folder}/policy.yaml`).rules, [{ level: 'Metadata' }]);
});

t.test('versions of the policy and of events that are deprecated are told', async (t) => {
  const text = 'apiVersion: audit.cluster.io/v1alpha1\nkind: Policy\nrules: [{level: None}]\n';
  const file = `${t.testdir({ 'policy.yaml': text })}/policy.yaml`;
  const options = auditOf(
    `--audit-policy-file=${file}`,
    LOG,
    '--audit-log-version=audit.cluster.io/v1beta1',
  );
  const told: string[] = [];
  t.equal(options && auditSettings(options, (line) => told.push(line)).log?.version, 'v1beta1');
  const why = 'is deprecated and will be removed in a future release, use "audit.cluster.io/v1"';
  t.same(told, [`"audit.cluster.io/v1alpha1" ${why}`, `"audit.cluster.io/v1beta1" ${why}`]);
});

t.test('of many things that are wrong with a policy the first ones are told', async (t) => {
  const text = `${DOCUMENT}rules: [${'5,'.repeat(100)}]`;
  const file = `${t.testdir({ 'policy.yaml': text })}/policy.yaml`;
  t.throws(() => readAuditPolicy(file), { message: /; rules\[9\]: [^;]*; and 90 more$/ });
});
