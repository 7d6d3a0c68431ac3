import t from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import { EtcdDouble } from '../support/etcd/double/etcd-double.ts';
import { findEtcd, NO_ETCD } from '../support/etcd/find-etcd.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';
import { startRealEtcd } from '../support/etcd/real-etcd.ts';
import { Random } from '../support/random.ts';
import { testEtcd } from './conformance.ts';
import { runProgram } from './random-programs.ts';

const program = findEtcd();
const STEPS = 300;

if (program === undefined) {
  void t.test('a real etcd', { skip: NO_ETCD }, async () => {});
} else {
  testEtcd(t, 'a real etcd', async () => {
    const etcd = await startRealEtcd(program);
    return { servers: etcd.servers, close: () => etcd.close() };
  });

  void t.test('the double answers random requests as the real etcd does', async (t) => {
    const seed = Number(process.env['ETCD_SEED'] ?? Date.now() % 1_000_000);
    t.comment(`ETCD_SEED=${seed}`);
    const etcd = await startRealEtcd(program);
    t.teardown(() => etcd.close());
    const asked = connectEtcd({ servers: etcd.servers, messages: ETCD_MESSAGES });
    const { version } = await asked.status();
    asked.close();
    const double = new EtcdDouble({ version });
    t.teardown(() => double.close());
    await double.start();
    const [wanted, found] = await Promise.all(
      [etcd.servers, [double.url]].map(async (servers) => {
        const client = connectEtcd({ servers, messages: ETCD_MESSAGES });
        t.teardown(() => client.close());
        return runProgram(client, new Random(seed), STEPS);
      }),
    );
    t.ok((wanted ?? []).length > STEPS);
    t.same(found, wanted);
  });
}
