/** A create sets, drops and refuses members. */
import t from 'tap';
import { ROLE } from '../../src/resources/rbac/role.ts';
import { STORAGE_CLASS } from '../../src/resources/storage/storage-class.ts';
import { SECRET } from '../../src/resources/core/secret.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap, kindNamed, minimalObject, type TestObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

t.test('what the client may not decide is decided here', async (t) => {
  const subject = new ShardUnderTest();
  const sent = {
    uid: 'mine',
    creationTimestamp: '1999-01-01T00:00:00Z',
    deletionTimestamp: '1999-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 5,
    generation: 9,
    selfLink: '/x',
    managedFields: [],
    resourceVersion: '0',
  };
  const { code, object } = await subject.create(configMap('x', { a: '1' }, sent));
  t.equal(code, 201);
  const { uid, ...metadata } = object.metadata;
  t.same(metadata, {
    name: 'x',
    namespace: 'default',
    resourceVersion: '101',
    generation: 9,
    creationTimestamp: '2024-01-01T00:00:00Z',
    managedFields: [
      {
        manager: 'test',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2024-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ],
  });
  t.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.same((await subject.get('x')).object, object);
});

t.test('namespaces: taken from the path, dropped where there are none', async (t) => {
  const subject = new ShardUnderTest();
  t.equal(
    (await subject.create(configMap('x'), { namespace: 'a' })).object.metadata.namespace,
    'a',
  );
  const wrong = configMap('x', {}, { namespace: 'b' });
  t.match(await refusal(subject.create(wrong, { namespace: 'a' })), {
    code: 400,
    message:
      'the namespace of the provided object does not match the namespace sent on the request',
  });
  const missing = subject.create(configMap('x'), { namespace: 'none' });
  t.match(await refusal(missing), { code: 404, message: 'namespaces "none" not found' });
  const classes = new ShardUnderTest({ definition: STORAGE_CLASS });
  const object = minimalObject(kindNamed('StorageClass'), 'x', {}, { namespace: 'a' });
  t.equal((await classes.create(object)).object.metadata.namespace, undefined);
});

t.test('a name is taken while its object is there, or on its way', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  const taken = {
    code: 409,
    reason: 'AlreadyExists',
    message: 'configmaps "x" already exists',
    details: { name: 'x', kind: 'configmaps' },
  };
  log.hold();
  const first = subject.create(configMap('x'));
  const second = refusal(subject.create(configMap('x')));
  log.release();
  await first;
  t.match(await second, taken, 'once the first is committed');
  t.match(await refusal(subject.create(configMap('x'))), taken);
  t.equal((await subject.create(configMap('x'), { namespace: 'a' })).code, 201);
});

t.test('who was refused for a write that then fails is told so', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  log.hold();
  const first = refusal(subject.create(configMap('x')));
  const second = refusal(subject.create(configMap('x')));
  log.fail('no room');
  t.match(await first, { code: 500, message: /no room/ });
  t.match(await second, { code: 500, message: /no room/ });
  t.equal((await subject.create(configMap('x'))).code, 201);
});

t.test('a generated name has five characters after its prefix', async (t) => {
  const subject = new ShardUnderTest();
  const prefixes: [string, string][] = [
    ['job-', 'job-'],
    ['p'.repeat(70), 'p'.repeat(58)],
  ];
  for (const [generateName, prefix] of prefixes) {
    const { object } = await subject.create(configMap('', {}, { generateName }));
    const { name } = object.metadata;
    t.equal(name.length, prefix.length + 5);
    t.ok(name.startsWith(prefix));
    t.match(name.slice(-5), /^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    t.equal(object.metadata.generateName, generateName);
  }
  const { object } = await subject.create(configMap('given', {}, { generateName: 'job-' }));
  t.equal(object.metadata.name, 'given', 'a name that is given wins');
  t.match(await refusal(subject.create(configMap('given', {}, { generateName: 'job-' }))), {
    code: 409,
    details: { retryAfterSeconds: 1 },
  });
  const { details } = await refusal(subject.create(configMap('given')));
  t.equal(details?.retryAfterSeconds, undefined, 'without a name to generate from');
});

t.test('what is refused writes nothing', async (t) => {
  const subject = new ShardUnderTest();
  const rows: [object, number, string | RegExp][] = [
    [configMap('x', {}, { resourceVersion: '7' }), 400, /resourceVersion should not be set/],
    [configMap('X!'), 422, /metadata\.name: Invalid value: "X!"/],
    [configMap(''), 422, /metadata\.name: Required value: name or generateName is required/],
    [{ ...configMap('x'), kind: 'Secret' }, 400, /cannot be handled as a ConfigMap/],
    [
      { ...configMap('x'), apiVersion: 'v2' },
      400,
      /does not match the expected API version \(v1\)/,
    ],
    [{ ...configMap('x'), data: 5 }, 400, /^ConfigMap in version "v1" cannot be handled/],
  ];
  for (const [object, code, message] of rows) {
    const status = await refusal(subject.create(object));
    t.match(status, { code, message }, String(message));
  }
  const dryRun = await subject.create(configMap('x'), { dryRun: true });
  t.equal(dryRun.code, 201);
  t.equal(dryRun.object.metadata.resourceVersion, undefined);
  t.same(subject.versions(), []);
  t.equal(subject.clock.last(), 100, 'and takes no version');
});

t.test('an indexed field may be long', async (t) => {
  const subject = new ShardUnderTest({ definition: SECRET });
  const type = 'x'.repeat(70_000);
  t.equal((await subject.create({ metadata: { name: 'x' }, type })).code, 201);
  const list = await subject.list({ fieldSelector: `type=${type}` });
  t.equal(list.items.length, 1);
});

t.test('what was created is there after a restart', async (t) => {
  const first = new ShardUnderTest();
  const labels = { app: 'web' };
  const { object } = await first.create(configMap('x', { a: '1' }, { labels }));
  await first.create(configMap('y'));
  await first.delete('y');
  const { log, clock } = first;
  const second = new ShardUnderTest({ log, clock });
  t.same((await second.get('x')).object, object);
  t.same(second.keys(), ['default/x']);
  t.equal((await second.list({ labelSelector: 'app=web' })).items.length, 1);
  t.equal((await second.create(configMap('y'))).object.metadata.resourceVersion, '104');
});

t.test('a damaged log is refused', async (t) => {
  const log = new HeldLog();
  await log.append([{ rv: 5, value: Buffer.from('not a record') }]);
  t.throws(() => new ShardUnderTest({ log }), {
    name: 'StoreError',
    message: /version 5 of configmaps/,
  });
});

t.test('half a character in a name is refused', async (t) => {
  const subject = new ShardUnderTest({ definition: ROLE });
  const role: TestObject = { metadata: { name: 'a\ud800' }, rules: [] };
  t.match(await refusal(subject.create(role)), { code: 400 });
});
