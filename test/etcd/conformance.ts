/** What src/etcd/ relies on, as one suite that runs on a real etcd and on its double. */
import type { Test } from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';
import type { EtcdUnderTest } from '../support/etcd/under-test.ts';
import { LEASE_SCENARIOS } from './lease-scenarios.ts';
import { REFUSED_SCENARIOS } from './refused-scenarios.ts';
import { TXN_SCENARIOS } from './txn-scenarios.ts';
import { WATCH_SCENARIOS } from './watch-scenarios.ts';

/** All scenarios, on one etcd that `open` gives. */
export function testEtcd(t: Test, name: string, open: () => Promise<EtcdUnderTest>): void {
  void t.test(name, async (t) => {
    const { servers, close } = await open();
    t.teardown(close);
    const all = [TXN_SCENARIOS, REFUSED_SCENARIOS, WATCH_SCENARIOS, LEASE_SCENARIOS];
    for (const [scenario, run] of all.flatMap((scenarios) => Object.entries(scenarios))) {
      await t.test(scenario, async (t) => {
        const client = connectEtcd({ servers, messages: ETCD_MESSAGES });
        t.teardown(() => client.close());
        await run(t, client);
      });
    }
  });
}
