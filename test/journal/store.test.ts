/** The suite of stores on journals in etcd: the double, one behind a faulty wire, a real one. */
import t, { type Test } from 'tap';
import { EtcdDouble } from '../support/etcd/double/etcd-double.ts';
import { FaultyWire } from '../support/etcd/faulty-wire.ts';
import { findEtcd, NO_ETCD } from '../support/etcd/find-etcd.ts';
import { startRealEtcd } from '../support/etcd/real-etcd.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { testStore } from '../storage/store-conformance.ts';
import { storeInEtcd } from './store-in-etcd.ts';

t.setTimeout(10 * PATIENCE_MS);

function testStoreInEtcd(
  name: string,
  servers: readonly string[],
  beforeAppend?: () => void,
): void {
  let tests: Test = t;
  testStore(t, name, {
    open: () => storeInEtcd(tests, servers, beforeAppend),
    newHandle: (test) => {
      tests = test;
      return '';
    },
    isDurable: false,
    isInEtcd: true,
  });
}

const double = new EtcdDouble();
await double.start();
t.teardown(() => double.close());
testStoreInEtcd('the store in an etcd that is the double', [double.url]);

const wire = await FaultyWire.to(double.url);
t.teardown(() => wire.close());
let appends = 0;
testStoreInEtcd('the store in an etcd behind a faulty wire', [wire.url], () => {
  appends += 1;
  // Every second one is late.
  wire.delay(appends % 2);
  if (appends % 20 === 7) wire.loseAnswer();
  if (appends % 20 === 14) wire.loseRequest();
});

const program = findEtcd();
if (program === undefined) {
  void t.test('the store in a real etcd', { skip: NO_ETCD }, async () => {});
} else {
  const etcd = await startRealEtcd(program);
  t.teardown(() => etcd.close());
  testStoreInEtcd('the store in a real etcd', etcd.servers);
}
t.end();
