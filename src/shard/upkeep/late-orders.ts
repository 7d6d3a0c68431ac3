/**
 * Orders of the garbage collector for which somebody has to be waited for, such as a webhook: they
 * are answered at once as taken, so that nothing else waits with them. If one comes to nothing, the
 * collector is told to look at its object again.
 */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { GARBAGE_RETRY_MS } from '../../limits.ts';

/** So many may wait in a shard before the collector gives it no more. */
const WAITING_MAX = 1_000;

/** The shard that the orders are for. */
interface Shard {
  readonly stopping: boolean;
  readonly logError: (text: string) => void;
}

export class LateOrders {
  readonly #shard: Shard;
  readonly #lookAgain: (keys: readonly string[]) => void;
  readonly #timers: Pick<typeof SYSTEM_TIMERS, 'after'>;
  readonly #waiting = new Set<Promise<void>>();
  /** Keys of what was refused, until the collector is told. */
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

  /** An order that was taken has come to nothing: of all that do so together, one is told of. */
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
