/**
 * Requests wait here while a snapshot is restored, so that none sees one type as it was and then
 * another as it is. Those that came before are under way already: each sees a type before it is
 * restored or after, and nobody can have asked for anything after an answer of the one kind and
 * before one of the other.
 */
export class RestoreGate {
  #restores = 0;
  #open: Promise<void> = Promise.resolve();
  #resolve: () => void = () => undefined;

  get isClosed(): boolean {
    return this.#restores > 0;
  }

  /** Resolves when it is open. */
  whenOpen(): Promise<void> {
    return this.#open;
  }

  /** Keeps it closed until the work has ended. */
  async closedFor<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isClosed) this.#open = new Promise((resolve) => (this.#resolve = resolve));
    this.#restores++;
    try {
      return await work();
    } finally {
      this.#restores--;
      if (!this.isClosed) this.#resolve();
    }
  }
}
