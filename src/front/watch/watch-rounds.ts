/**
 * Writing to the watches of channels that have something new, in rounds: each watch once, so many
 * in a turn, and the others in the turns after it. What comes meanwhile makes the next round, so
 * that all of them get on alike.
 */
import { WATCHES_WRITTEN_PER_TURN } from '../limits.ts';

interface Group<Watch> {
  readonly watches: Iterable<Watch>;
}

export class WatchRounds<Watch, Channel extends Group<Watch>> {
  readonly #write: (watch: Watch) => void;
  /** Channels of the next round. */
  #touched = new Set<Channel>();
  /** Channels of the round that is under way. */
  #writing = new Set<Channel>();
  #round: Iterator<Watch> | undefined;

  constructor(write: (watch: Watch) => void) {
    this.#write = write;
  }

  /**
   * A channel has something new. False when what it had before may not have been written to all
   * of its watches yet.
   */
  touch(channel: Channel): boolean {
    const isFirst = !this.#touched.has(channel) && !this.#writing.has(channel);
    this.#touched.add(channel);
    return isFirst;
  }

  forget(channel: Channel): void {
    this.#touched.delete(channel);
    this.#writing.delete(channel);
  }

  /** Writes to the first of them now, unless the rest of those before are to come. */
  turnEnd(): void {
    if (this.#round === undefined) this.#writeSome();
  }

  #writeSome(): void {
    for (let left = WATCHES_WRITTEN_PER_TURN; left > 0; left--) {
      const watch = this.#next();
      if (watch === undefined) return;
      this.#write(watch);
    }
    setImmediate(() => this.#writeSome());
  }

  /** Undefined when there is nothing more to write. */
  #next(): Watch | undefined {
    for (;;) {
      const next = this.#round?.next();
      if (next?.done === false) return next.value;
      this.#round = undefined;
      this.#writing.clear();
      if (this.#touched.size === 0) return undefined;
      [this.#writing, this.#touched] = [this.#touched, this.#writing];
      this.#round = watchesOf(this.#writing);
    }
  }
}

/** Also those that join meanwhile, but none that has left. */
function* watchesOf<Watch>(channels: Iterable<Group<Watch>>): Generator<Watch> {
  for (const { watches } of channels) yield* watches;
}
