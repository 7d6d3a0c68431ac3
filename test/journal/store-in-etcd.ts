/**
 * A store whose logs are journals in an etcd, for the suite of stores: opaque values stand in
 * records, each of an object of its own. Appends are cut into as much as a transaction takes, as the
 * shards do it, and do not wait for each other.
 */
import type { Test } from 'tap';
import { GROUP_BYTES_MAX, GROUP_WRITES_MAX } from '../../src/journal/limits.ts';
import { DecoratedLog } from '../../src/storage/decorated-log.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { encodeRecord, OPERATION, wireBytes } from '../../src/storage/record.ts';
import type { LogEntry, Removal, Store, TypeLog } from '../../src/storage/store.ts';
import { ServerUnderTest } from '../support/journal-under-test.ts';

let stores = 0;

/** Logs of its own in that etcd. `beforeAppend` is called when a transaction is about to be. */
export function storeInEtcd(
  t: Test,
  servers: readonly string[],
  beforeAppend: () => void = () => undefined,
): Store {
  const server = new ServerUnderTest(t, servers);
  const view = new MemoryStore();
  const own = stores++;
  const owned = server.takeOwnership();
  const logs = new Map<string, TypeLog>();
  const opened: Promise<unknown>[] = [owned];
  const logOf = (name: string, log: TypeLog): TypeLog => {
    let known = logs.get(name);
    if (known === undefined) {
      const journal = owned.then(async (fence) => {
        const { journaled } = await server.open(t, `${name}-${own}`, log);
        await journaled.own(fence);
        return journaled.log;
      });
      opened.push(journal);
      logs.set(name, (known = new LogInEtcd(log, journal, beforeAppend)));
    }
    return known;
  };
  return Object.assign(Object.create(view) as MemoryStore, {
    shared: view.shared,
    local: view.local,
    openLog: (name: string) => logOf(name, view.openLog(name)),
    openCustomLog: (name: string) => logOf(`custom@${name}`, view.openCustomLog(name)),
    async close() {
      await Promise.all(opened);
    },
  });
}

class LogInEtcd extends DecoratedLog {
  readonly #journal: Promise<TypeLog>;
  readonly #beforeAppend: () => void;

  constructor(view: TypeLog, journal: Promise<TypeLog>, beforeAppend: () => void) {
    super(view);
    this.#journal = journal;
    this.#beforeAppend = beforeAppend;
  }

  override asRead(record: Uint8Array): Uint8Array {
    return wireBytes(record);
  }

  override async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    const log = await this.#journal;
    const groups = [...groupsOf(entries.map(recorded))];
    const last = groups.pop() ?? [];
    if (last.length > 0) this.#beforeAppend();
    await Promise.all([...groups.map((group) => log.append(group)), log.append(last, removal)]);
  }

  override async fill(entries: readonly LogEntry[]): Promise<void> {
    const log = await this.#journal;
    await log.fill(entries.map(recorded));
  }

  override async rewrite(entries: readonly LogEntry[]): Promise<void> {
    const log = await this.#journal;
    await log.rewrite(entries.map(recorded));
  }
}

function recorded({ rv, value }: LogEntry): LogEntry {
  const header = { timeMs: rv, previousRv: 0, key: `ns/${rv}`, labels: undefined, fields: [] };
  const record = encodeRecord({ ...header, operation: OPERATION.added }, '');
  return { rv, value: Buffer.concat([record, value]) };
}

function* groupsOf(entries: readonly LogEntry[]): Generator<readonly LogEntry[]> {
  let group: LogEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const isFull =
      group.length === GROUP_WRITES_MAX || bytes + entry.value.length > GROUP_BYTES_MAX;
    if (group.length > 0 && isFull) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(entry);
    bytes += entry.value.length;
  }
  if (group.length > 0) yield group;
}
