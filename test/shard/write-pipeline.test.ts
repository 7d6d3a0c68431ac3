import t from 'tap';
import { COMMIT_BYTES_MAX } from '../../src/limits.ts';
import { VersionClock } from '../../src/sequencer/version-clock.ts';
import { WritePipeline } from '../../src/shard/state/write-pipeline.ts';
import type { PipelineOptions, StagedWrite } from '../../src/shard/state/write-pipeline.ts';
import { OPERATION } from '../../src/storage/record.ts';
import { newGate, turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';

interface PipelineUnderTest {
  readonly pipeline: WritePipeline;
  readonly log: HeldLog;
  readonly clock: VersionClock;
  /** The steps of the pipeline, in order. */
  readonly seen: string[];
  /** Stages a write of the next version; returns it. */
  write(key: string, bytes?: number): StagedWrite;
}

function newPipeline(options: Partial<PipelineOptions> = {}): PipelineUnderTest {
  const log = new HeldLog();
  const clock = new VersionClock();
  clock.start(10);
  clock.extend(1000);
  const seen: string[] = [];
  const pipeline = new WritePipeline(
    {
      log,
      clock,
      lease: async (rv) => clock.extend(rv + 10),
      apply: ({ rv }) => seen.push(`apply ${rv}`),
      publish: ({ rv }) => seen.push(`publish ${rv}`),
      onCommitEnd: () => seen.push('end'),
      ...options,
    },
    0,
  );
  const write = (key: string, bytes = 0): StagedWrite => {
    const rv = clock.take();
    const staged: StagedWrite = {
      rv,
      key,
      operation: OPERATION.modified,
      previousRv: 0,
      labels: undefined,
      fields: [],
      timeMs: 0,
      record: Buffer.from(`record ${rv}`.padEnd(bytes)),
      committed: () => seen.push(`answer ${rv}`),
      failed: (error) => seen.push(`fail ${rv}: ${error.message}`),
    };
    pipeline.stage(staged);
    return staged;
  };
  return { pipeline, log, clock, seen, write };
}

t.test('large writes are committed in parts', async (t) => {
  const { pipeline, log, write } = newPipeline();
  const small = [write('a'), write('b')];
  const large = [write('c', COMMIT_BYTES_MAX), write('d', COMMIT_BYTES_MAX + 1), write('e')];
  pipeline.kick();
  await pipeline.idle();
  const [a, b, c, d, e] = [...small, ...large].map(({ rv }) => rv);
  t.same(log.appends, [[a, b], [c], [d], [e]]);
});

t.test('nothing happens before the commit; then apply, answer, publish', async (t) => {
  const { pipeline, log, seen, write } = newPipeline();
  log.hold();
  write('a');
  write('b');
  t.equal(pipeline.committing, false, 'staging does not begin a commit');
  pipeline.kick();
  t.equal(pipeline.committing, true);
  await turns();
  t.same(seen, []);
  t.equal(pipeline.appliedRv, 0);
  log.release();
  await pipeline.idle();
  t.same(seen, [
    'apply 11',
    'apply 12',
    'answer 11',
    'answer 12',
    'publish 11',
    'publish 12',
    'end',
  ]);
  t.equal(pipeline.appliedRv, 12);
  t.equal(pipeline.committing, false);
});

t.test('one commit at a time; what is staged meanwhile shares the next', async (t) => {
  const { pipeline, log, seen, write } = newPipeline();
  log.hold();
  write('a');
  pipeline.kick();
  for (const key of ['b', 'c', 'd']) {
    write(key);
    pipeline.kick();
    await turns(1);
  }
  t.same(log.appends, [[11]]);
  log.release();
  await pipeline.idle();
  t.same(log.appends, [[11], [12, 13, 14]]);
  t.equal(seen.filter((text) => text === 'end').length, 2);
  t.equal(Buffer.from(log.read(13) ?? []).toString(), 'record 13');
});

const BESIDE = { groups: { writesMax: 100, bytesMax: 1e6, underWayMax: 2 } };
const MANY = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

t.test('where a log allows it, many writes begin a commit beside the one under way', async (t) => {
  const { pipeline, log, seen, write } = newPipeline(BESIDE);
  log.hold();
  write('a');
  pipeline.kick();
  write('b');
  pipeline.kick();
  t.same(log.appends, [[11]], 'a few wait');
  const rest = MANY.slice(1).map((key) => write(key).rv);
  pipeline.kick();
  t.same(log.appends, [[11], [12, ...rest]]);
  t.equal(pipeline.oldest(), 11);
  t.equal(pipeline.listVersion(), 10);
  for (const key of MANY) write(key);
  pipeline.kick();
  t.equal(log.appends.length, 2, 'so many and no more');
  t.same(seen, []);
  log.release();
  await pipeline.idle();
  t.equal(log.appends.length, 3);
  t.same(
    seen.filter((text) => text.startsWith('answer')),
    Array.from({ length: 17 }, (_, index) => `answer ${11 + index}`),
  );
  t.equal(pipeline.uncommitted('b'), undefined);
});

t.test('a commit beside one that fails fails with it, whatever the log says later', async (t) => {
  const { pipeline, log, seen, write } = newPipeline(BESIDE);
  log.hold();
  write('a');
  pipeline.kick();
  for (const key of MANY) write(key);
  pipeline.kick();
  t.equal(log.appends.length, 2);
  log.fail('no');
  await pipeline.idle();
  t.same(
    seen,
    [...Array.from({ length: 9 }, (_, index) => `fail ${11 + index}: no`), 'end'],
    'each is told once',
  );
  write('c');
  await pipeline.idle();
  t.match(seen.slice(-4), ['apply 20', 'answer 20', 'publish 20', 'end']);
});

t.test('commits are finished in their order, whichever is stored first', async (t) => {
  const gates = [newGate(), newGate()];
  let appends = 0;
  const { pipeline, seen, write } = newPipeline({
    ...BESIDE,
    log: { append: async () => gates[appends++]?.promise },
  });
  write('a');
  pipeline.kick();
  for (const key of MANY) write(key);
  pipeline.kick();
  t.equal(appends, 2);
  gates[1]?.open();
  await turns();
  t.same(seen, [], 'the second waits for the first');
  gates[0]?.open();
  await pipeline.idle();
  t.same(
    seen.filter((text) => text.startsWith('apply')),
    Array.from({ length: 9 }, (_, index) => `apply ${11 + index}`),
  );
});

t.test('no commit begins beside one that waits for a lease', async (t) => {
  const lease = newGate();
  const { pipeline, log, clock, write } = newPipeline({
    ...BESIDE,
    lease: async (rv) => {
      await lease.promise;
      clock.extend(rv + 100);
    },
  });
  log.hold();
  while (clock.last() < 1_010) clock.take();
  write('a');
  pipeline.kick();
  for (const key of MANY) write(key);
  pipeline.kick();
  await turns(2);
  t.same(log.appends, []);
  lease.open();
  log.release();
  await pipeline.idle();
  t.equal(log.appends.length, 2);
  t.equal(log.appends[0]?.length, 1);
});

t.test('a failed commit fails all that is staged by then, and nothing else', async (t) => {
  const { pipeline, log, seen, write } = newPipeline();
  write('before');
  await pipeline.idle();
  seen.length = 0;
  log.hold();
  write('a');
  pipeline.kick();
  write('a');
  write('b');
  log.fail('no space left');
  await pipeline.idle();
  t.same(seen, [
    'fail 12: no space left',
    'fail 13: no space left',
    'fail 14: no space left',
    'end',
  ]);
  t.equal(pipeline.appliedRv, 11);
  t.equal(pipeline.uncommitted('a'), undefined);
  t.same(log.appends, [[11], [12]], 'what rested on it was not even tried');
  write('c');
  await pipeline.idle();
  t.same(seen.slice(-4), ['apply 15', 'answer 15', 'publish 15', 'end'], 'and it goes on');
});

t.test('what is staged while a failure is told is written', async (t) => {
  const { pipeline, log, seen, write } = newPipeline();
  log.hold();
  write('a');
  pipeline.afterPending('a', () => void write('again'));
  pipeline.kick();
  log.fail('broken');
  await pipeline.idle();
  t.same(seen, ['fail 11: broken', 'end', 'apply 12', 'answer 12', 'publish 12', 'end']);
});

t.test('the newest uncommitted write of a key is what the next one builds on', async (t) => {
  const { pipeline, log, write } = newPipeline();
  t.equal(pipeline.uncommitted('ns/a'), undefined);
  log.hold();
  const first = write('ns/a');
  pipeline.kick();
  t.equal(pipeline.uncommitted('ns/a'), first, 'in flight');
  const second = write('ns/a');
  write('other/b');
  t.equal(pipeline.uncommitted('ns/a'), second, 'staged on top');
  const keys: string[] = [];
  pipeline.uncommittedKeys('ns/', (key) => keys.push(key));
  t.same(keys, ['ns/a']);
  log.release();
  await pipeline.idle();
  t.equal(pipeline.uncommitted('ns/a'), undefined);
});

t.test('a list has the current version, or one less than the oldest open write', async (t) => {
  const { pipeline, log, clock, write } = newPipeline();
  t.equal(pipeline.listVersion(), 10);
  clock.take();
  t.equal(pipeline.listVersion(), 11, 'a version that another type took');
  log.hold();
  write('a');
  t.equal(pipeline.listVersion(), 11, 'staged 12');
  pipeline.kick();
  write('b');
  clock.take();
  t.equal(pipeline.listVersion(), 11, 'in flight 12');
  log.release();
  await pipeline.idle();
  t.equal(pipeline.listVersion(), 14);
});

t.test('no list has a version that is not leased', async (t) => {
  const { pipeline, log, clock, write } = newPipeline();
  clock.extend(12);
  for (let count = 0; count < 5; count++) clock.take();
  t.equal(pipeline.listVersion(), 12);
  log.hold();
  write('a');
  t.equal(pipeline.listVersion(), 12, 'though 16 is staged');
  log.release();
  await pipeline.idle();
  t.ok(clock.leased() >= 16, 'a write waits for the lease');
  t.equal(pipeline.listVersion(), 16);
});

t.test('a lease that fails is a failed commit', async (t) => {
  const { pipeline, log, clock, seen, write } = newPipeline({
    lease: () => Promise.reject(new Error('no lease')),
  });
  clock.extend(10);
  write('a');
  await pipeline.idle();
  t.same(seen, ['fail 11: no lease', 'end']);
  t.same(log.appends, []);
});

t.test('afterPending waits for the newest write of the key', async (t) => {
  const { pipeline, log, seen, write } = newPipeline();
  pipeline.afterPending('a', () => seen.push('nothing pending'));
  t.same(seen, ['nothing pending']);
  log.hold();
  write('a');
  pipeline.kick();
  write('a');
  pipeline.afterPending('a', () => seen.push('after 12'));
  pipeline.afterPending('a', () => seen.push('and this'));
  pipeline.afterPending('b', () => seen.push('b at once'));
  log.release();
  await pipeline.idle();
  const told = seen.filter((text) => !/^(apply|publish|end)/.test(text));
  t.same(told, ['nothing pending', 'b at once', 'answer 11', 'answer 12', 'after 12', 'and this']);
});

t.test('afterPending runs when the write has failed too', async (t) => {
  const { pipeline, log, seen, write } = newPipeline();
  log.hold();
  write('a');
  pipeline.afterPending('a', () => seen.push('after'));
  pipeline.kick();
  log.fail('broken');
  await pipeline.idle();
  t.same(seen, ['fail 11: broken', 'after', 'end']);
});

t.test('afterCommit runs once, after the commit under way', async (t) => {
  const { pipeline, log, seen, write } = newPipeline();
  log.hold();
  write('a');
  pipeline.kick();
  write('b');
  pipeline.afterCommit(() => seen.push(`after, list ${pipeline.listVersion()}`));
  log.release();
  await pipeline.idle();
  const after = 'after, list 11';
  const expected = ['apply 11', 'answer 11', 'publish 11', after, 'end', 'apply 12', 'answer 12'];
  t.same(seen.slice(0, 7), expected);
  t.equal(seen.filter((text) => text === after).length, 1);
});

t.test('idle resolves at once when there is nothing to do', async (t) => {
  const { pipeline, seen } = newPipeline();
  await pipeline.idle();
  pipeline.kick();
  t.same(seen, []);
  t.equal(pipeline.committing, false);
});

t.test('versions that do not grow are a bug', async (t) => {
  const { pipeline, write } = newPipeline();
  const first = write('a');
  t.throws(() => pipeline.stage(first), { name: 'AssertionError' });
  await pipeline.idle();
  t.throws(() => pipeline.stage(first), { name: 'AssertionError' }, 'also after its commit');
});
