/**
 * The write-ahead log of a thread (README.md): what its logs append is on the disk after one write
 * here, and in the store after a commit that nobody waits to be flushed.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { appendBytes, GROUP_HEAD_BYTES, type Append } from './group.ts';
import { GROUP_BYTES_MAX } from './limits.ts';
import { Segment } from './segment.ts';

/** The folder, in that of the store, of the files of all threads. */
export const AHEAD_FOLDER = 'write-ahead';

export interface WriteAheadOptions {
  /** That of the store. */
  readonly folder: string;
  /** Throws where the disk should not take so many bytes more. */
  readonly checkRoom: (bytes: number) => void;
  /** Resolves when all that is committed so far is on the disk. */
  readonly flush: () => Promise<void>;
}

interface Waiting {
  readonly append: Append;
  readonly commit: Promise<unknown>;
  readonly resolve: (isWritten: boolean) => void;
}

export class WriteAhead {
  readonly #flush: () => Promise<void>;
  #current: Segment;
  /** The one that is filled next: the store has all of it, flushed, when `#freed` resolves. */
  #other: Segment;
  #freed: Promise<void> = Promise.resolve();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor({ folder, checkRoom, flush }: WriteAheadOptions) {
    this.#flush = flush;
    const name = join(folder, AHEAD_FOLDER, randomUUID());
    const segment = (half: 'a' | 'b'): Segment => new Segment(`${name}-${half}`, checkRoom);
    this.#current = segment('a');
    this.#other = segment('b');
  }

  /**
   * Resolves when a commit of the store is made, and what it brings is on the disk: written here,
   * or, without `append`, flushed with the store. Rejects where the commit does: then it is
   * nowhere.
   */
  async made(commit: Promise<unknown>, append?: Append): Promise<void> {
    const writing = append === undefined ? false : this.#write(append, commit);
    const [outcome, written] = await Promise.allSettled([commit, writing]);
    const isWritten = written.status === 'fulfilled' && written.value;
    if (outcome.status === 'rejected') {
      if (isWritten) await this.#forget();
      throw outcome.reason;
    }
    if (!isWritten) await this.#flush();
  }

  /** Resolves with whether the append is on the disk. */
  #write(append: Append, commit: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push({ append, commit, resolve });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    // What else this turn appends goes with it.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const { group, bytes } = this.#nextGroup();
      let isWritten = false;
      try {
        isWritten = await this.#writeGroup(group, bytes);
      } catch {
        // The store is flushed for these instead, or the writes fail with what that says.
      }
      for (const { resolve } of group) resolve(isWritten);
    }
    this.#writing = undefined;
  }

  /** At least one, and its length. */
  #nextGroup(): { readonly group: readonly Waiting[]; readonly bytes: number } {
    let count = 0;
    let bytes = GROUP_HEAD_BYTES;
    for (const { append } of this.#waiting) {
      const more = appendBytes(append);
      if (count > 0 && bytes + more > GROUP_BYTES_MAX) break;
      count += 1;
      bytes += more;
    }
    return { group: this.#waiting.splice(0, count), bytes };
  }

  async #writeGroup(group: readonly Waiting[], bytes: number): Promise<boolean> {
    const appends = group.map(({ append }) => append);
    if (bytes > GROUP_BYTES_MAX) return false;
    if (!this.#current.hasRoomFor(bytes)) await this.#turnOver();
    for (const { commit } of group) this.#current.expect(commit);
    await this.#current.write(appends, bytes);
    return true;
  }

  /** Goes on in the other segment. */
  async #turnOver(): Promise<void> {
    const full = this.#current;
    await this.#freed.catch(() => this.#free(this.#other));
    this.#current = this.#other;
    this.#other = full;
    this.#current.begin();
    this.#freed = this.#free(full);
    // Whoever needs the segment is told.
    this.#freed.catch(() => undefined);
  }

  async #free(segment: Segment): Promise<void> {
    await segment.settled();
    await this.#flush();
  }

  /** Resolves when an append that the store has refused is in no file any more. */
  async #forget(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    const hold = this.#turnOver().then(async () => {
      await this.#freed;
      this.#other.clear();
      this.#current.clear();
    });
    // Nobody writes meanwhile.
    this.#writing = hold.catch(() => undefined).then(() => this.#writeAll());
    try {
      await hold;
    } catch (error) {
      // The next start would bring back what was refused: nothing more may be promised.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** Nothing is under way. */
  close(): void {
    this.#current.close();
    this.#other.close();
  }
}
