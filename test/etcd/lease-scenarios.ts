import type { EtcdError } from '../../src/etcd/etcd-error.ts';
import type { EtcdClient, Lease } from '../../src/etcd/etcd.ts';
import { failureOf } from '../support/etcd/failure-of.ts';
import { bytesOf, keysOf, put, write } from '../support/etcd/requests.ts';
import { WatchRecord } from '../support/etcd/watch-record.ts';
import { until } from '../support/owned-objects.ts';
import type { Scenario } from '../support/etcd/under-test.ts';

/** The shortest that etcd has. */
const TTL_SECONDS = 2;

/** Puts keys that go with the lease. */
async function putWith(client: EtcdClient, lease: bigint, ...keys: string[]): Promise<number> {
  const success = keys.map((key) => ({
    put: { key: bytesOf(key), value: bytesOf('held'), lease },
  }));
  return (await client.txn({ success })).revision;
}

export const LEASE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'keys go with a lease that is revoked': async (t, client) => {
    const lease = await client.leaseGrant({ ttlSeconds: 60 });
    t.ok(lease.id !== 0n);
    t.equal(lease.ttlSeconds, 60);
    await putWith(client, lease.id, 'l1/b', 'l1/a', 'l1/kept');
    const last = await write(client, put('l1/kept', 'without a lease'));
    const watch = new WatchRecord(client, { ...keysOf('l1/*'), startRevision: last + 1 });
    const { kvs } = await client.range(keysOf('l1/*'));
    t.same(
      kvs.map((kv) => kv.lease),
      [lease.id, lease.id, 0n],
    );
    await client.leaseRevoke(lease.id);
    await watch.untilEvents(2);
    t.same(watch.lines, [`${last + 1} delete l1/a`, `${last + 1} delete l1/b`]);
    t.match(await failureOf(client.leaseRevoke(lease.id)), {
      sort: 'refused',
      reason: 'leaseNotFound',
    });
  },

  'a lease has the id that is asked for, once': async (t, client) => {
    for (const id of [42n, 2n ** 62n + 1n]) {
      t.match(await client.leaseGrant({ ttlSeconds: 60, id }), { id });
      const failure = await failureOf(client.leaseGrant({ ttlSeconds: 60, id }));
      t.match(failure, { sort: 'refused', reason: 'leaseExists' });
      const compare = { key: bytesOf('l2'), is: '=', lease: id } as const;
      await putWith(client, id, 'l2');
      t.equal((await client.txn({ compare: [compare] })).succeeded, true);
      await client.leaseRevoke(id);
    }
    const { ttlSeconds } = await client.leaseGrant({ ttlSeconds: 1 });
    t.equal(ttlSeconds, TTL_SECONDS, 'a short time is made longer');
    const tooLong = failureOf(client.leaseGrant({ ttlSeconds: 10_000_000_000 }));
    t.match(await tooLong, { sort: 'refused', message: 'etcdserver: too large lease TTL' });
  },

  'a lease that nobody renews ends': async (t, client) => {
    const lease = await client.leaseGrant({ ttlSeconds: TTL_SECONDS });
    const watch = new WatchRecord(client, keysOf('l3'));
    await watch.untilRunning();
    const revision = await putWith(client, lease.id, 'l3');
    await watch.untilEvents(2);
    const heldMs = performance.now() - lease.sentAtMs;
    t.same(watch.lines, [`${revision} put l3=held`, `${revision + 1} delete l3`]);
    t.ok(heldMs >= TTL_SECONDS * 1_000, 'and not before its time');
    const lost = new Promise<EtcdError>((resolve) => {
      client.leaseKeepAlive(lease, { renewed: () => t.fail('it is over'), lost: resolve });
    });
    t.match(await lost, { sort: 'refused', reason: 'leaseNotFound' });
  },

  'a lease that is renewed lives on': async (t, client) => {
    const lease = await client.leaseGrant({ ttlSeconds: TTL_SECONDS });
    await putWith(client, lease.id, 'l4');
    const renewals: Lease[] = [];
    let lost: EtcdError | undefined;
    const renewing = client.leaseKeepAlive(lease, {
      renewed: (renewal) => renewals.push(renewal),
      lost: (error) => (lost = error),
    });
    t.teardown(() => renewing.close());
    await until(async () => (renewals.at(-1)?.sentAtMs ?? 0) > lease.sentAtMs + 3_000);
    t.match(renewals[0], { id: lease.id, ttlSeconds: TTL_SECONDS });
    t.equal((await client.range(keysOf('l4'))).count, 1);
    await client.leaseRevoke(lease.id);
    await until(async () => lost !== undefined);
    t.match(lost, { reason: 'leaseNotFound' });
  },
};
