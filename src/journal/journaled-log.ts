/**
 * The log of a type whose groups are decided by etcd: the owner's appends are one transaction each,
 * and reach the view when etcd has taken them. What others have decided reaches the view alone.
 *
 * A transaction compares the fence and what the group before it leaves in etcd, so that they come
 * in order, each once, and none after another server has become the owner. So the next can be sent
 * while one is under way: it is refused where it comes too early, and never made where the one
 * before it is not. Where nobody knows what became of one, an empty group in its place tells:
 * either it is there, or it never will be.
 */
import type { Compare, EtcdClient, Operation, Txn, TxnResult } from '../etcd/etcd.ts';
import { EtcdError } from '../etcd/etcd-error.ts';
import { serviceUnavailable } from '../semantics/errors/status.ts';
import { InDoubtError } from './in-doubt-error.ts';
import { NotOwnerError } from './not-owner-error.ts';
import { appendAll } from '../base/append-all.ts';
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

/** What one transaction alone leaves in etcd. */
interface Mark {
  readonly key: Uint8Array;
  readonly is: '=';
  readonly value: Uint8Array;
}

/** A group on its way to etcd, or the last one that is there. */
interface Turn {
  /** Holds in etcd as long as this is the last group there: what the next one compares. */
  last: Compare;
  readonly entries: readonly LogEntry[];
  /** The newest version of the type with it. */
  readonly lastRv: number;
  /** 0 where it is not known. */
  revision: number;
  isCommitted: boolean;
  /** Settles after that of the one before it. Rejects with what `append` does. */
  committed: Promise<void>;
}

/** `early`: the group before it was not there yet. */
type Outcome = 'committed' | 'unavailable' | 'unknown' | 'early';

export class JournaledLog extends DecoratedLog {
  readonly #options: JournaledLogOptions;
  /** The one that the next comes after. */
  #newest: Turn;
  /** Those that are not known to be in etcd, in order. */
  #underWay: Turn[] = [];
  #turns = 0;
  /** A group that may or may not be in etcd. */
  #isInDoubt = false;
  #oldestInDoubt: number | undefined;
  #appends = 0;
  #viewRevision = 0;

  constructor(view: TypeLog, options: JournaledLogOptions) {
    super(view);
    this.#options = options;
    this.#newest = this.#turnAt(0, 0);
  }

  /** Whether nobody knows what is in etcd: what was read is not the newest. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /**
   * The oldest version that was given up and may be in etcd all the same: who is told that the view
   * has all up to it would miss it.
   */
  get oldestInDoubt(): number | undefined {
    return this.#oldestInDoubt;
  }

  /** Whether all groups that are in etcd are in the view, too. */
  get isIdle(): boolean {
    return this.#appends === 0 && this.#oldestInDoubt === undefined;
  }

  /** The revision of a group that is in the view with all before it; 0 for none. */
  get viewRevision(): number {
    return this.#viewRevision;
  }

  /** All groups up to that revision have reached the view: the next append comes after it. */
  continueAfter(groupRevision: number, lastRv: number): void {
    this.#newest = this.#turnAt(groupRevision, lastRv);
  }

  /**
   * Rejects with StatusError 503 where etcd does not answer, and with InDoubtError where it may
   * have the entries; none of them is in the view then, nor are those of appends that began after
   * it and before it ended.
   */
  override async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    const [first] = entries;
    const isOwn = first !== undefined && first.isDecided !== true;
    if (!isOwn) return super.append(entries, removal);
    this.#appends += 1;
    try {
      const revision = await this.#begin(entries).catch((error: unknown) => {
        if (!(error instanceof NotOwnerError)) throw error;
        // Etcd may have taken it before another server became the owner.
        this.#oldestInDoubt ??= first.rv;
        throw new InDoubtError(error);
      });
      await this.#appendToView(entries, removal);
      this.#viewRevision = Math.max(this.#viewRevision, revision);
    } finally {
      this.#appends -= 1;
    }
  }

  async #appendToView(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    try {
      await super.append(entries, removal);
    } catch (error) {
      // Etcd has what the view will never have.
      this.#options.onBroken(error as Error);
      throw new InDoubtError(error as Error);
    }
  }

  override checkRoom(bytes: number): void {
    if (bytes > OBJECT_BYTES_MAX) throw new StoreError('etcdserver: request is too large');
    super.checkRoom(bytes);
  }

  /** Resolves with the revision of the group; 0 where it is not known. */
  async #begin(entries: readonly LogEntry[]): Promise<number> {
    if (this.#isInDoubt) throw serviceUnavailable(UNAVAILABLE);
    const before = this.#newest;
    const lastRv = entries.at(-1)?.rv ?? before.lastRv;
    const turn = { last: before.last, entries, lastRv, revision: 0, isCommitted: false } as Turn;
    this.#newest = turn;
    this.#underWay.push(turn);
    turn.committed = this.#commit(turn, before);
    await turn.committed;
    return turn.revision;
  }

  async #commit(turn: Turn, before: Turn): Promise<void> {
    const { metrics, safeRv } = this.#options;
    const startMs = performance.now();
    const group = encodeGroup(turn.entries, safeRv());
    // At once: what the next one compares is that of this attempt.
    const first = this.#tryCommit(turn, before, group);
    // Told when its turn has come.
    first.catch(() => undefined);
    await before.committed;
    try {
      const outcome = await first;
      if (outcome !== 'committed') await this.#commitInTurn(turn, before, group, startMs, outcome);
    } catch (error) {
      // Those behind it fail with it.
      this.#newest = before;
      if (!this.#isInDoubt) this.#underWay = [];
      throw error;
    }
    turn.isCommitted = true;
    this.#underWay.shift();
    const bytes = [...group.puts.values()].reduce((sum, { length }) => sum + length, 0);
    metrics?.committed(turn.entries.length, bytes, (performance.now() - startMs) / 1_000);
  }

  /** The group before it is in etcd. */
  async #commitInTurn(
    turn: Turn,
    before: Turn,
    group: StoredGroup,
    startMs: number,
    first: Outcome,
  ): Promise<void> {
    const untilMs = startMs + APPEND_MS_MAX;
    for (let outcome = first; outcome !== 'committed';) {
      if (outcome === 'unknown') {
        this.#options.metrics?.inDoubt();
        if (await this.#settle(turn, before, untilMs)) return;
      }
      if (performance.now() > untilMs) throw serviceUnavailable(UNAVAILABLE);
      if (outcome === 'unavailable') await pause();
      outcome = await this.#tryCommit(turn, before, group);
    }
  }

  async #tryCommit(turn: Turn, before: Turn, group: StoredGroup): Promise<Outcome> {
    const { type, keys, ownership } = this.#options;
    const isAhead = !before.isCommitted;
    const operations: Operation[] = [];
    for (const [key, value] of group.puts) {
      operations.push({ put: { key: keys.object(type, key), value } });
    }
    for (const key of group.deletes) operations.push({ delete: { key: keys.object(type, key) } });
    const version = Buffer.from(String(group.safeRv));
    operations.push({ put: { key: keys.version, value: version } });
    try {
      // The next one, which compares it, is for this attempt alone.
      const mark = this.#nextMark();
      turn.last = mark;
      const result = await this.#txn(before.last, mark, group.value, operations);
      if (!result.succeeded) this.#checkOwner(result);
      if (!result.succeeded && isAhead) return 'early';
      if (!result.succeeded) throw this.#unlike();
      turn.revision = result.revision;
      ownership.see(result.revision);
      return 'committed';
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      if (error.sort === 'refused') throw new StoreError(error.message, { cause: error });
      return error.sort;
    }
  }

  /** The view lacks a group: the server has to begin anew. */
  #unlike(): Error {
    const { type, onBroken } = this.#options;
    const error = new Error(`the last group of ${type} in etcd is not the one known`);
    onBroken(error);
    return error;
  }

  #nextMark(): Mark {
    const { type, keys, ownership } = this.#options;
    const value = Buffer.from(`${ownership.fence}.${(this.#turns += 1)}`);
    return { key: keys.turn(type), is: '=', value };
  }

  /** That of a group of which only the revision is known; 0 for none. */
  #turnAt(modRevision: number, lastRv: number): Turn {
    const { type, keys } = this.#options;
    const last: Compare = { key: keys.group(type), is: '=', modRevision };
    const known = { revision: modRevision, isCommitted: true, committed: Promise.resolve() };
    return { last, entries: [], lastRv, ...known };
  }

  /** Puts a group where `before` holds, and its mark. */
  #txn(
    before: Compare,
    mark: Mark,
    value: Uint8Array,
    operations: readonly Operation[],
  ): Promise<TxnResult> {
    const { type, keys, client, ownership } = this.#options;
    const { fence } = ownership;
    if (fence === 0) throw new NotOwnerError();
    const key = keys.group(type);
    const txn: Txn = {
      compare: [keys.ownedSince(fence), before],
      success: [
        ...operations,
        { put: { key, value } },
        { put: { key: mark.key, value: mark.value } },
      ],
      failure: [{ range: { key: keys.owner } }, { range: { key } }],
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
  async #settle(turn: Turn, before: Turn, untilMs: number): Promise<boolean> {
    const found = await this.#whetherThere(turn, before, untilMs);
    if (found !== undefined) return found;
    this.#isInDoubt = true;
    this.#oldestInDoubt = turn.entries[0]?.rv;
    throw new InDoubtError(
      serviceUnavailable(UNAVAILABLE),
      this.#settleLater(this.#underWay, before),
    );
  }

  /**
   * Each of them is there only if the one before it is. Resolves with the newest version that is,
   * and never where this server is not to know.
   */
  async #settleLater(turns: readonly Turn[], before: Turn): Promise<number> {
    const entries: LogEntry[] = [];
    let last = before;
    try {
      for (const turn of turns) {
        if ((await this.#whetherThere(turn, last, Infinity)) !== true) break;
        appendAll(entries, turn.entries);
        last = { ...turn, isCommitted: true, committed: Promise.resolve() };
      }
      this.#newest = last;
      if (entries.length > 0) await this.#options.onFound(entries);
      this.#underWay = [];
      this.#isInDoubt = false;
      this.#oldestInDoubt = undefined;
      return last.lastRv;
    } catch {
      // The server is not the owner any more, and begins anew.
      return new Promise<never>(() => undefined);
    }
  }

  /** Undefined when that is not known at the end of the time, of the clock of `performance`. */
  async #whetherThere(turn: Turn, before: Turn, untilMs: number): Promise<boolean | undefined> {
    while (performance.now() < untilMs) {
      const found = await this.#lookFor(turn, before);
      if (found !== undefined) return found;
      await pause();
    }
    return undefined;
  }

  /** Whether the group is in etcd; undefined where that is not known. Throws NotOwnerError. */
  async #lookFor(turn: Turn, before: Turn): Promise<boolean | undefined> {
    const { safeRv } = this.#options;
    const first = turn.entries[0]?.rv ?? 0;
    const mark = this.#nextMark();
    let result: TxnResult;
    try {
      // No version of the group counts as committed here.
      const value = emptyGroup(Math.min(safeRv(), first - 1), before.lastRv);
      result = await this.#txn(before.last, mark, value, []);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      return undefined;
    }
    if (result.succeeded) {
      before.last = mark;
      return false;
    }
    this.#checkOwner(result);
    const group = result.responses[1];
    const kv = group !== undefined && 'range' in group ? group.range.kvs[0] : undefined;
    // One that came after it is there only if it is.
    const lastRv = kv === undefined ? undefined : groupHeader(kv.value).lastRv;
    if (lastRv !== undefined && lastRv >= first) return true;
    // An empty group may be there whose answer was lost.
    if (kv === undefined || lastRv !== before.lastRv) throw this.#unlike();
    before.last = { key: kv.key, is: '=', modRevision: kv.modRevision };
    return undefined;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}
