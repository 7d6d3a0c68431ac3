/** Ports in memory (src/actors/port.ts): both ends of a link in one thread, which nothing holds. */
import { EventEmitter } from 'node:events';
import type { Port } from '../../src/actors/port.ts';

export class MemoryPort extends EventEmitter implements Port {
  /** Has what this one sends. */
  #other: MemoryPort = this;
  /** The messages that have come while there was no listener. */
  #waiting: (() => void)[] = [];
  #isClosed = false;

  /** Both ends of a new channel. */
  static pair(): readonly [MemoryPort, MemoryPort] {
    const [one, other] = [new MemoryPort(), new MemoryPort()];
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  postMessage(message: unknown, transferred: readonly object[] = []): void {
    if (this.#isClosed) return;
    // A port goes as it is; all else is taken from the sender, as between threads.
    const isPort = transferred.some((one) => one instanceof MemoryPort);
    const transfer = transferred as ArrayBuffer[];
    const sent = isPort ? message : structuredClone(message, { transfer });
    this.#other.#arrive(() => this.#other.emit('message', sent));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#other.#arrive(() => this.#other.#end());
    setImmediate(() => this.emit('close'));
    this.#isClosed = true;
  }

  override on(event: string, listener: (...said: unknown[]) => void): this {
    super.on(event, listener);
    if (event === 'message') for (const one of this.#waiting.splice(0)) this.#arrive(one);
    return this;
  }

  #end(): void {
    this.#isClosed = true;
    this.emit('close');
  }

  #arrive(happens: () => void): void {
    if (this.listenerCount('message') === 0) {
      this.#waiting.push(happens);
      return;
    }
    setImmediate(() => {
      if (!this.#isClosed) happens();
    });
  }
}
