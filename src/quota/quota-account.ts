/**
 * The account of one quota while writes go on that count in it: the use once all that is decided
 * has been written, the reservations of writes that are under way, and the amounts that a recount
 * has to add to its findings (README.md#reservations, README.md#recounts).
 */
import {
  areEqual,
  namesAbove,
  printAmounts,
  sumOf,
  withLess,
  withMore,
  type Amounts,
} from './amounts.ts';

/** The facts of a stored quota. */
export interface StoredQuota {
  readonly rv: number;
  readonly uid: string;
  readonly hard: Amounts;
  readonly used: Amounts;
}

interface Change {
  readonly amounts: Amounts;
  readonly isMore: boolean;
}

interface Recount {
  readonly id: number;
  /** Changes that were under way during the recount, and may or may not be found by it. */
  readonly tracked: Map<number, Amounts>;
}

const NONE: Amounts = Object.freeze({});

export class QuotaAccount {
  readonly uid: string;
  #stored: StoredQuota;
  #used: Amounts;
  /** Changes since `#stored` was written. */
  #unwritten: Change[] = [];
  /** The amounts that writes under way have reserved. */
  readonly #reserved = new Map<number, Amounts>();
  #recount: Recount | undefined;

  constructor(stored: StoredQuota) {
    this.uid = stored.uid;
    this.#stored = stored;
    this.#used = stored.used;
  }

  /** The version that all this goes on from. */
  get rv(): number {
    return this.#stored.rv;
  }

  /** The limits of the quota. */
  get hard(): Amounts {
    return this.#stored.hard;
  }

  /** Once all is written. */
  get used(): Amounts {
    return this.#used;
  }

  get hasUnwritten(): boolean {
    return this.#unwritten.length > 0;
  }

  /** Nothing is to be remembered of it. */
  get isIdle(): boolean {
    return !this.hasUnwritten && this.#reserved.size === 0 && this.#recount === undefined;
  }

  /** It was written by somebody: this is what it says now, without what is yet to be written. */
  replaced(stored: StoredQuota): void {
    this.#stored = stored;
    this.#used = stored.used;
    for (const change of this.#unwritten) this.#apply(change);
  }

  /**
   * It was written back to what it said before the writes that are under way: they are counted once
   * more. Whether that is to be written.
   */
  reserveAgain(): boolean {
    this.#used = this.#stored.used;
    this.#unwritten = [];
    for (const amounts of this.#reserved.values()) this.#change({ amounts, isMore: true });
    return this.hasUnwritten;
  }

  /** It says now what is `used`, and `hard`. */
  written(rv: number, hard: Amounts): void {
    this.#stored = { rv, uid: this.uid, hard, used: this.#used };
    this.#unwritten = [];
  }

  /** Why so much more cannot be used, in the words of the reference; undefined where it can. */
  refusal(change: Amounts): string | undefined {
    const { hard } = this.#stored;
    const names = namesAbove(this.#used, change, hard);
    if (names.length === 0) return undefined;
    const requested = printAmounts(change, names);
    const used = printAmounts(this.#used, names);
    return `requested: ${requested}, used: ${used}, limited: ${printAmounts(hard, names)}`;
  }

  /** For a write that begins. Whether that is to be written. */
  reserve(id: number, amounts: Amounts): boolean {
    this.#reserved.set(id, amounts);
    this.#recount?.tracked.set(id, amounts);
    return this.#change({ amounts, isMore: true });
  }

  /** That write was made, or came to nothing. Whether that is to be written. */
  settle(id: number, isMade: boolean): boolean {
    const amounts = this.#reserved.get(id);
    this.#reserved.delete(id);
    if (isMade || amounts === undefined) return false;
    this.#recount?.tracked.delete(id);
    return this.#change({ amounts, isMore: false });
  }

  /** Drops a reservation that could not be written: its write does not begin. */
  cancel(id: number): void {
    this.#reserved.delete(id);
    this.#recount?.tracked.delete(id);
  }

  /** From now on what is under way is noted for it. An earlier one is over. */
  beginRecount(id: number): void {
    this.#recount = { id, tracked: new Map(this.#reserved) };
  }

  isRecounting(id: number): boolean {
    return this.#recount?.id === id;
  }

  /**
   * Takes what a recount has found of what `hard` limits, and adds what it may have missed: so much
   * is used at most. Whether that is more than was found, so that another recount may find less.
   */
  endRecount(found: Amounts, hard: Amounts): boolean {
    const tracked = this.#recount?.tracked ?? new Map<number, Amounts>();
    this.#recount = undefined;
    let missed: Amounts = NONE;
    for (const amounts of tracked.values()) missed = sumOf(missed, amounts);
    const counted = withMore(found, missed, found);
    // Resources that this server does not count keep their amounts.
    const used: Record<string, string> = {};
    for (const name in hard) {
      const amount = counted[name] ?? this.#used[name];
      if (amount !== undefined) used[name] = amount;
    }
    // Where all is as it is written, that stays.
    this.#used = areEqual(used, this.#stored.used) ? this.#stored.used : used;
    return tracked.size > 0;
  }

  #change(change: Change): boolean {
    const { hard } = this.#stored;
    const isLimited = Object.keys(change.amounts).some((name) => hard[name] !== undefined);
    if (!isLimited) return false;
    this.#unwritten.push(change);
    this.#apply(change);
    return true;
  }

  #apply({ amounts, isMore }: Change): void {
    const { hard } = this.#stored;
    this.#used = isMore ? withMore(this.#used, amounts, hard) : withLess(this.#used, amounts);
  }
}
