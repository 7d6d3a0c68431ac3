/**
 * The use of quotas, in their shard (src/quota/README.md#reservations). A reservation is decided in
 * the turn in which it comes, by the newest state and all that was decided before; decisions of a
 * turn, and those made while a write of the same quota is under way, are written as one.
 */
import type { ResourceQuota, ResourceQuotaSpec } from '#messages/core.v1';
import type { Answer } from '../../actors/link.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import { TURN_END } from '../../base/turns/turn-end.ts';
import type { Amounts } from '../../quota/amounts.ts';
import { QuotaAccount, type StoredQuota } from '../../quota/quota-account.ts';
import type { QuotaCalls } from '../../quota/quota-protocol.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import { SERVER_MANAGER } from '../../protocol/shard-protocol.ts';
import { runWrite } from '../write/driver.ts';
import { trackWrite } from '../write/record-owners.ts';
import { modified } from '../write/replace-object.ts';
import { storageFailure } from '../write/storage-failure.ts';
import { storedText } from '../../proposals/stored-text.ts';
import type { Steps } from '../../proposals/steps.ts';
import { NO_BODY, type Outcome, type Write } from '../write/write.ts';
import type { RestoreState } from '../state/restore-state.ts';

type Call<V extends keyof QuotaCalls> = QuotaCalls[V];
type AnswerTo<V extends keyof QuotaCalls> = Pick<Answer<Call<V>['reply']>, 'reply' | 'fail'>;
/** Called with what a write failed with, or with nothing. */
type Told = (error?: Error) => void;

type Written = Pick<Latest, 'rv' | 'wire' | 'object'>;

/** A quota of which something has to be remembered. */
interface Entry {
  readonly key: string;
  readonly account: QuotaAccount;
  /** Callbacks that wait until all that is decided by now is committed. */
  waiting: Told[];
  /** The quota that a recount under way counts for. */
  recounted: ResourceQuotaSpec | undefined;
  /** The number of the restore after which that began. */
  recountRestores: number;
  /** As it was last written here: it need not be read for the next write. */
  last: Written | undefined;
}

export class QuotaLedger {
  readonly #shard: Shard;
  readonly #entries = new Map<string, Entry>();
  /** In which quotas each reservation stands. */
  readonly #reservations = new Map<number, readonly Entry[]>();
  /** Those with something to write at the end of the turn, or after the write under way. */
  readonly #changed = new Set<Entry>();
  readonly #restores: RestoreState;
  #lastId = 0;

  constructor(shard: Shard) {
    this.#shard = shard;
    this.#restores = shard.restores;
    this.#restores.whenWritten(() => this.#restored());
  }

  reserve(request: Call<'reserve'>['request'], answer: AnswerTo<'reserve'>): void {
    const { namespace, quotas, amounts, dryRun } = request;
    const entries: Entry[] = [];
    for (const { name, uid } of quotas) {
      const entry = this.#entry(this.#shard.keyOf(namespace, name));
      // One that is gone limits nothing any more.
      if (entry?.account.uid !== uid) continue;
      const why = entry.account.refusal(amounts);
      if (why !== undefined) {
        this.#refuse(entry, `exceeded quota: ${name}, ${why}`, answer);
        return;
      }
      entries.push(entry);
    }
    if (dryRun || entries.length === 0) answer.reply({ id: 0 });
    else this.#reserveIn(entries, amounts, answer);
  }

  settle({ id, isMade }: Call<'settle'>['request']): void {
    const entries = this.#reservations.get(id) ?? [];
    this.#reservations.delete(id);
    for (const entry of entries) {
      if (entry.account.settle(id, isMade)) this.#writeLater(entry);
      this.#forgetIdle(entry);
    }
  }

  beginRecount(
    { namespace, name }: Call<'beginRecount'>['request'],
    answer: AnswerTo<'beginRecount'>,
  ): void {
    const key = this.#shard.keyOf(namespace, name);
    const entry = this.#entry(key);
    if (entry === undefined) {
      answer.reply(null);
      return;
    }
    this.#lastId++;
    const id = this.#lastId;
    const spec = specOf(this.#shard.latest(key));
    entry.account.beginRecount(id);
    entry.recounted = spec;
    entry.recountRestores = this.#restores.number;
    this.#entries.set(key, entry);
    answer.reply({ id, spec });
  }

  endRecount(request: Call<'endRecount'>['request'], answer: AnswerTo<'endRecount'>): void {
    const { namespace, name, id, found } = request;
    const entry = this.#entry(this.#shard.keyOf(namespace, name));
    if (entry?.account.isRecounting(id) !== true) {
      answer.reply({ isRough: entry !== undefined });
      return;
    }
    const spec = specOf(this.#shard.latest(entry.key));
    const isStale = this.#restores.isStale(entry.recountRestores);
    if (isStale || !deepEqual(spec, entry.recounted)) {
      answer.reply({ isRough: true });
      return;
    }
    const { hard = {} } = spec;
    const isRough = entry.account.endRecount(found, hard);
    entry.waiting.push((error) => {
      if (error === undefined) answer.reply({ isRough });
      else answer.fail(storageFailure(error));
    });
    this.#changed.delete(entry);
    this.#write(entry, hard, false);
    this.#forgetIdle(entry);
  }

  /** Refuses once all is committed: the reason may rest on a change that no reader can see yet. */
  #refuse(entry: Entry, refusal: string, answer: AnswerTo<'reserve'>): void {
    const tell: Told = (error) => {
      if (error === undefined) answer.reply({ refusal });
      else answer.fail(storageFailure(error));
    };
    if (entry.account.hasUnwritten) entry.waiting.push(tell);
    else this.#shard.pipeline.afterPending(entry.key, tell);
  }

  #reserveIn(entries: readonly Entry[], amounts: Amounts, answer: AnswerTo<'reserve'>): void {
    this.#lastId++;
    const id = this.#lastId;
    this.#reservations.set(id, entries);
    const written = entries.filter((entry) => {
      this.#entries.set(entry.key, entry);
      return entry.account.reserve(id, amounts);
    });
    if (written.length === 0) answer.reply({ id });
    let outstanding = written.length;
    let failure: Error | undefined;
    for (const entry of written) {
      entry.waiting.push((error) => {
        if (error !== undefined) entry.account.cancel(id);
        failure ??= error;
        outstanding--;
        if (outstanding > 0) return;
        if (failure === undefined) {
          answer.reply({ id });
          return;
        }
        this.settle({ id, isMade: false });
        answer.fail(storageFailure(failure));
      });
      this.#writeLater(entry);
    }
  }

  /** As the quota is now, with all that is decided; undefined when there is none. */
  #entry(key: string): Entry | undefined {
    const rv = this.#shard.newestRv(key);
    const known = this.#entries.get(key);
    if (rv !== undefined && known?.account.rv === rv) return known;
    const stored = rv === undefined ? undefined : storedQuota(this.#shard.latest(key));
    if (stored !== undefined && known?.account.uid === stored.uid) {
      known.account.replaced(stored);
      return known;
    }
    if (known !== undefined) this.#forget(known);
    if (stored === undefined) return undefined;
    const account = new QuotaAccount(stored);
    const recount = { recounted: undefined, recountRestores: 0 };
    return { key, account, waiting: [], ...recount, last: undefined };
  }

  /** A snapshot knows nothing of the writes that are under way. */
  #restored(): void {
    for (const entry of this.#entries.values()) {
      const { rv } = entry.account;
      const isWritten = this.#entry(entry.key) === entry && entry.account.rv !== rv;
      if (!isWritten) continue;
      if (entry.account.reserveAgain()) this.#writeLater(entry);
      else this.#tell(entry);
    }
  }

  #writeLater(entry: Entry): void {
    if (this.#changed.has(entry)) return;
    this.#changed.add(entry);
    if (this.#changed.size > 1) return;
    TURN_END.add(() => this.#writeChanged());
  }

  /** One write of a quota is under way at a time: the next one has all that comes meanwhile. */
  #writeChanged(): void {
    for (const entry of this.#changed) {
      this.#changed.delete(entry);
      const { pipeline } = this.#shard;
      if (pipeline.uncommitted(entry.key) === undefined) this.#writeNow(entry);
      else pipeline.afterPending(entry.key, () => this.#writeNow(entry));
    }
    this.#shard.pipeline.kick();
  }

  #writeNow(entry: Entry): void {
    const now = this.#entry(entry.key);
    if (now === entry && entry.account.hasUnwritten) this.#write(entry, entry.account.hard, true);
  }

  #write(entry: Entry, hard: Amounts, isQuiet: boolean): void {
    const { waiting } = entry;
    entry.waiting = [];
    const told = (error?: Error): void => {
      for (const tell of waiting) tell(error);
      this.#forgetIdle(entry);
    };
    const answer = { reply: () => told(), fail: (error: unknown) => told(error as Error) };
    runWrite(this.#shard, (write) => this.#written(write, entry, { hard, isQuiet }), answer);
  }

  /** Writes the present use, and `hard`. Nobody looks at the use of a quota in a replica. */
  *#written(
    write: Write,
    entry: Entry,
    { hard, isQuiet }: { readonly hard: Amounts; readonly isQuiet: boolean },
  ): Steps<Outcome> {
    const { key, account } = entry;
    const shard = this.#shard;
    write.admitUnasked('the plugin that reserves is asked by others, and would wait for itself');
    write.restOn(key);
    const isLast = entry.last?.rv === account.rv;
    const stored = (isLast ? entry.last : shard.latest(key)) as Written;
    const updated = withStatus(stored, { hard, used: account.used });
    trackWrite(shard, updated, stored, { manager: SERVER_MANAGER, subresource: 'status' });
    const text = storedText(shard, updated);
    const reply = { code: 200 };
    if (text === stored.wire) {
      account.written(stored.rv, hard);
      return { changes: [], isPending: true, reply, body: NO_BODY };
    }
    const change = { ...modified(shard, key, stored, updated, text), isQuiet };
    const { rv, wire } = change;
    account.written(rv, hard);
    entry.last = { rv, wire, object: updated };
    return { changes: [change], reply, body: NO_BODY };
  }

  /** The quota is gone, and with it what it limited. */
  #forget(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#changed.delete(entry);
    this.#tell(entry);
  }

  #tell(entry: Entry): void {
    const { waiting } = entry;
    entry.waiting = [];
    for (const tell of waiting) tell();
  }

  #forgetIdle(entry: Entry): void {
    const isIdle = entry.account.isIdle && entry.waiting.length === 0;
    if (isIdle && this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
  }
}

function specOf(stored: Latest | undefined): ResourceQuotaSpec {
  return (stored?.object as ResourceQuota | undefined)?.spec ?? {};
}

function storedQuota(stored: Latest | undefined): StoredQuota | undefined {
  if (stored === undefined) return undefined;
  const { metadata, status: { hard = {}, used = {} } = {} } = stored.object as ResourceQuota;
  return { rv: stored.rv, uid: metadata.uid ?? '', hard, used };
}

function withStatus({ rv, object }: Written, status: ResourceQuota['status']): ResourceQuota {
  const quota = object as ResourceQuota;
  const metadata = { ...quota.metadata, resourceVersion: String(rv) };
  return { ...quota, metadata, status: { ...quota.status, ...status } };
}
