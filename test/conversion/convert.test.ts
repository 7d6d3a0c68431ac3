import t from 'tap';
import { memberChecks } from '../../src/conversion/check-members.ts';
import { convertObject } from '../../src/conversion/convert.ts';
import { MANIFEST_KINDS } from '../../src/conversion/version-table.ts';
import { model } from '../codec/proto-model.ts';
import { CONVERSION_ROWS } from './rows.ts';

const check = memberChecks(model);

function convert(object: object, outputVersion: string) {
  const members = object as Record<string, unknown>;
  return convertObject(members, { outputVersion, dialect: 'cluster.io', check });
}

t.test('each row of the migration table, to the new version and back', async (t) => {
  for (const row of CONVERSION_ROWS) {
    const { name, kind, from, to, before, after, back = before, problems = [] } = row;
    const title = `${kind} ${from}: ${name}`;
    const there = convert({ apiVersion: from, kind, ...before }, to);
    t.same(there?.object, { apiVersion: to, kind, ...after }, `${title}, to ${to}`);
    t.same(there?.problems, problems, `${title}: problems`);
    const again = convert({ apiVersion: to, kind, ...after }, from);
    const old = back === 'after' ? after : back;
    t.same(again?.object, { apiVersion: from, kind, ...old }, `${title}, back`);
  }
});

t.test('every version that is gone or is to go has a row', async (t) => {
  const rows = new Set(CONVERSION_ROWS.map(({ kind, from }) => `${from} ${kind}`));
  const old = [...MANIFEST_KINDS.values()].flatMap(({ kind, versions }) =>
    versions.flatMap(({ groupVersion, removedIn }) =>
      removedIn === undefined ? [] : [`${groupVersion} ${kind}`],
    ),
  );
  const without = old.filter((version) => !rows.has(version));
  t.same(without.sort(), [
    // Kinds that the table of the specification does not name, or replaces by nothing.
    'authorization.cluster.io/v1beta1 SelfSubjectRulesReview',
    'flowcontrol.apiserver.cluster.io/v1beta2 FlowSchema',
    'flowcontrol.apiserver.cluster.io/v1beta2 PriorityLevelConfiguration',
    'flowcontrol.apiserver.cluster.io/v1beta3 FlowSchema',
    'flowcontrol.apiserver.cluster.io/v1beta3 PriorityLevelConfiguration',
    'node.cluster.io/v1alpha1 RuntimeClass',
    'policy/v1beta1 PodSecurityPolicy',
    'storage.cluster.io/v1alpha1 CSIStorageCapacity',
    'storage.cluster.io/v1beta1 CSIStorageCapacity',
  ]);
});

t.test('without a version, an object goes to the one that replaces its own', async (t) => {
  for (const { kind, from, to, before } of CONVERSION_ROWS) {
    if (from === 'v1') continue;
    const { object } = convert({ apiVersion: from, kind, ...before }, '') ?? {};
    t.equal(object?.['apiVersion'], to, `${from} ${kind}`);
  }
});

t.test('an object stays where there is nowhere to go', async (t) => {
  const stays = [
    ['policy/v1beta1', 'PodSecurityPolicy', ''],
    ['apps/v1', 'Deployment', ''],
    ['apps/v1', 'Deployment', 'apps/v1'],
    ['v1', 'ConfigMap', 'apps/v1'],
    ['example.com/v1', 'Deployment', 'apps/v1'],
  ];
  for (const [apiVersion, kind, to = ''] of stays) {
    t.equal(convert({ apiVersion, kind, metadata: { name: 'a' } }, to), undefined, `${kind}`);
  }
});

t.test('from one version that is gone to another', async (t) => {
  const before = {
    apiVersion: 'apps/v1beta1',
    kind: 'Deployment',
    metadata: { name: 'a', labels: { a: 'b' } },
    spec: { selector: { matchLabels: { a: 'b' } }, template: {} },
  };
  t.same(convert(before, 'extensions/v1beta1')?.object, {
    ...before,
    apiVersion: 'extensions/v1beta1',
    spec: {
      ...before.spec,
      strategy: { rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 2,
    },
  });
});

t.test('what the stored version cannot read is told', async (t) => {
  const object = (spec: object) => ({ apiVersion: 'batch/v1beta1', kind: 'CronJob', spec });
  t.same(convert(object({ suspended: true }), '')?.problems, ['spec.suspended is not in batch/v1']);
  t.match(convert(object({ suspend: 'yes' }), '')?.problems, [/suspend/]);
  t.match(convert({ ...object({}), spec: 'nothing' }, '')?.problems, [/spec/]);
});

t.test('names are those of the dialect of the object', async (t) => {
  const told: [apiVersion: string, kind: string, spec: object, problems: string[]][] = [
    ['batch/v1beta1', 'CronJob', { a: 1 }, ['spec.a is not in batch/v1']],
    [
      'networking.k8s.io/v1beta1',
      'IngressClass',
      { a: 1 },
      ['spec.a is not in networking.k8s.io/v1'],
    ],
    [
      'certificates.k8s.io/v1beta1',
      'CertificateSigningRequest',
      { request: 'YQ==', signerName: 'kubernetes.io/legacy-unknown' },
      ['spec.signerName must not be kubernetes.io/legacy-unknown'],
    ],
    [
      'apiextensions.k8s.io/v1beta1',
      'CustomResourceDefinition',
      { group: 'a.k8s.io', version: 'v1', names: { plural: 'as', kind: 'A' } },
      [
        'metadata.annotations: protected groups must have approval annotation ' +
          '"api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
  ];
  for (const [apiVersion, kind, spec, problems] of told) {
    t.same(convert({ apiVersion, kind, spec }, '')?.problems, problems, kind);
  }
  const budget = { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget' };
  const { object } =
    convertObject(
      { ...budget, metadata: { name: 'a' }, spec: { selector: {} } },
      { outputVersion: '', dialect: 'k8s.io', check },
    ) ?? {};
  t.match(JSON.stringify(object), /"pdb.kubernetes.io\/deprecated-v1beta1-empty-selector-match"/);
  const ingress = convert(
    { apiVersion: 'networking.k8s.io/v1beta1', kind: 'Ingress', metadata: { name: 'a' } },
    'networking.cluster.io/v1',
  );
  t.equal(ingress?.object['apiVersion'], 'networking.k8s.io/v1');
});

t.test('objects that are no objects do no harm', async (t) => {
  const hostile = [null, 1, 'x', [], {}, [null], [[1]], { a: null }];
  for (const [kind, { versions }] of MANIFEST_KINDS) {
    for (const { groupVersion } of versions) {
      for (const value of hostile) {
        const members = { spec: value, metadata: {}, endpoints: value, webhooks: value };
        convert({ apiVersion: groupVersion, kind, ...members }, '');
        for (const name of ['backend', 'rules', 'template', 'selector', 'versions', 'validation']) {
          convert({ apiVersion: groupVersion, kind, spec: { [name]: value } }, '');
        }
      }
    }
  }
  t.pass('nothing was thrown');
});
