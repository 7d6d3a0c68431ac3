/**
 * Orders of the garbage collector that have to wait, such as for a webhook. They are answered at
 * once, so that nothing else waits with them. If one fails, the collector is told to look at its
 * object again.
 */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { GARBAGE_RETRY_MS } from '../../limits.ts';

/** The most orders that may wait in a shard: then the collector sends it no more. */
const WAITING_MAX = 1_000;

/** The shard that the orders are for. */
interface Shard {
  readonly stopping: boolean;
  readonly logError: (text: string) => void;
}

export class PendingOrders {
  readonly #shard: Shard;
  readonly #lookAgain: (keys: readonly string[]) => void;
  readonly #timers: Pick<typeof SYSTEM_TIMERS, 'after'>;
  readonly #waiting = new Set<Promise<void>>();
  /** Keys of refused orders, until the collector is told. */
  readonly #refused = new Set<string>();

  /** `lookAgain` tells the collector. */
  constructor(
    shard: Shard,
    lookAgain: (keys: readonly string[]) => void,
    timers: Pick<typeof SYSTEM_TIMERS, 'after'> = SYSTEM_TIMERS,
  ) {
    this.#shard = shard;
    this.#lookAgain = lookAgain;
    this.#timers = timers;
  }

  /** Takes an order that is on its way, and resolves with false if it is to be given anew. */
  take(key: string, order: Promise<boolean>): void {
    const ended = order.then(
      (isDone) => void (isDone || this.#shard.stopping || this.#lookAgain([key])),
      (error: unknown) => this.failed(key, error),
    );
    this.#waiting.add(ended);
    void ended.then(() => this.#waiting.delete(ended));
  }

  /**
   * Notes that an order has failed; the log gets the error of the first of those that fail
   * together.
   */
  failed(key: string, error: unknown): void {
    if (this.#shard.stopping) return;
    this.#refused.add(key);
    if (this.#refused.size > 1) return;
    this.#shard.logError(`collecting garbage: ${(error as Error).message}`);
    this.#timers.after(GARBAGE_RETRY_MS, () => {
      const keys = [...this.#refused];
      this.#refused.clear();
      if (!this.#shard.stopping) this.#lookAgain(keys);
    });
  }

  /** Resolves when more orders can be taken. */
  async room(): Promise<void> {
    while (this.#waiting.size >= WAITING_MAX) await Promise.race(this.#waiting);
  }
}
