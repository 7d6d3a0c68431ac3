/**
 * Work that is done one piece after another, users in turns: who asks for much waits for their own,
 * and others for at most one piece of each user.
 */
import { Fifo } from '../fifo.ts';

interface Waiting {
  readonly bytes: number;
  readonly begin: (over: () => void) => void;
}

interface Queue {
  readonly waiting: Fifo<Waiting>;
  bytes: number;
}

export interface FairTurnsBounds {
  /** Limits of the bytes that wait, for all users together and for one of them. */
  readonly bytesMax: number;
  readonly userBytesMax: number;
}

export class FairTurns {
  readonly #bounds: FairTurnsBounds;
  /** Queues by user; the user whose turn is next comes first. */
  readonly #queues = new Map<string, Queue>();
  #bytes = 0;
  #isRunning = false;

  constructor(bounds: FairTurnsBounds) {
    this.#bounds = bounds;
  }

  /**
   * Whether so many more bytes of a user may wait. Where nothing waits yet, a limit lets any number
   * in.
   */
  hasRoom(user: string, bytes: number): boolean {
    const own = this.#queues.get(user)?.bytes ?? 0;
    if (own > 0 && own + bytes > this.#bounds.userBytesMax) return false;
    return this.#bytes === 0 || this.#bytes + bytes <= this.#bounds.bytesMax;
  }

  /** Begins a task when it is its user's turn; settles as that does. */
  run<T>(user: string, bytes: number, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = (over: () => void): void => {
        new Promise<T>((begun) => begun(task())).finally(over).then(resolve, reject);
      };
      const queue = this.#queues.get(user) ?? { waiting: new Fifo<Waiting>(), bytes: 0 };
      queue.waiting.push({ bytes, begin });
      queue.bytes += bytes;
      this.#bytes += bytes;
      this.#queues.set(user, queue);
      this.#beginNext();
    });
  }

  /** Resolves when it is a user's turn. It lasts until the end of the turn of the event loop. */
  begin(user: string, bytes: number): Promise<void> {
    return new Promise((begun) => {
      void this.run(user, bytes, () => {
        begun();
        return new Promise((over) => setImmediate(over));
      });
    });
  }

  #beginNext(): void {
    if (this.#isRunning) return;
    const [next] = this.#queues;
    if (next === undefined) return;
    const [user, queue] = next;
    const task = queue.waiting.shift()!;
    // Their next one comes after those of all others.
    this.#queues.delete(user);
    if (queue.waiting.length > 0) this.#queues.set(user, queue);
    queue.bytes -= task.bytes;
    this.#isRunning = true;
    task.begin(() => {
      this.#bytes -= task.bytes;
      this.#isRunning = false;
      this.#beginNext();
    });
  }
}
