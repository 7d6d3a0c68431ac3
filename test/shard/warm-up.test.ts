/** The code that writes protobuf is compiled after a start, before anybody asks. */
import t from 'tap';
import {
  WARM_UP_BYTES,
  WARM_UP_DELAY_MS,
  WARM_UP_OBJECTS,
  WARM_UP_OBJECTS_MIN,
  WARM_UP_PAUSE_MS,
  WARM_UP_STEP_MS,
} from '../../src/limits.ts';
import { ObjectTable } from '../../src/shard/table/object-table.ts';
import { warmUp } from '../../src/shard/read/warm-up.ts';
import { configMap } from '../support/kinds.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

const LONG_MS = 3_600_000;

/** A start with so many objects, where reading each takes a millisecond. */
async function started(objects: number, bytes = 10, isCustom = false) {
  const subject = new ShardUnderTest();
  await subject.create(configMap('example', { bulk: 'x'.repeat(bytes) }));
  const wire = Buffer.from(
    subject.shard.wireAt(subject.shard.table.get('default/example')?.rv ?? 0),
  );
  const table = new ObjectTable();
  const names = Array.from({ length: objects }, (_, at) => `default/${at}`);
  table.load((entries) => {
    names.forEach((key, at) => entries.set({ key, rv: at + 1, labels: {}, fields: [] }));
  });
  const timers = new ManualTimers();
  const read: number[] = [];
  let nowMs = 0;
  const { kind } = subject.shard;
  const definition = { ...kind.definition, ...(isCustom && { message: undefined }) };
  const shard = {
    kind: Object.create(kind, { definition: { value: definition } }) as typeof kind,
    table,
    translation: undefined,
    representations: subject.shard.representations,
    stopping: false,
    historicWireAt: (rv: number) => {
      read.push(rv);
      nowMs += 1;
      return rv % 10 === 0 ? undefined : wire;
    },
  };
  warmUp(shard, timers, () => nowMs);
  return { shard, timers, read };
}

t.test('a type with many objects reads some of them, each once, in short turns', async (t) => {
  const { timers, read } = await started(2 * WARM_UP_OBJECTS);
  timers.pass(WARM_UP_DELAY_MS - 1);
  t.equal(read.length, 0, 'others start first');
  timers.pass(1);
  t.equal(read.length, WARM_UP_STEP_MS);
  timers.pass(WARM_UP_PAUSE_MS);
  t.equal(read.length, 2 * WARM_UP_STEP_MS, 'what is gone is passed over');
  timers.pass(LONG_MS);
  t.equal(new Set(read).size, WARM_UP_OBJECTS);
  t.equal(read.length, WARM_UP_OBJECTS);
  t.equal(timers.size, 0);
});

t.test('of large objects it reads fewer', async (t) => {
  const { timers, read } = await started(WARM_UP_OBJECTS_MIN, WARM_UP_BYTES / 10);
  timers.pass(LONG_MS);
  t.ok(read.length < 20, `${read.length}`);
  t.equal(timers.size, 0);
});

t.test('a type with few objects reads none', async (t) => {
  const { timers, read } = await started(WARM_UP_OBJECTS_MIN - 1);
  timers.pass(LONG_MS);
  t.equal(read.length, 0);
  t.equal(timers.size, 0);
});

t.test('a custom type, which has no protobuf, reads none', async (t) => {
  const { timers, read } = await started(WARM_UP_OBJECTS, 10, true);
  timers.pass(LONG_MS);
  t.equal(read.length, 0);
  t.equal(timers.size, 0);
});

t.test('it ends when the server stops', async (t) => {
  const { shard, timers, read } = await started(WARM_UP_OBJECTS);
  timers.pass(WARM_UP_DELAY_MS);
  shard.stopping = true;
  const before = read.length;
  timers.pass(LONG_MS);
  t.equal(read.length, before);
  t.equal(timers.size, 0);
});
