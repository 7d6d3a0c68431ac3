/** What stands behind the commits of a thread, which themselves do not wait for the disk. */
import type { Flusher, RegularFlusher } from './flusher.ts';
import { removeAhead } from './write-ahead/read-ahead.ts';
import type { WriteAhead } from './write-ahead/write-ahead.ts';

interface CommitsOptions {
  /** That of the store. */
  readonly folder: string;
  readonly flusher: Flusher;
  /** Present in the one thread that flushes now and then. */
  readonly regular: RegularFlusher | undefined;
  /** Present where whoever is answered has what he wrote on the disk. */
  readonly ahead: WriteAhead | undefined;
}

export class Commits {
  readonly flusher: Flusher;
  readonly regular: RegularFlusher | undefined;
  readonly ahead: WriteAhead | undefined;

  readonly #folder: string;

  constructor({ folder, flusher, regular, ahead }: CommitsOptions) {
    this.flusher = flusher;
    this.regular = regular;
    this.ahead = ahead;
    this.#folder = folder;
  }

  /** When it returns, what was committed without the write-ahead log is on the disk where asked. */
  ensureDurable(): void {
    if (this.ahead !== undefined) this.flusher.flushNow();
  }

  /** The store has all that an earlier run has written ahead. */
  restored(): void {
    this.flusher.flushNow();
    removeAhead(this.#folder);
  }

  /** Flushes once more, and no longer, where this thread does so. */
  async stop(): Promise<void> {
    await this.regular?.stop();
  }

  /** The store is closed; with the thread that flushes it, the last one that had it open. */
  close(): void {
    if (this.regular !== undefined) {
      this.flusher.markAllFlushed();
      removeAhead(this.#folder);
    }
    this.ahead?.close();
    this.flusher.close();
  }
}
