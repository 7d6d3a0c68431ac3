/** A write while it is proposed: who was asked about it, and what they have said. */
import { warnedOf, type Said } from '../semantics/errors/status.ts';
import type { ProposalContext } from './proposal-context.ts';

/** Admission's side of a write: it is told how the write goes, and adds to the answer. */
export interface Asked {
  warn(texts: readonly string[]): void;
  /** Tells later whether the write was made, or has come to nothing. */
  whenSettled(told: (isDone: boolean) => void): void;
  /** The write was made, or has come to nothing. */
  settle(isDone: boolean): void;
  /** Adds the warnings and annotations of admission. */
  saidWith<T extends Said>(said: T): T;
}

export class Proposed<Context extends ProposalContext = ProposalContext> {
  readonly context: Context;
  /** The admission of the write; absent before it is proposed. */
  admission: Asked | undefined;
  /** Somebody was asked, or it was said why nobody is. */
  isAdmitted = false;
  /** From before the write was proposed. */
  #warnings: string[] | undefined;

  constructor(context: Context) {
    this.context = context;
  }

  /** The client is told of this, whatever becomes of the write. */
  warn(texts: readonly string[] = []): void {
    if (texts.length === 0) return;
    if (this.admission === undefined) this.#warnings = [...(this.#warnings ?? []), ...texts];
    else this.admission.warn(texts);
  }

  /** Adds the warnings and annotations of the write to its answer. */
  saidWith<T extends Said>(said: T): T {
    const told = this.admission?.saidWith(said) ?? said;
    return this.#warnings === undefined ? told : warnedOf(this.#warnings, told);
  }

  /** Nobody is asked about the write, for that reason. */
  admitUnasked(_why: string): void {
    this.isAdmitted = true;
  }
}
