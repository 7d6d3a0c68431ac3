/** Three real members, of which one at a time is killed or stopped. */
import t from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import { EtcdError } from '../../src/etcd/etcd-error.ts';
import type { EtcdClient } from '../../src/etcd/etcd.ts';
import { findEtcd, NO_ETCD } from '../support/etcd/find-etcd.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';
import { startRealEtcd } from '../support/etcd/real-etcd.ts';
import { bytesOf, keysOf, put } from '../support/etcd/requests.ts';
import { WatchRecord } from '../support/etcd/watch-record.ts';
import { until } from '../support/owned-objects.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const program = findEtcd();

/** Makes keys one after another until it is stopped. */
class Writer {
  readonly done = new Set<string>();
  readonly unknown = new Set<string>();
  readonly notDone = new Set<string>();
  #isStopped = false;
  readonly #ended: Promise<void>;

  constructor(client: EtcdClient) {
    this.#ended = this.#write(client);
  }

  async untilMore(count: number): Promise<void> {
    const wanted = this.done.size + count;
    await until(async () => this.done.size >= wanted);
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#ended;
  }

  async #write(client: EtcdClient): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1) {
      const key = `m/${count}`;
      try {
        const compare = [{ key: bytesOf(key), is: '=', version: 0 }] as const;
        await client.txn({ compare, success: [put(key, 'v')] }, { deadlineMs: 3_000 });
        this.done.add(key);
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        (error.sort === 'unknown' ? this.unknown : this.notDone).add(key);
      }
    }
  }
}

t.test(
  'nothing is lost, or seen twice, while members come and go',
  { skip: program === undefined && NO_ETCD },
  async (t) => {
    const etcd = await startRealEtcd(program ?? '', { members: 3 });
    t.teardown(() => etcd.close());
    const client = connectEtcd({ servers: etcd.servers, messages: ETCD_MESSAGES });
    t.teardown(() => client.close());
    const record = await new WatchRecord(client, keysOf('m/*')).untilRunning();
    const writer = new Writer(client);
    await writer.untilMore(20);
    for (const stop of ['kill', 'pause'] as const) {
      const { server } = await client.status({ deadlineMs: PATIENCE_MS });
      const member = etcd.members.find(({ url }) => url === server);
      await member?.[stop]();
      await writer.untilMore(20);
      if (stop === 'kill') member?.start();
      else member?.resume();
      await writer.untilMore(20);
    }
    await writer.stop();
    const { kvs, revision } = await client.range(keysOf('m/*'), { deadlineMs: PATIENCE_MS });
    await record.untilProgress(revision);
    const there = new Set(kvs.map(({ key }) => Buffer.from(key).toString()));
    for (const key of writer.done) t.ok(there.has(key), `${key} was acknowledged`);
    for (const key of writer.notDone) t.notOk(there.has(key), `${key} was not done`);
    t.comment(`${writer.unknown.size} of an unknown outcome, ${writer.notDone.size} not done`);
    const revisions = kvs.map(({ modRevision }) => modRevision).sort((a, b) => a - b);
    t.same(
      record.events.map(({ kv }) => kv.modRevision),
      revisions,
    );
    t.ok(record.broken.length > 0);
  },
);
