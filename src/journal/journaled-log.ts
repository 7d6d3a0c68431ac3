/**
 * The log of a type whose groups are decided by etcd: the owner's appends are one transaction each,
 * and reach the view when etcd has taken them. What others have decided reaches the view alone.
 *
 * A transaction compares the fence and the group before it, so that they come in order, each once,
 * and none after another server has become the owner. Where nobody knows what became of one, an
 * empty group in its place tells: either it is there, or it never will be.
 */
import type { EtcdClient, Operation, Txn, TxnResult } from '../etcd/etcd.ts';
import { EtcdError } from '../etcd/etcd-error.ts';
import { serviceUnavailable } from '../semantics/errors/status.ts';
import { NotOwnerError } from './not-owner-error.ts';
import { DecoratedLog } from '../storage/decorated-log.ts';
import { StoreError } from '../storage/store.ts';
import type { LogEntry, Removal, TypeLog } from '../storage/store.ts';
import { emptyGroup, encodeGroup, groupHeader } from './group.ts';
import type { StoredGroup } from './group.ts';
import type { JournalKeys } from './keys.ts';
import { APPEND_MS_MAX, OBJECT_BYTES_MAX, RETRY_MS, TXN_MS_MAX } from './limits.ts';
import type { Ownership } from './ownership.ts';

export interface JournaledLogOptions {
  readonly type: string;
  readonly keys: JournalKeys;
  readonly client: EtcdClient;
  readonly ownership: Ownership;
  /** The version up to which all changes of all types are in etcd once these entries are. */
  readonly safeRv: () => number;
  /** Told of a group in doubt that was found in etcd, after its append was given up. */
  readonly onFound: (entries: readonly LogEntry[]) => Promise<void>;
  /** A view that lacks what etcd has: the server has to begin anew. */
  readonly onBroken: (error: Error) => void;
  readonly metrics?: JournalMetrics;
}

export interface JournalMetrics {
  committed(operations: number, bytes: number, seconds: number): void;
  inDoubt(): void;
}

const UNAVAILABLE = 'etcd does not answer: nothing can be written until it does';

export class JournaledLog extends DecoratedLog {
  readonly #options: JournaledLogOptions;
  /** The revision of the last group of the type; 0 for none. */
  #groupRevision = 0;
  /** The newest version of the type. */
  #lastRv = 0;
  /** A group that may or may not be in etcd. */
  #isInDoubt = false;

  constructor(view: TypeLog, options: JournaledLogOptions) {
    super(view);
    this.#options = options;
  }

  /** Whether nobody knows what is in etcd: what was read is not the newest. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** All groups up to that revision have reached the view: the next append comes after it. */
  continueAfter(groupRevision: number, lastRv: number): void {
    this.#groupRevision = groupRevision;
    this.#lastRv = lastRv;
  }

  /**
   * Rejects with StatusError 503 where etcd does not answer, and with NotOwnerError; none of the
   * entries is in the view then.
   */
  override async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    const [first] = entries;
    const isOwn = first !== undefined && first.isDecided !== true;
    if (isOwn) await this.#commit(entries);
    try {
      await super.append(entries, removal);
    } catch (error) {
      // Etcd has what the view will never have.
      if (isOwn) this.#options.onBroken(error as Error);
      throw error;
    }
  }

  override checkRoom(bytes: number): void {
    if (bytes > OBJECT_BYTES_MAX) throw new StoreError('etcdserver: request is too large');
    super.checkRoom(bytes);
  }

  async #commit(entries: readonly LogEntry[]): Promise<void> {
    if (this.#isInDoubt) throw serviceUnavailable(UNAVAILABLE);
    const { metrics, safeRv } = this.#options;
    const startMs = performance.now();
    const group = encodeGroup(entries, safeRv());
    for (;;) {
      const isLate = performance.now() - startMs > APPEND_MS_MAX;
      const outcome = isLate ? 'unavailable' : await this.#tryCommit(group);
      if (outcome === 'committed') break;
      if (isLate) throw serviceUnavailable(UNAVAILABLE);
      if (outcome === 'unavailable') await pause();
      if (outcome !== 'unknown') continue;
      metrics?.inDoubt();
      if (await this.#settle(entries, startMs + APPEND_MS_MAX)) break;
    }
    this.#lastRv = entries.at(-1)?.rv ?? this.#lastRv;
    const bytes = [...group.puts.values()].reduce((sum, { length }) => sum + length, 0);
    metrics?.committed(entries.length, bytes, (performance.now() - startMs) / 1_000);
  }

  async #tryCommit(group: StoredGroup): Promise<'committed' | 'unavailable' | 'unknown'> {
    const { type, keys, safeRv } = this.#options;
    const operations: Operation[] = [];
    for (const [key, value] of group.puts) {
      operations.push({ put: { key: keys.object(type, key), value } });
    }
    for (const key of group.deletes) operations.push({ delete: { key: keys.object(type, key) } });
    operations.push({ put: { key: keys.group(type), value: group.value } });
    operations.push({ put: { key: keys.version, value: Buffer.from(String(safeRv())) } });
    try {
      const result = await this.#txn(operations);
      if (!result.succeeded) this.#checkOwner(result);
      if (!result.succeeded) throw new Error(`the last group of ${type} is not the one known`);
      this.#groupRevision = result.revision;
      this.#options.ownership.see(result.revision);
      return 'committed';
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      if (error.sort === 'refused') throw new StoreError(error.message, { cause: error });
      return error.sort;
    }
  }

  #txn(success: readonly Operation[]): Promise<TxnResult> {
    const { type, keys, client, ownership } = this.#options;
    const { fence } = ownership;
    if (fence === 0) throw new NotOwnerError();
    const group = keys.group(type);
    const txn: Txn = {
      compare: [keys.ownedSince(fence), { key: group, is: '=', modRevision: this.#groupRevision }],
      success,
      failure: [{ range: { key: keys.owner } }, { range: { key: group } }],
    };
    return client.txn(txn, { deadlineMs: TXN_MS_MAX });
  }

  /** Throws NotOwnerError where the comparison with the fence has failed. */
  #checkOwner({ responses: [owner] }: TxnResult): void {
    const { ownership } = this.#options;
    const kvs = owner !== undefined && 'range' in owner ? owner.range.kvs : [];
    if (kvs[0]?.createRevision === ownership.fence) return;
    ownership.lose();
    throw new NotOwnerError();
  }

  /**
   * Finds out whether the group is in etcd. Rejects when the time is over: then it goes on by
   * itself, and nothing is appended until it is known.
   */
  async #settle(entries: readonly LogEntry[], untilMs: number): Promise<boolean> {
    while (performance.now() < untilMs) {
      const found = await this.#lookFor(entries);
      if (found !== undefined) return found;
      await pause();
    }
    this.#isInDoubt = true;
    void this.#settleLater(entries);
    throw serviceUnavailable(UNAVAILABLE);
  }

  async #settleLater(entries: readonly LogEntry[]): Promise<void> {
    for (;;) {
      await pause();
      try {
        const found = await this.#lookFor(entries);
        if (found === undefined) continue;
        if (found) {
          this.#lastRv = entries.at(-1)?.rv ?? this.#lastRv;
          await this.#options.onFound(entries);
        }
        this.#isInDoubt = false;
      } catch {
        // The server is not the owner any more, and begins anew.
      }
      return;
    }
  }

  /** Whether the group is in etcd; undefined where that is not known. Throws NotOwnerError. */
  async #lookFor(entries: readonly LogEntry[]): Promise<boolean | undefined> {
    const { type, keys, safeRv } = this.#options;
    const first = entries[0]?.rv ?? 0;
    let result: TxnResult;
    try {
      // No version of the group counts as committed here.
      const value = emptyGroup(Math.min(safeRv(), first - 1), this.#lastRv);
      result = await this.#txn([{ put: { key: keys.group(type), value } }]);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      return undefined;
    }
    if (result.succeeded) {
      this.#groupRevision = result.revision;
      return false;
    }
    this.#checkOwner(result);
    const group = result.responses[1];
    const kv = group !== undefined && 'range' in group ? group.range.kvs[0] : undefined;
    if (kv === undefined) throw new Error(`the last group of ${type} is gone`);
    this.#groupRevision = kv.modRevision;
    return groupHeader(kv.value).writes[0]?.rv === first;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}
