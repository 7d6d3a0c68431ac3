/**
 * For how long watches were not sent what there is. Nobody looks at the clock for each event: what
 * is in a ring when it is looked at has come by then, and what the watches lack is so old at least.
 */
import type { Channel, Watch } from './watch-records.ts';

/** Events before `seq` had come at that time. */
interface Mark {
  readonly seq: number;
  readonly ms: number;
}

/** As far as its place in the ring goes. */
type Follower = Pick<Watch, 'channel' | 'cursor'>;

export class EventAges {
  /** In the order of their times, those alone that some watch is behind of. */
  #marks: ReadonlyMap<Channel, readonly Mark[]> = new Map();
  /** Watches that have fallen out of a ring, and since when they lack something. */
  readonly #left = new Map<Follower, number>();

  /** A watch is to get from history what its ring has no longer. */
  left(watch: Follower): void {
    const oldest = watch.channel && this.#marks.get(watch.channel)?.[0];
    this.#left.set(watch, oldest?.ms ?? performance.now());
  }

  /** Looks at all watches: how old the oldest event is that one of them lacks, at least. */
  oldestMs(watches: ReadonlySet<Follower>, nowMs: number): number {
    const cursors = new Map<Channel, number>();
    for (const { channel, cursor } of watches) {
      if (channel === undefined) continue;
      cursors.set(channel, Math.min(cursors.get(channel) ?? cursor, cursor));
    }
    const marks = new Map<Channel, readonly Mark[]>();
    for (const [channel, cursor] of cursors) {
      marks.set(channel, marksAfter(cursor, channel, this.#marks.get(channel), nowMs));
    }
    this.#marks = marks;
    let sinceMs = nowMs;
    for (const [oldest] of marks.values()) sinceMs = Math.min(sinceMs, oldest?.ms ?? nowMs);
    for (const [watch, leftMs] of this.#left) {
      // It was sent all of its history, or is gone.
      if (watch.channel !== undefined || !watches.has(watch)) this.#left.delete(watch);
      else sinceMs = Math.min(sinceMs, leftMs);
    }
    return nowMs - sinceMs;
  }
}

function marksAfter(
  cursor: number,
  { ring: { nextSeq } }: Channel,
  known: readonly Mark[] = [],
  ms: number,
): readonly Mark[] {
  const after = known.filter(({ seq }) => seq > cursor);
  const isMarked = cursor === nextSeq || after.at(-1)?.seq === nextSeq;
  return isMarked ? after : [...after, { seq: nextSeq, ms }];
}
