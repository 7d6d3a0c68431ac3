/**
 * A write as a value. A verb makes one: a generator that reads from top to bottom, yields what it
 * needs on its way, and returns what is to be done. The driver gives it what it needs, begins it
 * again where what it rests on has moved, and does what it returns (../README.md#a-write).
 */
import { Proposed } from '../../proposals/proposed.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import type { ObjectReply } from '../../protocol/shard-protocol.ts';
import type { Change } from '../state/change.ts';

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

/** A write from its beginning to its end, or until it begins again. */
export class Write extends Proposed<Shard> {
  readonly #type: ResourceType;
  #key: string | undefined;
  #rv: number | undefined;

  constructor(shard: Shard) {
    super(shard);
    this.#type = shard.kind;
  }

  get shard(): Shard {
    return this.context;
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
}
