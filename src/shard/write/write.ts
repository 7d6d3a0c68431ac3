/**
 * A write as a value. A verb makes one: a generator that reads from top to bottom, yields what it
 * needs on its way, and returns what is to be done. The driver gives it what it needs, begins it
 * again where what it rests on has moved, and does what it returns (../README.md#a-write).
 */
import { ConversionNeeded } from '../../types/conversion.ts';
import { warnedOf, type Said } from '../../semantics/errors/status.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import type { ObjectReply } from '../../protocol/shard-protocol.ts';
import type { Change } from '../state/change.ts';

/** A large write gives others a turn here, and has `ahead` done elsewhere before its own. */
export class Turn {
  readonly ahead: (() => Promise<void>) | undefined;

  constructor(ahead?: () => Promise<void>) {
    this.ahead = ahead;
  }
}

/** The write begins again, from its start, once these conversions are known. */
export class RestartWrite {
  readonly needed: ConversionNeeded;

  constructor(needed: ConversionNeeded) {
    this.needed = needed;
  }
}

/** A thing that a verb waits for. A promise that rejects refuses the write. */
export type Need = Turn | RestartWrite | ConversionNeeded | Promise<unknown>;

/** A part of a verb, or a whole one. Throws StatusError for a write that is refused. */
export type Steps<T> = Generator<Need, T, void>;

export const TURN = new Turn();

/** Writes the body of an answer, of the record that was committed last if there is one. */
export type AnswerBody = (record: Buffer | undefined) => Uint8Array[];

/** The result of a verb. */
export interface Outcome {
  /** The changes that are written, in this order; none for a dry run, and where nothing changes. */
  readonly changes: readonly Change[];
  /** The answer shows a state that may not be committed yet: it waits for that. */
  readonly isPending?: boolean;
  readonly reply: ObjectReply;
  readonly body: AnswerBody;
}

/** The body for writers who do not look at the answer. */
export const NO_BODY: AnswerBody = () => [];

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

/** A write from its beginning to its end, or until it begins again. */
export class Write {
  readonly shard: Shard;
  /** The admission of the write; absent before it is proposed. */
  admission: Asked | undefined;
  /** Somebody was asked, or it was said why nobody is. */
  isAdmitted = false;
  readonly #type: ResourceType;
  /** From before the write was proposed. */
  #warnings: string[] | undefined;
  #key: string | undefined;
  #rv: number | undefined;

  constructor(shard: Shard) {
    this.shard = shard;
    this.#type = shard.kind;
  }

  /** The object whose newest state decides about the write; undefined while there is none. */
  get key(): string | undefined {
    return this.#key;
  }

  /**
   * From now on the write rests on the newest state of that object: on its being `rv`, 0 for none,
   * where that is given.
   */
  restOn(key: string, rv?: number): void {
    this.#key = key;
    this.#rv = rv;
  }

  /** `restOn` for the newest state; undefined if there is no such object. */
  latest(key: string): Latest | undefined {
    const latest = this.shard.latest(key);
    this.restOn(key, latest?.rv ?? 0);
    return latest;
  }

  /** Whether all is as it was when the write last looked. */
  get isAsBefore(): boolean {
    const { shard } = this;
    if (shard.kind !== this.#type) return false;
    if (this.#rv === undefined || this.#key === undefined) return true;
    return this.#rv === (shard.newestRv(this.#key) ?? 0);
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

/** Does work that can be done once more, as soon as the conversions are known that it needs. */
export function* whenConverted<T>(work: () => T): Steps<T> {
  for (;;) {
    const done = neededOr(work);
    if (!(done instanceof ConversionNeeded)) return done;
    yield done;
  }
}

/**
 * Like `whenConverted`, for work that changes its input: the write begins again with conversions.
 */
export function* orRestart<T>(work: () => T): Steps<T> {
  const done = neededOr(work);
  if (!(done instanceof ConversionNeeded)) return done;
  yield new RestartWrite(done);
  throw new Error('a write that begins again goes on');
}

function neededOr<T>(work: () => T): T | ConversionNeeded {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConversionNeeded) return error;
    throw error;
  }
}
