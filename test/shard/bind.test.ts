/** bind: one look and one write, in the shard of pods. */
import t from 'tap';
import { POD } from '../../src/resources/core/pods/pod.ts';
import { bind } from '../../src/shard/verbs/bind.ts';
import { writing } from '../../src/shard/write/driver.ts';
import type { BindRequest } from '../../src/protocol/bind-protocol.ts';
import type { ObjectReply } from '../../src/protocol/shard-protocol.ts';
import { configMap } from '../support/kinds.ts';
import type { Members, TestObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

const FREE: BindRequest = {
  namespace: 'default',
  name: 'x',
  uid: '',
  resourceVersion: '',
  nodeName: 'node-a',
  annotations: {},
  labels: {},
  dryRun: false,
};

const NO_BYTES = new Uint8Array();

async function withPod(metadata: Members = {}): Promise<[ShardUnderTest, TestObject]> {
  const subject = new ShardUnderTest({ definition: POD });
  const { object } = await subject.create({
    ...configMap('x', {}, metadata),
    apiVersion: 'v1',
    kind: 'Pod',
    data: undefined,
    spec: { containers: [{ name: 'a', image: 'example.com/a:1' }] },
  });
  return [subject, object];
}

async function bound(
  subject: ShardUnderTest,
  request: Partial<BindRequest> = {},
): Promise<unknown> {
  const outcome = answered<ObjectReply>((answer) =>
    writing(subject.shard, bind)({ ...FREE, ...request }, NO_BYTES, answer),
  );
  subject.shard.pipeline.kick();
  return (await outcome).reply;
}

t.test('one version more, with the node, the annotations and the condition', async (t) => {
  const [subject, stored] = await withPod({ annotations: { a: '1' } });
  subject.nowMs += 60_000;
  await bound(subject, { annotations: { b: '2' } });
  const { object } = await subject.get('x');
  t.same(object.spec, { ...stored.spec, nodeName: 'node-a' });
  t.same(object.metadata, {
    ...stored.metadata,
    resourceVersion: '102',
    annotations: { a: '1', b: '2' },
  });
  t.match(object.status.conditions, [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: '2024-01-01T00:01:00Z' },
  ]);
  t.same(subject.versions(), [101, 102]);
});

t.test('without annotations there are none afterwards', async (t) => {
  const [subject] = await withPod();
  await bound(subject);
  t.equal((await subject.get('x')).object.metadata.annotations, undefined);
});

t.test('a condition that was there is turned', async (t) => {
  const rows: [string, string][] = [
    ['False', '2024-01-01T00:01:00Z'],
    ['True', '2020-01-01T00:00:00Z'],
  ];
  for (const [status, since] of rows) {
    const [subject, stored] = await withPod();
    const before = { type: 'PodScheduled', status, reason: 'Unschedulable', message: 'no node' };
    const other = { type: 'Ready', status: 'False', lastTransitionTime: '2021-01-01T00:00:00Z' };
    const conditions = [{ ...before, lastTransitionTime: '2020-01-01T00:00:00Z' }, other];
    const unscheduled = { ...stored, status: { ...stored.status, conditions } };
    await subject.update(unscheduled, { subresource: 'status' });
    subject.nowMs += 60_000;
    await bound(subject);
    const [scheduled, ready] = (await subject.get('x')).object.status.conditions;
    t.match(scheduled, { type: 'PodScheduled', status: 'True', lastTransitionTime: since }, status);
    t.same([scheduled.reason, scheduled.message], [undefined, undefined]);
    t.match(ready, other);
  }
});

t.test('of two bindings in a turn the first wins', async (t) => {
  const [subject] = await withPod();
  const first = bound(subject);
  const error = await refusal(bound(subject, { nodeName: 'node-b' }));
  t.equal(
    error.message,
    'Operation cannot be fulfilled on pods/binding "x": pod x is already assigned to node "node-a"',
  );
  await first;
  t.equal((await subject.get('x')).object.spec.nodeName, 'node-a');
});

t.test('preconditions, and a dry run', async (t) => {
  const [subject, { metadata }] = await withPod();
  for (const wrong of [{ uid: 'other' }, { resourceVersion: '7' }, { resourceVersion: 'x' }]) {
    t.match(await refusal(bound(subject, wrong)), { code: 409, reason: 'Conflict' });
  }
  t.match(await refusal(bound(subject, { name: 'none' })), { code: 404 });
  const { uid, resourceVersion } = metadata;
  await bound(subject, { uid, resourceVersion, dryRun: true });
  t.same(subject.versions(), [101], 'nothing is written');
  await bound(subject, { uid, resourceVersion });
  t.same(subject.versions(), [101, 102]);
});
