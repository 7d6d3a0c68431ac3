import t from 'tap';
import { EtcdDouble } from '../support/etcd/double/etcd-double.ts';
import { findEtcd, NO_ETCD } from '../support/etcd/find-etcd.ts';
import { startRealEtcd } from '../support/etcd/real-etcd.ts';
import { testFaults } from './fault-scenarios.ts';

testFaults(t, 'the double behind a wire that fails', async () => {
  const double = new EtcdDouble();
  await double.start();
  return { servers: [double.url], close: () => double.close() };
});

const program = findEtcd();
if (program === undefined) {
  void t.test('a real etcd behind a wire that fails', { skip: NO_ETCD }, async () => {});
} else {
  testFaults(t, 'a real etcd behind a wire that fails', async () => {
    const etcd = await startRealEtcd(program);
    return { servers: etcd.servers, close: () => etcd.close() };
  });
}
