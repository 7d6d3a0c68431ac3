/**
 * Events that wait for a webhook to say what they show, in the order of their versions: one queue
 * for each representation, so that no others wait. The webhook is asked as soon as an event comes.
 * When too much waits, all of that is given up.
 */
import { WAITING_EVENTS_BYTES_MAX, WAITING_EVENTS_MAX } from '../../limits.ts';
import { StatusError } from '../../semantics/errors/status.ts';
import { ConversionNeeded, type Held } from '../../types/conversion.ts';

interface WaitingEvent {
  /** The conversion that the event needs; undefined where it only waits for those before it. */
  readonly needed: ConversionNeeded | undefined;
  /** The bytes that are held for the event. */
  readonly bytes: number;
  readonly publish: () => void;
  /** The event cannot be shown. */
  readonly failed: () => void;
}

interface Waiting extends WaitingEvent {
  readonly prepared: Promise<Held | undefined>;
}

export class EventQueue {
  #waiting: Waiting[] = [];
  #bytes = 0;
  #isRunning = false;

  /** Nothing waits: what is published now comes after all that came before. */
  get isEmpty(): boolean {
    return !this.#isRunning;
  }

  add(event: WaitingEvent): void {
    const isFull = this.#waiting.length >= WAITING_EVENTS_MAX;
    if (isFull || this.#bytes + event.bytes > WAITING_EVENTS_BYTES_MAX) {
      const given = [...this.#waiting, event];
      this.#waiting = [];
      this.#bytes = 0;
      for (const { failed } of given) failed();
      return;
    }
    const prepared = event.needed?.prepare() ?? Promise.resolve(undefined);
    // It is looked at in its turn.
    prepared.catch(() => undefined);
    this.#waiting.push({ ...event, prepared });
    this.#bytes += event.bytes;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const event = next;
      const held = await settled(event.prepared);
      // It may have been given up meanwhile.
      const isWaiting = this.#waiting[0] === event;
      if (isWaiting) await publishOrFail(event, held);
      else if (!(held instanceof StatusError)) held?.release();
      if (this.#waiting[0] !== event) continue;
      this.#waiting.shift();
      this.#bytes -= event.bytes;
    }
    this.#isRunning = false;
  }
}

/** The result of a preparation, or the error of one that failed. */
async function settled(
  prepared: Promise<Held | undefined>,
): Promise<Held | StatusError | undefined> {
  try {
    return await prepared;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

/** Who watches is not told why an event cannot be shown: who asks again is. */
async function publishOrFail(
  event: WaitingEvent,
  held: Held | StatusError | undefined,
): Promise<void> {
  if (held instanceof StatusError) {
    event.failed();
    return;
  }
  let missing: ConversionNeeded;
  try {
    event.publish();
    return;
  } catch (error) {
    // It was known when the event came, and is not any more.
    if (!(error instanceof ConversionNeeded)) throw error;
    missing = error;
  } finally {
    held?.release();
  }
  await publishOrFail(event, await settled(missing.prepare()));
}
