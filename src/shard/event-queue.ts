/**
 * Events that wait for a webhook to say what they show, in the order of their versions: one queue
 * for each representation, so that no others wait. The webhook is asked as soon as an event comes.
 */
import { StatusError } from '../semantics/status.ts';
import { ConversionNeeded, type Held } from '../types/conversion.ts';

interface Waiting {
  readonly prepared: Promise<Held | undefined>;
  /** Publishes the event. */
  readonly publish: () => void;
  /** The event cannot be shown. */
  readonly failed: () => void;
}

/** Rejects with StatusError when the webhook does not say what is needed. */
async function publishPrepared(
  prepared: Promise<Held | undefined>,
  publish: () => void,
): Promise<void> {
  const held = await prepared;
  let missing: ConversionNeeded;
  try {
    publish();
    return;
  } catch (error) {
    // It was known when the event came, and is not any more.
    if (!(error instanceof ConversionNeeded)) throw error;
    missing = error;
  } finally {
    held?.release();
  }
  await publishPrepared(missing.prepare(), publish);
}

export class EventQueue {
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  /** Nothing waits: what is published now comes after all that came before. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Takes an event; `needed` is undefined where it only waits for those before it. */
  add(needed: ConversionNeeded | undefined, publish: () => void, failed: () => void): void {
    const prepared = needed === undefined ? Promise.resolve(undefined) : needed.prepare();
    // It is looked at in its turn.
    prepared.catch(() => undefined);
    this.#waiting.push({ prepared, publish, failed });
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        await publishPrepared(next.prepared, next.publish);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        // Who watches is not told why: who asks again is.
        next.failed();
      }
      this.#waiting.shift();
    }
    this.#isRunning = false;
  }
}
