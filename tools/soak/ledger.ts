/**
 * Checks the events of one watch against the plan: per slot the number of the last write whose
 * event it has, and per writer the number of that writer's last write. Nothing else is kept, so a
 * run may be as long as one likes.
 */
import type { Findings, ViolationKind } from './findings.ts';
import type { ListState } from './list-state.ts';
import type { Scope } from './scope.ts';
import type { ChangeEvent } from './stream-event.ts';
import type { WriteLog } from './write-log.ts';

/** Gaps that are remembered, to know when what seemed lost was only late. */
const OPEN_GAPS_MAX = 1_000;
const SLOTS_MAX = 2 ** 21;

export class Ledger {
  readonly #name: string;
  readonly #scope: Scope;
  readonly #log: WriteLog;
  readonly #findings: Findings;
  readonly #seqs: Uint32Array;
  readonly #writerSeqs: Float64Array;
  /**
   * Slots that a list did not contain while writes of them were on their way: any write up to this
   * number may have come before the list.
   */
  readonly #uncertain = new Map<number, number>();
  readonly #openGaps = new Set<number>();
  /** Indexes below have all that `isComplete` asked for. */
  #completeBefore = 0;

  /** `name`: how the findings call the watch. */
  constructor(name: string, scope: Scope, writers: number, log: WriteLog, findings: Findings) {
    this.#name = name;
    this.#scope = scope;
    this.#log = log;
    this.#findings = findings;
    this.#seqs = new Uint32Array(scope.count);
    this.#writerSeqs = new Float64Array(writers);
  }

  /** The watch begins, or begins again, at this list: what came before it is not missing. */
  adopt(list: ListState): void {
    this.#completeBefore = 0;
    this.#openGaps.clear();
    for (let index = 0; index < this.#seqs.length; index += 1) this.#adoptSlot(index, list);
    list.writerSeqs.forEach((seq, writer) => {
      this.#writerSeqs[writer] = Math.max(seq, this.#writerSeqs[writer] ?? 0);
    });
  }

  #adoptSlot(index: number, list: ListState): void {
    const listed = list.seqs[index] ?? 0;
    const seen = this.#seqs[index] ?? 0;
    const slot = this.#scope.slotAt(index);
    this.#uncertain.delete(index);
    if (this.#log.isAbandoned(slot)) return;
    if (listed > 0) {
      if (listed < seen) {
        this.#add('staleList', slot, `is of write ${listed}, the watch had seen ${seen}`);
      }
      this.#seqs[index] = listed;
      return;
    }
    const low = Math.max(list.lows[index] ?? 0, seen);
    const high = Math.max(list.highs[index] ?? 0, low);
    if (this.#scope.lastOutside(slot, low, high) < 0) {
      this.#add('staleList', slot, `is not listed, though it matches after write ${low}`);
    }
    this.#seqs[index] = low;
    if (high > low) this.#uncertain.set(index, high);
  }

  /** Checks one change in the order of arrival. */
  take(event: ChangeEvent): void {
    const { index, slot, seq } = event;
    if (this.#log.isAbandoned(slot)) return;
    if (event.problem !== '') this.#add('wrongContent', slot, event.problem);
    if (index < 0) return;
    if (seq > (this.#log.sent[slot] ?? 0)) {
      this.#add('wrongContent', slot, `write ${seq} has not been sent yet`);
      return;
    }
    const seen = this.#seqs[index] ?? 0;
    if (seq !== seen + 1 || this.#uncertain.size > 0) {
      if (seq <= seen) {
        this.#repeated(slot, seq, seen);
        return;
      }
      this.#skipped(slot, this.#startOf(index, slot, seq - 1), seq);
      this.#uncertain.delete(index);
    }
    this.#seqs[index] = seq;
    if (event.writerSeq > 0) this.#checkWriter(event);
  }

  /** Whether the events of all writes that are stored are here. Nobody may be writing. */
  isComplete(): boolean {
    while (this.#completeBefore < this.#seqs.length) {
      if (this.#isMissing(this.#completeBefore)) return false;
      this.#completeBefore += 1;
    }
    return true;
  }

  /** Adds a gap for each event of a stored write that is not here. */
  reportMissing(): void {
    for (let index = 0; index < this.#seqs.length; index += 1) {
      if (!this.#isMissing(index)) continue;
      const slot = this.#scope.slotAt(index);
      const final = this.#log.stored[slot] ?? 0;
      this.#skipped(slot, this.#startOf(index, slot, final), final + 1);
    }
  }

  #isMissing(index: number): boolean {
    const slot = this.#scope.slotAt(index);
    const final = this.#log.stored[slot] ?? 0;
    if (this.#log.isAbandoned(slot) || (this.#seqs[index] ?? 0) >= final) return false;
    return this.#scope.hasEventBetween(slot, this.#startOf(index, slot, final), final + 1);
  }

  /** The last write up to `seq` whose event the watch has, or need not have. */
  #startOf(index: number, slot: number, seq: number): number {
    const seen = this.#seqs[index] ?? 0;
    const uncertain = this.#uncertain.get(index);
    if (uncertain === undefined) return seen;
    return Math.max(seen, this.#scope.lastOutside(slot, seen, Math.min(uncertain, seq)));
  }

  /** Each event between the two writes is a gap. */
  #skipped(slot: number, from: number, to: number): void {
    for (let seq = from + 1; seq < to; seq += 1) {
      const type = this.#scope.eventOf(slot, seq);
      if (type === undefined) continue;
      this.#add('gap', slot, `${type} of write ${seq} is missing (after ${from})`);
      if (this.#openGaps.size < OPEN_GAPS_MAX) this.#openGaps.add(gapKey(slot, seq));
    }
  }

  #repeated(slot: number, seq: number, seen: number): void {
    if (!this.#openGaps.delete(gapKey(slot, seq))) {
      this.#add('duplicate', slot, `write ${seq} again, after ${seen}`);
      return;
    }
    const name = this.#nameOf(slot);
    this.#findings.gapWasDisorder(this.#name, () => `${name} write ${seq} came after ${seen}`);
  }

  /** A writer waits for each answer, so its writes have one order, over all objects. */
  #checkWriter({ slot, seq, writer, writerSeq }: ChangeEvent): void {
    const seen = this.#writerSeqs[writer] ?? 0;
    if (writerSeq > seen) {
      this.#writerSeqs[writer] = writerSeq;
      return;
    }
    const order = `write ${writerSeq} of writer ${writer} came after ${seen}`;
    this.#add('disorder', slot, `write ${seq} came late: ${order}`);
  }

  #add(kind: ViolationKind, slot: number, detail: string): void {
    this.#findings.add(kind, this.#name, () => `${this.#nameOf(slot)} ${detail}`);
  }

  #nameOf(slot: number): string {
    return `${this.#scope.plan.namespaceOf(slot)}/${this.#scope.plan.nameOf(slot)}`;
  }
}

function gapKey(slot: number, seq: number): number {
  return seq * SLOTS_MAX + slot;
}
