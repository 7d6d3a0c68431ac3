/** Rules for all inputs: every swap is its own inverse. `SEED=7 node <this file>` repeats. */
import t from 'tap';
import { swapDocument, swapJsonPatch } from '../../../src/semantics/dialect/json-edits.ts';
import {
  swapGroup,
  swapGroupVersion,
  swapManager,
  swapNamespace,
  swapNamespaceFinalizer,
  swapObjectName,
  swapQualified,
  swapUser,
} from '../../../src/semantics/dialect/names.ts';
import { swapText } from '../../../src/semantics/dialect/names-in-text.ts';
import { swapFieldSelector, swapLabelSelector } from '../../../src/semantics/dialect/selectors.ts';
import { catalogueDocument, catalogueFiles } from '../../support/catalogue.ts';
import { Random } from '../../support/random.ts';

const SEED = Number(process.env['SEED'] ?? 1);

/** Pieces of names; put together at random they make names of both sides and near misses. */
const PIECES = [
  'cluster.io',
  'k8s.io',
  'kubernetes.io',
  'cluster',
  'kubernetes',
  'kubectl',
  'client',
  'last-applied-configuration',
  'metadata.name',
  'initial-events-end',
  'deprecated',
  'aggregate-to-',
  'rbac.authorization',
  'storageclass.storage',
  'storage',
  'node',
  'count',
  'leases',
  'api-approved',
  'vnd.cluster.protobuf',
  'application',
  'kube-system',
  'cluster-system',
  'kube-',
  'public',
  'system:serviceaccount',
  'system:serviceaccounts',
  'v1',
  'v2beta1',
  'é',
  '\u{1f600}',
  '\ud800',
  '\u0000',
  '"',
  '\\',
  '~1',
  '~',
  '\n',
  '__proto__',
] as const;
const JOINTS = ['/', '.', '/', '.', '-', ':', ',', '=', '', ' '] as const;
const NAMES = [
  'metadata',
  'spec',
  'labels',
  'annotations',
  'matchLabels',
  'matchExpressions',
  'key',
  'values',
  'name',
  'namespace',
  'kind',
  'resources',
  'resourceNames',
  'finalizers',
  'managedFields',
  'manager',
  'fieldsV1',
  'f:metadata',
  'data',
  'stringData',
  'type',
  'items',
  'rows',
  'cells',
  'object',
  'message',
  'details',
  'subjects',
  'roleRef',
  'apiVersion',
  'apiGroups',
  'group',
  'versions',
  'schema',
  'status',
  'selector',
  'nonResourceURLs',
  '$setElementOrder/finalizers',
  'client.cluster.io/last-applied-configuration',
  'kubectl.kubernetes.io/last-applied-configuration',
] as const;
const KINDS = [
  'Namespace',
  'NamespaceList',
  'List',
  'ConfigMap',
  'Secret',
  'Status',
  'Pod',
  'APIService',
  'CustomResourceDefinition',
  'APIGroupList',
  'Table',
  'WatchEvent',
  'Scale',
  'Widget',
  '',
] as const;

const WELL_KNOWN = [
  'cluster.io/tls',
  'node.kubernetes.io/not-ready',
  'storage.k8s.io/v1',
  'storage.cluster.io',
  'leases.coordination.k8s.io',
  'kube-public',
  'cluster-system',
  'system:serviceaccount:kube-system:a',
  'client.cluster.io/last-applied-configuration',
  'kubernetes.io/metadata.name=kube-system',
  'kubectl',
  'a, k8s.io/deprecated "cluster-node-lease".',
] as const;

function hostileName(random: Random): string {
  if (random.below(2) === 0) return random.pick(WELL_KNOWN);
  let name = '';
  for (let left = random.below(4); left >= 0; left -= 1) {
    name += random.pick(PIECES) + (left > 0 ? random.pick(JOINTS) : '');
  }
  return name;
}

function hostileValue(random: Random, depth: number): unknown {
  const choice = random.below(depth > 0 ? 10 : 5);
  if (choice === 0) return random.pick([null, true, 0, -1.5, 1e21]);
  if (choice === 1)
    return random.pick(['Namespace', 'namespaces', 'client', 'cluster', 'kubernetes']);
  if (choice === 2)
    return random.pick(['cluster-system', 'kube-system', 'cluster.io/metadata.name']);
  if (choice < 5) return hostileName(random);
  if (choice === 5) return JSON.stringify(hostileValue(random, depth - 1));
  const length = random.below(5);
  if (choice === 6) return Array.from({ length }, () => hostileValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length }, () => [hostileMember(random), hostileValue(random, depth - 1)]),
  );
}

function hostileMember(random: Random): string {
  const choice = random.below(10);
  if (choice === 0) return `k:${JSON.stringify({ key: hostileName(random) })}`;
  if (choice === 1) return `v:${JSON.stringify(hostileName(random))}`;
  if (choice === 2) return `f:${hostileName(random)}`;
  return choice < 5 ? hostileName(random) : random.pick(NAMES);
}

/** Gives the same JSON, where some characters are spelled with escapes. */
function respelled(random: Random, text: string): string {
  return text.replace(/[a-z./-]/g, (letter) => {
    if (random.below(12) > 0) return letter;
    if (letter === '/') return '\\/';
    return `\\u00${letter.charCodeAt(0).toString(16)}`;
  });
}

const SWAPS: readonly (readonly [string, (text: string) => string])[] = [
  ['group', swapGroup],
  ['groupVersion', swapGroupVersion],
  ['namespace', swapNamespace],
  ['manager', swapManager],
  ['user', swapUser],
  ['text', swapText],
  ['labelSelector', swapLabelSelector],
  ['qualified name', swapQualified],
  ['finalizer', swapNamespaceFinalizer],
  ['fieldSelector', (text) => swapFieldSelector('Secret', text)],
  ['jsonPatch', (text) => swapJsonPatch('Pod', text)],
  ...KINDS.map(
    (kind) => [`name of ${kind}`, (text: string) => swapObjectName(kind, text)] as const,
  ),
];

t.test('swaps of hostile strings are their own inverse', async (t) => {
  const random = new Random(SEED);
  const wrong: unknown[] = [];
  let swapped = 0;
  for (let run = 0; run < 20_000; run += 1) {
    const text = hostileName(random);
    for (const [name, swap] of SWAPS) {
      const other = swap(text);
      if (other !== text) swapped += 1;
      if (swap(other) !== text) wrong.push([name, text, other, swap(other)]);
    }
  }
  t.same(wrong.slice(0, 3), []);
  t.ok(swapped > 10_000, `${swapped} were swapped`);
});

t.test('documents and patches swapped twice are the same bytes', async (t) => {
  const random = new Random(SEED);
  const wrong: unknown[] = [];
  let swapped = 0;
  for (let run = 0; run < 6000; run += 1) {
    const kind = random.pick(KINDS);
    const value = hostileValue(random, 6);
    const text = JSON.stringify(
      random.below(3) === 0 ? { metadata: value, items: [value] } : value,
    );
    const fragment = text.startsWith('{') ? text.slice(1) : text;
    for (const whole of [text, fragment]) {
      const other = swapDocument(kind, whole);
      if (other !== whole) swapped += 1;
      if (swapDocument(kind, other) !== whole) wrong.push(['document', kind, whole, other]);
    }
    const patch = JSON.stringify([
      { value, path: `/metadata/${hostileName(random).replaceAll('/', '~1')}`, from: '/a' },
      { value, path: `/${random.pick(NAMES)}/${hostileName(random)}/${hostileName(random)}` },
    ]);
    const otherPatch = swapJsonPatch(kind, patch);
    if (swapJsonPatch(kind, otherPatch) !== patch) wrong.push(['patch', kind, patch, otherPatch]);
  }
  t.same(wrong.slice(0, 3), []);
  t.ok(swapped > 1000, `${swapped} were swapped`);
});

t.test('documents spelled with escapes say the same after two swaps', async (t) => {
  const random = new Random(SEED);
  const wrong: unknown[] = [];
  for (let run = 0; run < 4000; run += 1) {
    const kind = random.pick(KINDS);
    const plain = JSON.stringify({
      metadata: hostileValue(random, 5),
      spec: hostileValue(random, 5),
    });
    const text = plain.replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
      string.replace(/[^\\]+|\\(?:u[0-9a-f]{4}|.)/g, (part) =>
        part[0] === '\\' ? part : respelled(random, part),
      ),
    );
    // A decoder hands on the meaning of the text, not its spelling.
    const said: unknown = JSON.parse(text);
    const once = swapDocument(kind, text);
    const twice: unknown = JSON.parse(swapDocument(kind, once));
    if (JSON.stringify(twice) !== JSON.stringify(said)) wrong.push([kind, text, once]);
    const other = JSON.stringify(JSON.parse(once));
    if (other !== swapDocument(kind, JSON.stringify(said))) wrong.push(['spelling', kind, text]);
  }
  t.same(wrong.slice(0, 3), []);
});

t.test('what is not JSON neither throws nor hangs', async (t) => {
  const random = new Random(SEED);
  let read = 0;
  for (let run = 0; run < 4000; run += 1) {
    const text = JSON.stringify(hostileValue(random, 6));
    const at = random.below(text.length);
    const broken =
      text.slice(0, at) +
      random.pick(['', '"', '{', ']', '}', '\\', ',']) +
      text.slice(at + random.below(3));
    swapJsonPatch('Pod', broken);
    const other = swapDocument(random.pick(KINDS), broken);
    if (typeof other === 'string') read += 1;
  }
  t.equal(read, 4000);
});

const REPEATS = 30_000;
const HUGE: readonly (readonly [string, string])[] = [
  ['lists in lists', '['.repeat(REPEATS)],
  ['objects in objects', '{"metadata":'.repeat(REPEATS)],
  ['lists of documents', '{"items":[{"kind":"List",'.repeat(REPEATS)],
  ['references', '{"name":"kube-system","a":'.repeat(REPEATS)],
  ['names that wait', `{"resourceNames":[${'"kube-system",'.repeat(REPEATS)}"a"]}`],
  [
    'names that waited',
    `{"resourceNames":[${'"kube-system",'.repeat(REPEATS)}"a"],"resources":["namespaces"]}`,
  ],
  ['messages', `{"message":"${'kube-system '.repeat(REPEATS)}"}`],
  [
    'applied in applied',
    `{"metadata":{"annotations":${'{"kubectl.kubernetes.io/last-applied-configuration":'.repeat(REPEATS)}`,
  ],
  ['backslashes', `"a":"${'\\'.repeat(REPEATS)}`],
  ['commas', ','.repeat(REPEATS)],
  ['closing', ']}'.repeat(REPEATS)],
  ['operations', `[${'{"value":'.repeat(REPEATS)}`],
  ['words', `{"message":"${'a-'.repeat(REPEATS)}.io kube-system${'-'.repeat(REPEATS)}"}`],
];

t.test('huge hostile documents are read in one pass', async (t) => {
  for (const [what, text] of HUGE) {
    for (const kind of ['List', 'Namespace', 'Status', 'Role', 'WatchEvent']) {
      t.type(swapDocument(kind, text), 'string', what);
    }
    t.type(swapJsonPatch('List', text), 'string', what);
    t.type(swapText(text), 'string', what);
    t.type(swapLabelSelector(text), 'string', what);
  }
});

t.test('objects of every kind come back as they were', async (t) => {
  for (const { name, cases } of await catalogueFiles()) {
    const object = catalogueDocument(cases, 'cluster-system', cases.full);
    object.metadata.labels = {
      'kubernetes.io/os': 'linux',
      'cluster.io/metadata.name': 'kube-system',
    };
    object.metadata.finalizers = ['kubernetes.io/a'];
    const applied = `${JSON.stringify(object)}\n`;
    object.metadata.annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied };
    const text = JSON.stringify(object);
    const other = swapDocument(cases.kind, text);
    t.equal(swapDocument(cases.kind, other), text, name);
    const read = JSON.parse(other) as typeof object;
    t.same(read.metadata.finalizers, ['cluster.io/a'], name);
    t.same(read.metadata.labels, {
      'cluster.io/os': 'linux',
      'kubernetes.io/metadata.name': 'cluster-system',
    });
    const inner = read.metadata.annotations[
      'client.cluster.io/last-applied-configuration'
    ] as string;
    t.equal(swapDocument(cases.kind, inner), applied, `${name}: what was applied`);
  }
});
