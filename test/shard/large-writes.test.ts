/** Large writes take several turns: what others do in between counts. */
import t from 'tap';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { LARGE_BODY_BYTES } from '../../src/limits.ts';
import type { StatusError } from '../../src/semantics/errors/status.ts';
import { configMap, type TestObject } from '../support/kinds.ts';
import { kindRuntime, ShardUnderTest, type Outcome } from '../support/shard-under-test.ts';

/** More than there are steps. */
const TURNS = 20;

function large(name: string, value = 'x'): TestObject {
  return configMap(name, { text: value.repeat(LARGE_BODY_BYTES) });
}

/** With which code a write ends. */
function codeOf(write: Promise<Outcome>): Promise<number> {
  return write.catch((error: StatusError) => error).then(({ code }) => code);
}

t.test('others are served between the steps of a large write', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(configMap('known', {}));
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const create = subject.create(large('large')).then(note('created'));
  let turns = 0;
  for (; turns < TURNS && done.length === 0; turns++) {
    await subject.get('known');
    await new Promise(setImmediate);
  }
  await create;
  t.ok(turns > 2, `${turns} turns`);
  const update = subject.update(large('large', 'y')).then(note('updated'));
  await subject.update(configMap('known', { a: 'b' })).then(note('known'));
  await update;
  t.same(done, ['created', 'known', 'updated']);
  t.same(subject.keys(), ['default/known', 'default/large']);
});

t.test('a small write is staged in its own turn', (t) => {
  const subject = new ShardUnderTest();
  void subject.create(configMap('small', {}));
  t.ok(subject.shard.exists('default/small'));
  void subject.create(large('large'));
  t.notOk(subject.shard.exists('default/large'));
  t.end();
});

t.test('of two creates of a name one is refused', async (t) => {
  const subject = new ShardUnderTest();
  const first = codeOf(subject.create(large('same')));
  t.equal(await codeOf(subject.create(configMap('same', {}))), 201);
  t.equal(await first, 409);
});

t.test('nothing is created in a namespace that has begun to end meanwhile', async (t) => {
  for (const turns of [0, 1, 2]) {
    const subject = new ShardUnderTest();
    const create = codeOf(subject.create(large('late')));
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    subject.setNamespace('default', 'Terminating');
    t.equal(await create, 403, `after ${turns} turns`);
    t.same(subject.keys(), []);
  }
});

t.test('an update is of the object as it is then', async (t) => {
  const subject = new ShardUnderTest();
  const { object } = await subject.create(configMap('x', {}));
  const { resourceVersion } = object.metadata;
  const sent = large('x');
  const stale = codeOf(
    subject.update({ ...sent, metadata: { ...sent.metadata, resourceVersion } }),
  );
  const last = subject.update(sent);
  await subject.update(configMap('x', { a: 'b' }));
  t.equal(await stale, 409);
  t.equal((await last).code, 200);
});

t.test('small writes of a large object take turns too', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(large('x'));
  const shrink = subject.update(configMap('x', {}));
  t.equal(await codeOf(subject.update(configMap('absent', {}))), 404, 'others need not wait');
  t.equal(subject.versions().length, 1);
  t.equal((await shrink).code, 200);
  void subject.update(configMap('x', { a: 'b' }));
  t.match(subject.shard.latest('default/x')?.object, { data: { a: 'b' } }, 'small by now');
});

t.test('a write whose object is changed meanwhile is done again', async (t) => {
  for (let turns = 0; turns < TURNS; turns++) {
    const subject = new ShardUnderTest();
    await subject.create(large('x'));
    const update = codeOf(subject.update(large('x', 'y')));
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    // As controllers do, who do not wait for their turn.
    const removed = await subject.delete('x');
    t.equal(removed.code, 200);
    t.equal(await update, subject.versions().length === 3 ? 200 : 404, `after ${turns} turns`);
    t.same(subject.keys(), []);
  }
});

t.test('so is one whose type is served otherwise meanwhile', async (t) => {
  const subject = new ShardUnderTest();
  const create = subject.create(large('x'));
  await new Promise(setImmediate);
  const other = kindRuntime({ ...CONFIG_MAP });
  let decoded = 0;
  const { stored } = other;
  const { decode } = stored;
  stored.decode = (text) => {
    decoded++;
    return decode.call(stored, text);
  };
  subject.shard.retype(other);
  t.equal((await create).code, 201);
  t.equal(decoded, 1);
  t.same(subject.versions().length, 1);
});

t.test('what is wrong with a large write is told in whatever turn it is found', async (t) => {
  const subject = new ShardUnderTest();
  const wrong = (members: object): Promise<number> =>
    codeOf(subject.create({ ...large('wrong'), ...members } as TestObject));
  t.equal(await wrong({ kind: 'Secret' }), 400);
  t.equal(await wrong({ data: { '?': 'x'.repeat(LARGE_BODY_BYTES) } }), 422);
  t.equal(await codeOf(subject.update(large('absent'))), 404);
  t.same(subject.errors, []);
});
