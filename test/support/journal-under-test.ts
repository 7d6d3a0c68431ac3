/** Threads of servers that share an etcd, each with the journal of one type. */
import type { Test } from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import { Journal } from '../../src/journal/journal.ts';
import type { JournaledType } from '../../src/journal/journaled-type.ts';
import { JournalKeys } from '../../src/journal/keys.ts';
import { Ownership, steadyMs } from '../../src/journal/ownership.ts';
import { ThreadVersions } from '../../src/journal/thread-versions.ts';
import { ViewProgress, type ObjectsRead } from '../../src/journal/view-progress.ts';
import { VersionClock } from '../../src/sequencer/version-clock.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { encodeRecord, OPERATION } from '../../src/storage/record.ts';
import type { Operation } from '../../src/storage/record.ts';
import type { LogEntry, TypeLog } from '../../src/storage/store.ts';
import { ETCD_MESSAGES } from './etcd/messages.ts';

const LEASE_MS = 600_000;

export function entry(rv: number, key: string, operation: Operation = OPERATION.added): LogEntry {
  const header = { operation, timeMs: rv, previousRv: 0, key, labels: undefined, fields: [] };
  return { rv, value: encodeRecord(header, `"metadata":{"name":"${key}","rv":${rv}}}`) };
}

export class ServerUnderTest {
  readonly client;
  readonly keys = new JournalKeys('/test');
  readonly ownership = new Ownership();
  readonly clock = new VersionClock();
  readonly versions: ThreadVersions;
  readonly broken: Error[] = [];
  readonly #journal: Journal;

  /** How far its views are, as it has said. */
  readonly progress: number[] = [];
  readonly #views = new ViewProgress(ViewProgress.shared(1));

  /** `viewRevision` is where views that hold something go on. */
  constructor(t: Test, servers: readonly string[], viewRevision = 0) {
    this.client = connectEtcd({ servers, messages: ETCD_MESSAGES });
    t.teardown(() => this.client.close());
    this.versions = new ThreadVersions(ThreadVersions.shared(1), this.clock);
    this.#journal = new Journal({
      client: this.client,
      keys: this.keys,
      ownership: this.ownership,
      clock: this.clock,
      versions: this.versions,
      viewRevision,
      progress: {
        reached: (revision) => this.progress.push(revision),
        begin: () => this.#views.begin(),
      },
      onBroken: (error) => this.broken.push(error),
    });
  }

  /** Becomes the owner, whoever was before; gives the fence. */
  async takeOwnership(): Promise<number> {
    const { owner: key } = this.keys;
    const put = { put: { key, value: Buffer.from('{}') } };
    await this.client.txn({ success: [{ delete: { key } }] });
    const { revision } = await this.client.txn({ success: [put] });
    this.ownership.take(revision);
    this.ownership.renew(steadyMs() + LEASE_MS);
    return revision;
  }

  /** Opens a type, and becomes the owner of it. */
  async openOwned(t: Test, type: string, view?: TypeLog): Promise<TypeUnderTest> {
    const opened = await this.open(t, type, view);
    await opened.journaled.own(await this.takeOwnership());
    return opened;
  }

  /** With which its views have begun. */
  get objects(): ObjectsRead {
    return this.#views.objects();
  }

  async open(t: Test, type: string, view?: TypeLog): Promise<TypeUnderTest> {
    const log = view ?? new MemoryStore().openLog(type);
    const journaled = await this.#journal.open(type, log);
    t.teardown(() => journaled.close());
    return new TypeUnderTest(journaled, log);
  }
}

/** A type on one server, with what stands for its shard. */
export class TypeUnderTest {
  readonly journaled: JournaledType;
  readonly view: TypeLog;

  constructor(journaled: JournaledType, view: TypeLog) {
    this.journaled = journaled;
    this.view = view;
    journaled.attach({
      adopt: (entries) => journaled.log.append(entries),
      oldest: () => undefined,
      oldestStaged: () => undefined,
    });
  }

  get versions(): number[] {
    const rvs: number[] = [];
    this.view.scan(0, (rv) => rvs.push(rv) > 0);
    return rvs;
  }

  append(...entries: LogEntry[]): Promise<void> {
    return this.journaled.log.append(entries);
  }

  /** The versions of the view once it has all that was answered. */
  async newestVersions(): Promise<number[]> {
    await this.journaled.whenNewest(0);
    return this.versions;
  }
}
