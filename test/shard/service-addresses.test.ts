/** Cluster IPs across deletions: an address is given again only once it is free for good. */
import t from 'tap';
import { InDoubtError } from '../../src/journal/in-doubt-error.ts';
import { SERVICE } from '../../src/resources/core/services/service.ts';
import { serviceUnavailable } from '../../src/semantics/errors/status.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import type { TestObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

const ADDRESS = '10.0.0.1';

function service(name: string): TestObject {
  return { metadata: { name }, spec: { ports: [{ port: 80 }], clusterIP: ADDRESS } };
}

/** A shard that has just been started, with a service `old` that has the address. */
async function restarted(): Promise<{ log: HeldLog; subject: ShardUnderTest }> {
  const log = new HeldLog();
  const before = new ShardUnderTest({ definition: SERVICE, log });
  await before.create(service('old'));
  const subject = new ShardUnderTest({ definition: SERVICE, log, clock: before.clock });
  return { log, subject };
}

t.test('the first deletion after a start keeps the address until it is committed', async (t) => {
  const { log, subject } = await restarted();
  log.hold();
  const deletion = subject.delete('old');
  const early = refusal(subject.create(service('early')));
  log.release();
  await deletion;
  t.match(await early, { code: 422, message: 'provided IP is already allocated' });
  t.equal((await subject.create(service('next'))).code, 201);
  t.match(await refusal(subject.create(service('late'))), { code: 422 });
  t.same(subject.keys(), ['default/next'], 'one service has it');
});

t.test('a deletion that fails leaves the address where it was', async (t) => {
  const { log, subject } = await restarted();
  log.hold();
  const deletion = refusal(subject.delete('old'));
  log.fail('the disk is full');
  t.match(await deletion, { code: 500 });
  t.match(await refusal(subject.create(service('other'))), { code: 422 });
  await subject.delete('old');
  t.equal((await subject.create(service('other'))).code, 201);
});

t.test('an address stays with a service as long as nobody knows whether it is there', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ definition: SERVICE, log });
  let known: (newest: number) => void = () => undefined;
  const madeUpTo = new Promise<number>((resolve) => (known = resolve));
  log.hold();
  const creation = refusal(subject.create(service('doubtful')));
  log.fail(new InDoubtError(serviceUnavailable('etcd does not answer'), madeUpTo));
  t.match(await creation, { code: 503 });
  t.match(await refusal(subject.create(service('other'))), { code: 422 });
  known(0);
  await turns();
  t.equal((await subject.create(service('other'))).code, 201, 'it never was');
});
