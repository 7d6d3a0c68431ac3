/** How far one watch is, over all streams that have carried it. */
import { EtcdError } from './etcd-error.ts';
import type { Watch, WatchEvent, WatchListener } from './etcd.ts';
import { numberOf, revisionOf, watchEventOf } from './from-messages.ts';
import type { WatchAnswer } from './message-types.ts';

export class WatchState {
  readonly watch: Watch;
  readonly #listener: WatchListener;
  readonly #onEnd: () => void;
  /** The next revision that the listener has not seen; 0 before the first stream has told. */
  #next: number;
  /** What comes before it comes twice. */
  #wantedFrom: number;
  /** The parts so far of an answer that comes in several. */
  #parts: WatchEvent[] = [];
  #beginsExactly = false;
  #isBroken = false;
  #isClosed = false;

  constructor(watch: Watch, listener: WatchListener, onEnd: () => void) {
    this.watch = watch;
    this.#listener = listener;
    this.#onEnd = onEnd;
    this.#next = watch.startRevision ?? 0;
    this.#wantedFrom = this.#next;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * The revision to begin at on a new stream. It is one that the listener has seen already: etcd
   * does not tell how far a watch is that begins in the future.
   */
  beginAt(): number {
    this.#parts = [];
    this.#wantedFrom = this.#next;
    return this.#next <= 1 || this.#beginsExactly ? this.#next : this.#next - 1;
  }

  created(answer: WatchAnswer, server: string): void {
    if (this.#next === 0) this.#next = revisionOf(answer) + 1;
    this.#isBroken = false;
    this.#listener.running?.(server);
  }

  /** Events, or none: then all up to the revision of the answer were given. */
  answered(answer: WatchAnswer): void {
    if (answer.events.length === 0 && !answer.fragment && this.#parts.length === 0) {
      this.progressed(revisionOf(answer));
      return;
    }
    for (const event of answer.events) {
      const made = watchEventOf(event);
      if (made.kv.modRevision >= this.#wantedFrom) this.#parts.push(made);
    }
    if (!answer.fragment) this.#deliver();
  }

  progressed(revision: number): void {
    this.#seen(revision);
    this.#listener.progress?.(revision);
  }

  /**
   * The watch was cancelled by etcd. Gives whether it should be made again on the same stream; else
   * its listener knows that it has ended.
   */
  cancelled({ compactRevision, cancelReason }: WatchAnswer): boolean {
    const compacted = numberOf(compactRevision);
    if (compacted === this.#next && !this.#beginsExactly) {
      this.#beginsExactly = true;
      return true;
    }
    this.close();
    this.#onEnd();
    this.#listener.ended(
      compacted > 0 ? EtcdError.compacted(compacted) : EtcdError.refused(cancelReason),
    );
    return false;
  }

  /** Tells the listener, once for each time that the watch breaks. */
  broken(error: EtcdError): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#listener.broken?.(error);
  }

  close(): void {
    this.#isClosed = true;
  }

  #deliver(): void {
    const events = this.#parts;
    const last = events.at(-1);
    if (last === undefined) return;
    this.#parts = [];
    this.#seen(last.kv.modRevision);
    this.#listener.events(events, last.kv.modRevision);
  }

  #seen(revision: number): void {
    this.#next = Math.max(this.#next, revision + 1);
    this.#wantedFrom = Math.max(this.#wantedFrom, revision + 1);
    this.#beginsExactly = false;
  }
}
