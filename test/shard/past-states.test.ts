/** States at old versions that take many turns to find: who waits, who does not, and for what. */
import t from 'tap';
import { PAST_STATE_STEP_VERSIONS, PAST_STATES_ENTRIES_MAX } from '../../src/limits.ts';
import { EventHistory } from '../../src/shard/log/event-history.ts';
import { PastStates } from '../../src/shard/log/past-states.ts';
import type { PastState } from '../../src/shard/log/past-states.ts';
import { decodeRecordHeader, encodeRecord, OPERATION } from '../../src/storage/record.ts';
import type { RecordHeader } from '../../src/storage/record.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import type { TypeLog } from '../../src/storage/store.ts';

/** Versions 1 to `count` of as many objects, each replaced by version `count` + n. */
function rewritten(count: number) {
  const store = new MemoryStore().openLog('test');
  let reads = 0;
  const record = (rv: number): Buffer => {
    const header = { operation: OPERATION.added, timeMs: 0, previousRv: 0, labels: undefined };
    return encodeRecord({ ...header, key: `ns/n${rv}`, fields: [] }, '"metadata":{}}');
  };
  const log: TypeLog = {
    append: (entries, removal) => store.append(entries, removal),
    checkRoom: () => undefined,
    fill: (entries) => store.fill(entries),
    rewrite: (entries) => store.rewrite(entries),
    scan: () => undefined,
    horizon: () => store.horizon(),
    count: () => store.count(),
    read: (rv) => {
      reads++;
      return record(rv);
    },
  };
  const history = new EventHistory(
    log,
    300_000,
    () => 0,
    () => undefined,
  );
  for (let n = 1; n <= count; n++) history.superseded(n, count + n, 0);
  return {
    past: new PastStates(history, { at: (rv) => headerAt(log, rv) }),
    history,
    log,
    reads: () => reads,
  };
}

function headerAt(log: TypeLog, rv: number): RecordHeader | undefined {
  const record = log.read(rv);
  return record && decodeRecordHeader(record);
}

function found(past: PastStates, rv: number): Promise<PastState | undefined> {
  return new Promise((resolve) => past.at(rv, resolve));
}

const MANY = 4 * PAST_STATE_STEP_VERSIONS;

t.test(
  'a state of many objects is found in steps, between which others have their turn',
  async (t) => {
    const { past } = rewritten(MANY);
    let turns = 0;
    let isFound = false;
    const state = found(past, MANY).finally(() => (isFound = true));
    while (!isFound) {
      await new Promise(setImmediate);
      turns++;
    }
    t.equal((await state)?.replaced.size, MANY);
    t.ok(turns >= 3, `${turns} turns`);
  },
);

t.test('many at once are found one after the other, none of them twice', async (t) => {
  const { past, reads } = rewritten(MANY);
  const asked = [MANY, MANY + 1, MANY + 2, MANY, MANY + 1];
  const order: number[] = [];
  const states = asked.map((rv) => found(past, rv).finally(() => order.push(rv)));
  const sizes = (await Promise.all(states)).map((state) => state?.replaced.size);
  t.same(sizes, [MANY, MANY - 1, MANY - 2, MANY, MANY - 1]);
  t.same(order, asked);
  t.equal(reads(), 3 * MANY - 3, 'each version is read once for each state');
});

t.test('a state that is kept is there at once, with what was replaced since', async (t) => {
  const { past, history } = rewritten(MANY);
  await found(past, MANY);
  const slow = found(past, MANY + 7);
  let state: PastState | undefined;
  history.superseded(MANY + 1, 2 * MANY + 1, 0);
  past.at(MANY, (now) => (state = now));
  t.equal(state?.replaced.size, MANY, 'although another is being found');
  past.at(MANY + 1, (now) => (state = now));
  t.equal((await slow)?.replaced.size, MANY - 6);
  t.equal((await found(past, MANY + 1))?.replaced.size, MANY, 'the new one for the first old one');
});

t.test('what is compacted while it waits is told as gone', async (t) => {
  const { past, log } = rewritten(MANY);
  const states = [found(past, MANY), found(past, MANY + 1)];
  await log.append([], { rvs: [1], horizon: MANY + 1 });
  t.equal(await states[0], undefined);
  t.not(await states[1], undefined);
});

t.test('of too many, those used longest ago are forgotten', async (t) => {
  const count = PAST_STATES_ENTRIES_MAX / 2 + 1;
  const { past, reads } = rewritten(count);
  for (const rv of [count, count + 1, count]) await found(past, rv);
  t.ok(reads() > 2 * count, 'the first was found anew');
  const before = reads();
  await found(past, count);
  t.equal(reads(), before, 'and is kept now');
});
