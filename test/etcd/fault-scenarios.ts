/** What a client makes of a wire that fails, on a real etcd and on its double. */
import type { Test } from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import type { EtcdError } from '../../src/etcd/etcd-error.ts';
import type { EtcdClient, Lease } from '../../src/etcd/etcd.ts';
import { failureOf } from '../support/etcd/failure-of.ts';
import { FaultyWire } from '../support/etcd/faulty-wire.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';
import { bytesOf, keysOf, put, write } from '../support/etcd/requests.ts';
import { WatchRecord } from '../support/etcd/watch-record.ts';
import { until } from '../support/owned-objects.ts';
import { Random } from '../support/random.ts';
import type { EtcdUnderTest } from '../support/etcd/under-test.ts';

interface Faulty {
  readonly wire: FaultyWire;
  /** Goes over the wire. */
  readonly client: EtcdClient;
  /** Goes to the server itself. */
  readonly direct: EtcdClient;
  /** Two wires to the same server; over one of them goes `both`, and over the other if it fails. */
  readonly wires: readonly FaultyWire[];
  readonly both: EtcdClient;
}

type FaultScenario = (t: Test, faulty: Faulty) => Promise<void>;

const WRITES = 400;

/** All scenarios, on one etcd that `open` gives, each with a wire of its own. */
export function testFaults(t: Test, name: string, open: () => Promise<EtcdUnderTest>): void {
  // Most of the time they wait.
  void t.test(name, { jobs: Object.keys(SCENARIOS).length }, async (t) => {
    const { servers, close } = await open();
    t.teardown(close);
    for (const [scenario, run] of Object.entries(SCENARIOS)) {
      void t.test(scenario, { buffered: true }, async (t) => {
        const wires = await Promise.all([1, 2].map(() => FaultyWire.to(servers[0] ?? '')));
        const [wire] = wires as [FaultyWire];
        const lists = [[wire.url], servers, wires.map(({ url }) => url)];
        const [client, direct, both] = lists.map((urls) => {
          const made = connectEtcd({ servers: urls, messages: ETCD_MESSAGES });
          t.teardown(() => made.close());
          return made;
        }) as [EtcdClient, EtcdClient, EtcdClient];
        t.teardown(() => wires.forEach((one) => one.close()));
        await run(t, { wire, client, direct, wires, both });
      });
    }
  });
}

/** The wire that `both` goes over at present. */
async function wireInUse({ wires, both }: Faulty): Promise<FaultyWire> {
  const { server } = await both.status();
  return wires.find(({ url }) => url === server) as FaultyWire;
}

async function valueOf(client: EtcdClient, key: string): Promise<readonly [string, number] | []> {
  const [kv] = (await client.range(keysOf(key))).kvs;
  return kv === undefined ? [] : [Buffer.from(kv.value).toString(), kv.version];
}

const SCENARIOS: Readonly<Record<string, FaultScenario>> = {
  'a transaction whose answer is lost has an unknown outcome, and was done once': async (
    t,
    { wire, client, direct },
  ) => {
    await client.status();
    wire.loseAnswer();
    const failure = await failureOf(client.txn({ success: [put('f1', 'v')] }));
    t.equal(failure.sort, 'unknown');
    t.same(await valueOf(direct, 'f1'), ['v', 1]);
    t.same(await valueOf(client, 'f1'), ['v', 1], 'the client has another connection');
  },

  'a transaction that is lost on its way has an unknown outcome, and was not done': async (
    t,
    { wire, client, direct },
  ) => {
    await client.status();
    wire.loseRequest();
    const failure = await failureOf(client.txn({ success: [put('f2', 'v')] }));
    t.equal(failure.sort, 'unknown');
    t.same(await valueOf(direct, 'f2'), []);
    t.ok(await write(client, put('f2', 'w')));
  },

  'a transaction without an answer has an unknown outcome, and may be done later': async (
    t,
    { wire, client, direct },
  ) => {
    await client.status();
    wire.hold('to-server');
    const deadlineMs = 300;
    const failure = await failureOf(client.txn({ success: [put('f3', 'v')] }, { deadlineMs }));
    t.equal(failure.sort, 'unknown');
    t.same(await valueOf(direct, 'f3'), []);
    wire.release();
    t.ok(await write(client, put('f3', 'w')), 'the client has another connection');
  },

  'where no connection is taken, nothing was done': async (t, { wire, client, direct }) => {
    await client.status();
    wire.refuse();
    const options = { deadlineMs: 400 };
    const failures = await Promise.all(
      [
        client.txn({ success: [put('f4', 'v')] }, options),
        client.compact(1, options),
        client.leaseGrant({ ttlSeconds: 5 }, options),
        client.range({ key: bytesOf('f4') }, options),
      ].map(failureOf),
    );
    // What was sent before the client has noticed may have arrived.
    for (const { sort } of failures.slice(0, 3)) t.match(sort, /^(?:unavailable|unknown)$/);
    t.equal(failures[3]?.sort, 'unavailable');
    const late = failureOf(client.txn({ success: [put('f4', 'v')] }, options));
    t.match(await late, { sort: 'unavailable', message: /ECONNRESET|socket|take a connection/ });
    t.same(await valueOf(direct, 'f4'), []);
    wire.accept();
    t.ok(await write(client, put('f4', 'w')));
  },

  'a read is asked again': async (t, { wire, client }) => {
    await write(client, put('f5', 'v'));
    for (const lose of [() => wire.loseAnswer(), () => wire.loseRequest(), () => wire.cut()]) {
      lose();
      t.same(await valueOf(client, 'f5'), ['v', 1]);
    }
  },

  'another server is asked when one fails, and nothing is lost': async (t, faulty) => {
    const { both } = faulty;
    const wire = await wireInUse(faulty);
    wire.refuse();
    t.same(await valueOf(both, 'f6'), []);
    t.ok(await write(both, put('f6', 'v')));
    t.not(await wireInUse(faulty), wire);
  },

  'a watch goes on over breaks with nothing missed and nothing twice': async (
    t,
    { wires, both, direct },
  ) => {
    const random = new Random(7);
    const startRevision = await write(direct, put('f7', 'start'));
    const records = ['f7*', 'f7/1*', 'f7/2*'].map(
      (keys) => new WatchRecord(both, { ...keysOf(keys), startRevision, prevKv: true }),
    );
    const wanted = [startRevision];
    let seen = 0;
    for (let count = 0; count < WRITES; count += 1) {
      const value = String(count);
      const revision = await write(direct, put(`f7/${count % 10}`, value), put('f7', value));
      wanted.push(revision, revision);
      if (random.below(20) > 0) continue;
      // Some breaks come when the watch is behind or not yet there.
      const events = (): number => records[0]?.events.length ?? 0;
      if (random.below(2) === 0) await until(async () => events() > seen);
      seen = events();
      for (const wire of wires) {
        wire.cut();
        wire.delay(random.below(5));
      }
    }
    wanted.push(await write(direct, put('f7', 'end')));
    await Promise.all(records.map((record) => record.untilProgress(wanted.at(-1) ?? 0)));
    const [all, ...others] = records;
    t.same(
      all?.events.map(({ kv }) => kv.modRevision),
      wanted,
    );
    for (const { events } of others) t.equal(events.length, WRITES / 10);
    t.ok((all?.broken.length ?? 0) > 5, 'it was broken often');
  },

  'a watch without a sound is moved to another server': async (t, faulty) => {
    const { wires, both, direct } = faulty;
    const record = await new WatchRecord(both, keysOf('f8')).untilRunning();
    const wire = wires.find(({ url }) => url === record.server);
    wire?.hold();
    const revision = await write(direct, put('f8', 'v'));
    await record.untilEvents(1);
    t.same(record.lines, [`${revision} put f8=v`]);
    t.match(record.broken, [{ sort: 'unavailable', message: / is silent$/ }]);
    wire?.release();
    await write(direct, put('f8', 'w'));
    await record.untilEvents(2);
    t.equal(record.events.length, 2);
  },

  'a lease is renewed at another server when one is silent': async (t, faulty) => {
    const { both } = faulty;
    const lease = await both.leaseGrant({ ttlSeconds: 6 });
    const renewals: Lease[] = [];
    const broken: EtcdError[] = [];
    const renewing = both.leaseKeepAlive(lease, {
      renewed: (renewal) => renewals.push(renewal),
      broken: (error) => broken.push(error),
      lost: (error) => t.fail(error.message),
    });
    t.teardown(() => renewing.close());
    await until(async () => renewals.length > 0);
    const wire = await wireInUse(faulty);
    wire.hold();
    await until(async () => broken.length > 0);
    t.match(broken, [{ sort: 'unavailable', message: / does not renew the lease$/ }]);
    const before = renewals.length;
    await until(async () => renewals.length > before);
  },

  'a lease that ends meanwhile is lost': async (t, { wire, client }) => {
    const lease = await client.leaseGrant({ ttlSeconds: 2 });
    let lost: EtcdError | undefined;
    let broken = 0;
    const renewing = client.leaseKeepAlive(lease, {
      renewed: () => {},
      broken: () => (broken += 1),
      lost: (error) => (lost = error),
    });
    t.teardown(() => renewing.close());
    wire.refuse();
    await until(async () => broken > 0 && performance.now() > lease.sentAtMs + 4_000);
    t.equal(lost, undefined, 'nobody has said so yet');
    wire.accept();
    await until(async () => lost !== undefined);
    t.match(lost, { sort: 'refused', reason: 'leaseNotFound' });
  },
};
