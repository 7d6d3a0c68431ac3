/** Groups that are sent while one before them is under way. */
import t from 'tap';
import type { InDoubtError } from '../../src/journal/in-doubt-error.ts';
import { EtcdError } from '../../src/etcd/etcd-error.ts';
import type { EtcdClient, Txn } from '../../src/etcd/etcd.ts';
import { startDouble, wireTo } from '../support/etcd/start-double.ts';
import { newGate } from '../support/gate.ts';
import { entry, ServerUnderTest } from '../support/journal-under-test.ts';
import type { TypeUnderTest } from '../support/journal-under-test.ts';
import { Random, seedFrom } from '../support/random.ts';

const ROUNDS = 12;
const GROUPS = 6;

/** Groups of a write each, sent at once; the versions of those that were answered, in order. */
async function appendAtOnce(own: TypeUnderTest, first: number, count: number): Promise<number[]> {
  const answered: number[] = [];
  const appends = Array.from({ length: count }, async (_, index) => {
    const rv = first + index;
    await own.append(entry(rv, `ns/o-${rv}`));
    answered.push(rv);
  });
  await Promise.all(appends);
  return answered;
}

/** A client whose transactions a test holds back, or answers itself. */
function withTxns(client: EtcdClient, txn: EtcdClient['txn']): void {
  Object.assign(client, { txn });
}

const isGroup = ({ success = [] }: Txn): boolean => success.length > 2;

t.test('they are in etcd and answered in their order, whatever is lost', async (t) => {
  const seed = seedFrom('GROUPS_SEED');
  t.comment(`GROUPS_SEED=${seed}`);
  const random = new Random(seed);
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  const owner = new ServerUnderTest(t, [wire.url]);
  const own = await owner.openOwned(t, 'configmaps');
  for (let round = 0; round < ROUNDS; round++) {
    wire.delay(random.below(4));
    if (random.below(2) === 0) wire.loseAnswer();
    if (random.below(2) === 0) wire.loseRequest();
    const first = 1 + round * GROUPS;
    const answered = await appendAtOnce(own, first, GROUPS);
    t.same(
      answered,
      Array.from({ length: GROUPS }, (_, index) => first + index),
    );
  }
  const all = Array.from({ length: ROUNDS * GROUPS }, (_, index) => index + 1);
  t.same(own.versions, all);
  t.same((await new ServerUnderTest(t, [url]).open(t, 'configmaps')).versions, all);
});

t.test('one that arrives before the one before it comes after it', async (t) => {
  const owner = new ServerUnderTest(t, [(await startDouble(t)).url]);
  const own = await owner.openOwned(t, 'configmaps');
  const txn = owner.client.txn.bind(owner.client);
  const gate = newGate();
  let sent = 0;
  let early = 0;
  withTxns(owner.client, async (request, options) => {
    sent += 1;
    if (sent === 1) await gate.promise;
    const result = await txn(request, options);
    if (!result.succeeded) early += 1;
    if (early === 1) gate.open();
    return result;
  });
  t.same(await appendAtOnce(own, 1, 2), [1, 2]);
  t.equal(early, 1, 'it was refused, and sent again');
  t.same(own.versions, [1, 2]);
});

t.test('those behind one that etcd refuses fail with it, and are not there', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  await own.append(entry(1, 'ns/a'));
  const txn = owner.client.txn.bind(owner.client);
  const gate = newGate();
  let sent = 0;
  withTxns(owner.client, async (request, options) => {
    sent += 1;
    if (sent > 1) return txn(request, options);
    await gate.promise;
    throw EtcdError.refused('etcdserver: mvcc: database space exceeded');
  });
  const appends = [2, 3, 4].map((rv) => own.append(entry(rv, `ns/${rv}`)));
  setTimeout(() => gate.open(), 20);
  for (const append of appends) await t.rejects(append, { message: /database space exceeded/ });
  await own.append(entry(5, 'ns/e'));
  t.same(own.versions, [1, 5], 'and it goes on');
  t.same((await new ServerUnderTest(t, [url]).open(t, 'configmaps')).versions, [1, 5]);
});

t.test('one that was made may follow one whose answer is lost', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  const txn = owner.client.txn.bind(owner.client);
  let groups = 0;
  withTxns(owner.client, async (request, options) => {
    const result = await txn(request, options);
    if (isGroup(request) && (groups += 1) === 1) throw EtcdError.unknown('connection reset');
    return result;
  });
  t.same(await appendAtOnce(own, 1, 3), [1, 2, 3]);
  t.equal(groups, 3, 'none was made again');
  t.same((await new ServerUnderTest(t, [url]).open(t, 'configmaps')).versions, [1, 2, 3]);
});

t.test('all that were in doubt for long are taken when they are found', async (t) => {
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  const owner = new ServerUnderTest(t, [wire.url]);
  const own = await owner.openOwned(t, 'configmaps');
  wire.hold('to-client');
  const appends = [1, 2, 3].map((rv) => own.append(entry(rv, `ns/${rv}`)));
  const doubts: InDoubtError[] = [];
  for (const append of appends) await append.catch((error: InDoubtError) => doubts.push(error));
  t.match(doubts, Array(3).fill({ reason: { code: 503 } }));
  await t.rejects(own.append(entry(4, 'ns/d')), { code: 503 }, 'nothing follows them');
  wire.release();
  await own.journaled.whenNewest(0);
  t.same(own.versions, [1, 2, 3]);
  t.same(await Promise.all(doubts.map((doubt) => doubt.madeUpTo)), [3, 3, 3]);
  await own.append(entry(5, 'ns/e'));
  t.same((await new ServerUnderTest(t, [url]).open(t, 'configmaps')).versions, [1, 2, 3, 5]);
});
