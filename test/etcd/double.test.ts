import t from 'tap';
import { EtcdDouble } from '../support/etcd/double/etcd-double.ts';
import { testEtcd } from './conformance.ts';

testEtcd(t, 'the double', async () => {
  const double = new EtcdDouble();
  await double.start();
  return { servers: [double.url], close: () => double.close() };
});
