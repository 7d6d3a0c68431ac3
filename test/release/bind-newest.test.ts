// How pods get their nodes in the newest release.
import t from 'tap';
import '../support/newest-release.ts';

const { POD } = await import('../../src/resources/core/pods/pod.ts');
const { bind } = await import('../../src/shard/verbs/bind.ts');
const { writing } = await import('../../src/shard/write/driver.ts');
const { refusal } = await import('../support/thrown-status.ts');
const { answered, ShardUnderTest } = await import('../support/shard-under-test.ts');

const REQUEST = {
  namespace: 'default',
  name: 'x',
  uid: '',
  resourceVersion: '',
  nodeName: 'node-a',
  annotations: {},
  labels: { 'topology.cluster.io/zone': 'a' },
  dryRun: false,
};

type Subject = InstanceType<typeof ShardUnderTest>;

async function withPod(spec: object): Promise<Subject> {
  const subject = new ShardUnderTest({ definition: POD });
  await subject.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'x', namespace: 'default', labels: { app: 'x' } },
    spec: { containers: [{ name: 'app', image: 'app:1' }], ...spec },
  });
  return subject;
}

function bound(subject: Subject): Promise<unknown> {
  const outcome = answered((answer) =>
    writing(subject.shard, bind)(REQUEST, new Uint8Array(), answer),
  );
  subject.shard.pipeline.kick();
  return outcome;
}

t.test('a pod gets the labels of its binding too', async (t) => {
  const subject = await withPod({});
  await bound(subject);
  const { object } = await subject.get('x');
  t.match(object, {
    metadata: { labels: { app: 'x', 'topology.cluster.io/zone': 'a' } },
    spec: { nodeName: 'node-a' },
  });
});

t.test('a pod that waits for something gets no node', async (t) => {
  const subject = await withPod({ schedulingGates: [{ name: 'wait' }] });
  const { message } = await refusal(bound(subject));
  t.match(message, /pod x has non-empty \.spec\.schedulingGates$/);
});
