/**
 * Bodies that take long to read. Few of them are with the shards at a time, so that small requests
 * need not wait for all of them.
 */
import { MailboxFullError } from '../../actors/link.ts';
import { TaskLimiter } from '../../base/turns/task-limiter.ts';
import { LARGE_BODY_BYTES, shareOf } from '../../limits.ts';
import { LARGE_BODIES_BYTES_MAX, LARGE_BODIES_MAX } from '../limits.ts';

/** Passes a body on; settles when its turn is over. */
type PassOn = (body: Uint8Array) => Promise<void>;

export interface LargeBodiesOptions {
  /** So many are with the shards. */
  readonly atOnce: number;
  /** The number of fronts that share what the server may hold. */
  readonly fronts: number;
}

export class LargeBodies {
  readonly #turns: TaskLimiter;
  readonly #countMax: number;
  readonly #bytesMax: number;
  #count = 0;
  #bytes = 0;

  constructor({ atOnce, fronts }: LargeBodiesOptions) {
    this.#countMax = shareOf(LARGE_BODIES_MAX, fronts);
    this.#bytesMax = shareOf(LARGE_BODIES_BYTES_MAX, fronts);
    this.#turns = new TaskLimiter(atOnce);
  }

  /** Whether a body has to wait for its turn; `json` is what it was in YAML. */
  isLarge({ length }: Uint8Array, json = ''): boolean {
    return Math.max(length, json.length) > LARGE_BODY_BYTES;
  }

  /**
   * Passes a body on when it is its turn, copied within the turn in which it came. Settles as
   * `passOn` does; rejects with MailboxFullError when too much waits.
   */
  async take(body: Uint8Array, passOn: PassOn): Promise<void> {
    const { length } = body;
    if (this.#count >= this.#countMax || this.#bytes + length > this.#bytesMax) {
      throw new MailboxFullError('too many large bodies wait');
    }
    const held = body.slice();
    this.#count++;
    this.#bytes += length;
    try {
      await this.#turns.run(() => passOn(held));
    } finally {
      this.#count--;
      this.#bytes -= length;
    }
  }
}
