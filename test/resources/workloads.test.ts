// Rows of the catalogue cannot say this of the kinds that run pods: metadata, scales, generations.
import t from 'tap';
import { DAEMON_SET } from '../../src/resources/apps/daemon-set.ts';
import { DEPLOYMENT } from '../../src/resources/apps/deployment.ts';
import { REPLICA_SET } from '../../src/resources/apps/replica-set.ts';
import { STATEFUL_SET } from '../../src/resources/apps/stateful-set.ts';
import { JOB } from '../../src/resources/batch/job.ts';
import { REPLICATION_CONTROLLER } from '../../src/resources/core/replication-controller.ts';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';
import { LABELS, SELECTOR, template } from '../support/workload-cases.ts';
import type { Change } from '../support/kind-cases.ts';
import { PreparedKind } from './prepared-kind.ts';

const MINIMAL = { spec: { selector: SELECTOR, template: template() } };
const CONTROLLER = { spec: { template: template() } };
const OTHER_POD: Change = { spec: { template: { spec: { hostname: 'h' } } } };
const ANNOTATED: Change = { metadata: { annotations: { a: 'b' } } };

function made(kind: BuiltInKind, members: Change = MINIMAL) {
  const prepared = new PreparedKind(kind);
  const { object, errors } = prepared.create(members);
  const updated = (change: Change, part = ''): ApiObject =>
    prepared.update(object, change, part).object;
  return { object, errors, updated };
}

t.test('3.5: what a generation counts', async (t) => {
  const cases: readonly [BuiltInKind, Change, ofAnnotations: number][] = [
    [DEPLOYMENT, MINIMAL, 2],
    [REPLICA_SET, MINIMAL, 1],
    [DAEMON_SET, MINIMAL, 1],
    [STATEFUL_SET, MINIMAL, 1],
    [REPLICATION_CONTROLLER, CONTROLLER, 1],
  ];
  for (const [kind, members, ofAnnotations] of cases) {
    const { object, errors, updated } = made(kind, members);
    const { kind: name } = kind;
    t.same(errors, [], name);
    t.equal(object.metadata.generation, 1, `${name}: created`);
    t.equal(updated(OTHER_POD).metadata.generation, 2, `${name}: another pod`);
    t.equal(updated({ status: { replicas: 3 } }).metadata.generation, 1, `${name}: status`);
    t.equal(updated(ANNOTATED).metadata.generation, ofAnnotations, `${name}: annotations`);
    t.equal(updated(ANNOTATED, 'status').metadata.generation, 1, `${name}: through /status`);
  }
});

t.test('14.2: the selector of a scale', async (t) => {
  const selector = {
    matchLabels: { b: '2', a: '1' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['y', 'x', 'y'] },
      { key: 'old', operator: 'DoesNotExist' },
      { key: 'web', operator: 'NotIn', values: ['z'] },
      { key: 'new', operator: 'Exists' },
    ],
  };
  const text = 'a=1,b=2,new,!old,tier in (x,y),web notin (z)';
  for (const kind of [DEPLOYMENT, REPLICA_SET, STATEFUL_SET]) {
    const object = { metadata: {}, spec: { selector } };
    t.equal(kind.scaleSelector?.(object), text, kind.kind);
    t.equal(kind.scaleSelector?.({ metadata: {} }), '', `${kind.kind} without one`);
  }
  const object = { metadata: {}, spec: { selector: { b: '2', a: '1' } } };
  t.equal(REPLICATION_CONTROLLER.scaleSelector?.(object), 'a=1,b=2');
  t.equal(DAEMON_SET.scaleSelector, undefined);
  t.equal(JOB.scaleSelector, undefined);
});

t.test('7.6: selectable counts', async (t) => {
  const replicas = REPLICATION_CONTROLLER.selectableFields?.['status.replicas'];
  t.equal(replicas?.({ metadata: {}, status: { replicas: 3 } }), '3');
  t.equal(replicas?.({ metadata: {} }), '0');
  const successful = JOB.selectableFields?.['status.successful'];
  t.equal(successful?.({ metadata: {}, status: { succeeded: 2 } }), '2');
  t.equal(successful?.({ metadata: {} }), '0');
});

t.test('a Deployment keeps its labels when its status is written', async (t) => {
  const { updated } = made(DEPLOYMENT, { ...MINIMAL, metadata: { labels: LABELS } });
  const change = { metadata: { labels: { app: 'other' }, annotations: { a: 'b' } } };
  const { labels, annotations } = updated(change, 'status').metadata;
  t.same({ ...labels }, LABELS);
  t.same({ ...annotations }, { a: 'b' });
});

t.test('a ReplicationController has the labels of its pods, unless it has its own', async (t) => {
  const labelsOf = (members: Change) => ({
    ...made(REPLICATION_CONTROLLER, members).object.metadata.labels,
  });
  t.same(labelsOf(CONTROLLER), LABELS);
  t.same(labelsOf({ ...CONTROLLER, metadata: { labels: { own: 'a' } } }), { own: 'a' });
});

t.test('a DaemonSet counts its templates in an annotation', async (t) => {
  const name = 'deprecated.daemonset.template.generation';
  const countOf = ({ metadata }: ApiObject) => metadata.annotations?.[name];
  const { object, updated } = made(DAEMON_SET);
  t.equal(countOf(object), '1');
  t.equal(countOf(updated({ spec: { minReadySeconds: 3 } })), '1', 'another spec');
  t.equal(countOf(updated(OTHER_POD)), '2', 'another template');
  t.equal(countOf(updated({ metadata: { annotations: { [name]: '9' } } })), '1', 'not a wish');
  t.equal(countOf(updated({ metadata: { annotations: null } }, 'status')), '1', 'kept by /status');
  for (const [sent, stored] of [
    ['7', '7'],
    ['0', '1'],
    ['x', '1'],
  ] as const) {
    const members = { ...MINIMAL, metadata: { annotations: { [name]: sent } } };
    t.equal(countOf(made(DAEMON_SET, members).object), stored, `created with ${sent}`);
  }
});

t.test(
  'a StatefulSet is told where to begin only when it says nothing of its updates',
  async (t) => {
    const strategyOf = (updateStrategy: Change) => {
      const { object } = made(STATEFUL_SET, { spec: { ...MINIMAL.spec, updateStrategy } });
      return (object['spec'] as { updateStrategy: unknown }).updateStrategy;
    };
    t.same(strategyOf({}), { type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
    t.same(strategyOf({ type: 'RollingUpdate' }), { type: 'RollingUpdate' });
    t.same(strategyOf({ type: 'RollingUpdate', rollingUpdate: {} }), {
      type: 'RollingUpdate',
      rollingUpdate: { partition: 0 },
    });
    t.same(strategyOf({ type: 'OnDelete' }), { type: 'OnDelete' });
  },
);

t.test('a strategy that does not count has both of its members too', async (t) => {
  for (const [sent, kept] of [
    [{}, { maxUnavailable: 0, maxSurge: 0 }],
    [{ maxSurge: 1 }, { maxUnavailable: 0, maxSurge: 1 }],
  ]) {
    const updateStrategy = { type: 'OnDelete', rollingUpdate: sent };
    const { object, errors } = made(DAEMON_SET, { spec: { ...MINIMAL.spec, updateStrategy } });
    t.same(errors, []);
    t.match(object, { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: kept } } });
  }
});
