import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { Membership, type MembershipOptions } from '../../src/cluster/membership.ts';
import { Peers } from '../../src/cluster/peers.ts';
import { ViewProgress } from '../../src/journal/view-progress.ts';
import { VersionClock } from '../../src/sequencer/version-clock.ts';
import { StatusError, TIMED_OUT } from '../support/etcd/double/status-error.ts';
import { startDouble } from '../support/etcd/start-double.ts';
import { until } from '../support/owned-objects.ts';

const BUILD_DIR = join(import.meta.dirname, '../../.build');

async function startEtcd(t: Test): Promise<string> {
  return (await startDouble(t)).url;
}

/** A server of a build, as far as it takes part. */
async function joined(t: Test, url: string, format: number) {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-member-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const told: string[] = [];
  const opened: string[] = [];
  const etcd = {
    servers: [url],
    prefix: '/test',
    leaseTtlMs: 5_000,
    peerAddress: { host: '127.0.0.1', port: 0 },
  };
  const config = { etcd, dataDir: folder, shardThreads: 1, watchHistoryMs: 60_000 };
  const member: Membership = await Membership.join(
    {
      config: config as unknown as MembershipOptions['config'],
      build: { version: `0.${format}`, format },
      buildDir: BUILD_DIR,
      viewFolder: join(folder, 'view'),
      sharedFiles: [],
      onPort: (type, port) => {
        opened.push(type);
        port.close();
      },
      onOwned: () => undefined,
      onLost: (why) => told.push(why),
      logInfo: (text) => told.push(text),
      logError: (text) => told.push(text),
    },
    () => undefined,
  );
  t.teardown(() => member.close());
  return { member, told, opened };
}

t.test('neighbouring builds share an etcd, and others are refused', async (t) => {
  const url = await startEtcd(t);
  const old = await joined(t, url, 4);
  t.ok(await old.member.stand(), 'the first owns');
  const next = await joined(t, url, 5);
  t.notOk(await next.member.stand());
  await t.rejects(joined(t, url, 6), {
    name: 'ConfigError',
    message:
      /^a server of version 0\.4 \(format 4\) shares the etcd, and this one is of version 0\.6/,
  });
  await t.rejects(joined(t, url, 2), { name: 'ConfigError', message: /format [45].*format 2/ });
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  next.member.connectOwner('configmaps', port2);
  await until(async () => old.opened.length > 0);
  t.same(old.opened, ['configmaps'], 'the newer one passes on to the older');
});

t.test(
  'a newer format is written when all know it, and older builds are refused then',
  async (t) => {
    const url = await startEtcd(t);
    const old = await joined(t, url, 4);
    await old.member.stand();
    const next = await joined(t, url, 5);
    await next.member.stand();
    await old.member.leave();
    await until(async () => next.member.isOwner);
    const late = await joined(t, url, 4);
    next.member.keepUp(new VersionClock());
    await until(async () => next.told.some((line) => /goes to format 5/.test(line)));
    await t.rejects(late.member.stand(), { name: 'StandError' }, 'one that looked before that');
    await t.rejects(joined(t, url, 4), {
      name: 'ConfigError',
      message:
        /^what is in etcd has format 5, which this server of version 0\.4 \(format 4\) cannot/,
    });
    const last = await joined(t, url, 6);
    t.notOk(await last.member.stand());
    await next.member.leave();
    await t.rejects(joined(t, url, 7), { name: 'ConfigError', message: /format 6/ });
  },
);

t.test('who leaves says so until etcd has heard it', async (t) => {
  const etcd = await startDouble(t);
  const owner = await joined(t, etcd.url, 4);
  await owner.member.stand();
  const other = await joined(t, etcd.url, 4);
  await other.member.stand();
  for (const isDone of [false, false, true]) {
    etcd.failNext('LeaseRevoke', new StatusError(TIMED_OUT), { isDone });
  }
  await owner.member.leave();
  await until(async () => other.member.isOwner);
  t.equal(etcd.counts.get('LeaseRevoke'), 4);
});

t.test('a server tells how far its view is, as long as that is not whole', async (t) => {
  const url = await startEtcd(t);
  const owner = await joined(t, url, 4);
  await owner.member.stand();
  const { member, told } = await joined(t, url, 4);
  const reading = new ViewProgress(member.init().progress).join().begin();
  await member.stand();
  reading.answered(500, 2_000);
  const seenByOther = async () => {
    const rows = await owner.member.servers();
    return rows.find(({ role }) => role === 'follower')?.reading;
  };
  await until(async () => (await seenByOther())?.of === 2_000);
  t.same(await seenByOther(), { read: 500, of: 2_000 });
  const line = /^the view is read: 500 of 2000 objects, revision 0 of \d+$/;
  await until(async () => told.some((text) => line.test(text)));
  member.keepView();
  t.equal(told.at(-1), 'the view is whole: 2000 objects were read');
  await until(async () => (await seenByOther()) === undefined);
});

t.test('a server refuses connections of builds that are no neighbours', async (t) => {
  const told: string[] = [];
  const opened: string[] = [];
  const peersOf = (format: number | undefined): Peers => {
    const peers = new Peers({
      key: Buffer.alloc(32, 1).toString('base64'),
      build: { version: '0.1', ...(format && { format }) },
      address: { host: '127.0.0.1', port: 0 },
      onPort: (type, port) => {
        opened.push(type);
        port.close();
      },
      logError: (text) => told.push(text),
    });
    t.teardown(() => peers.close());
    return peers;
  };
  const owner = peersOf(4);
  const address = await owner.listen();
  for (const format of [6, undefined, 3]) {
    const { port1, port2 } = new MessageChannel();
    const closed = new Promise((resolve) => port1.on('close', resolve));
    peersOf(format).connect(address, `format ${format}`, port2);
    await closed;
  }
  t.same(opened, ['format 3']);
  const refused = told.filter((line) => line.endsWith('refused: this is version 0.1 (format 4)'));
  t.equal(refused.length, 2);
});
