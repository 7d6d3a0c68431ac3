/**
 * The work that the garbage collector still has. Each item is in the queue once, however often it
 * was added, so it grows with the objects to collect and not with the number of events.
 */
import { appendAll } from '../../base/append-all.ts';
import { GARBAGE_STEP_OBJECTS } from '../../limits.ts';
import type { ReleasedOwner } from '../../protocol/upkeep-protocol.ts';
import { RoundMetrics } from '../round-metrics.ts';

/** Keys by resource type. */
export type KeysByResource = readonly (readonly [resource: string, keys: readonly string[]])[];

/** The work of one round: a bounded part of each kind. */
export interface Work {
  /** Uids whose dependents are to be found. */
  readonly gone: readonly string[];
  /** Uids of owners in the foreground, whose dependents are to be counted. */
  readonly counts: readonly string[];
  /** Objects that wait for the collector. */
  readonly awaiting: KeysByResource;
  /** Objects whose owners are to be looked at. */
  readonly looks: KeysByResource;
  /** Parts of what there was at the start. */
  readonly replays: readonly Replay[];
}

/** An object whose dependents are waited for, or are to lose it. */
export interface WaitingOwner extends ReleasedOwner {
  readonly resource: string;
}

interface Replay {
  readonly resource: string;
  readonly after: string;
}

const UIDS_MAX = 1_000;

export class GarbageQueue {
  readonly gone = new Set<string>();
  readonly counts = new Set<string>();
  readonly #awaiting = new Map<string, Set<string>>();
  readonly #looks = new Map<string, Set<string>>();
  #replays: Replay[] = [];
  readonly #metrics = new RoundMetrics('garbage_collector_attempt_to_delete', () => this.#size);

  get #size(): number {
    const { gone, counts } = this;
    const keys = [...this.#awaiting.values(), ...this.#looks.values()];
    return [gone, counts, ...keys].reduce((sum, { size }) => sum + size, this.#replays.length);
  }

  lookAt(resource: string, keys: readonly string[]): void {
    addKeys(this.#looks, resource, keys);
  }

  awaits(resource: string, keys: readonly string[]): void {
    addKeys(this.#awaiting, resource, keys);
  }

  replay(resource: string, after: string): void {
    this.#replays.push({ resource, after });
  }

  /** Undefined when there is nothing to do. What there was at the start comes after all else. */
  take(): Work | undefined {
    const work = this.#taken();
    if (work === undefined) this.#metrics.ended();
    else this.#metrics.began(itemsIn(work));
    return work;
  }

  #taken(): Work | undefined {
    const work = {
      gone: takeFrom(this.gone, UIDS_MAX),
      counts: takeFrom(this.counts, UIDS_MAX),
      awaiting: takeKeys(this.#awaiting),
      looks: takeKeys(this.#looks),
      replays: [],
    };
    const { gone, counts, awaiting, looks } = work;
    if (gone.length + counts.length + awaiting.length + looks.length > 0) return work;
    if (this.#replays.length === 0) return undefined;
    const replays = this.#replays;
    this.#replays = [];
    return { ...work, replays };
  }

  /** Forgets a type that has gone. */
  drop(resource: string): void {
    this.#awaiting.delete(resource);
    this.#looks.delete(resource);
    this.#replays = this.#replays.filter((replay) => replay.resource !== resource);
  }

  /** Puts back a round that was not done. */
  putBack(work: Work): void {
    const { gone, counts, awaiting, looks, replays } = work;
    this.#metrics.failed(itemsIn(work));
    for (const uid of gone) this.gone.add(uid);
    for (const uid of counts) this.counts.add(uid);
    for (const [resource, keys] of awaiting) this.awaits(resource, keys);
    for (const [resource, keys] of looks) this.lookAt(resource, keys);
    appendAll(this.#replays, replays);
  }

  /** Nothing is told of it any more. */
  close(): void {
    this.#metrics.stopped();
  }
}

function itemsIn({ gone, counts, awaiting, looks, replays }: Work): number {
  const keys = [...awaiting, ...looks].reduce((sum, [, { length }]) => sum + length, 0);
  return gone.length + counts.length + keys + replays.length;
}

function addKeys(queue: Map<string, Set<string>>, resource: string, keys: readonly string[]): void {
  if (keys.length === 0) return;
  let queued = queue.get(resource);
  if (queued === undefined) {
    queued = new Set();
    queue.set(resource, queued);
  }
  for (const key of keys) queued.add(key);
}

function takeKeys(queue: Map<string, Set<string>>): KeysByResource {
  return Array.from(queue, ([resource, keys]) => {
    const taken = takeFrom(keys, GARBAGE_STEP_OBJECTS);
    if (keys.size === 0) queue.delete(resource);
    return [resource, taken] as const;
  });
}

function takeFrom(set: Set<string>, max: number): string[] {
  const taken: string[] = [];
  for (const value of set) {
    if (taken.length === max) break;
    taken.push(value);
    set.delete(value);
  }
  return taken;
}

/** The namespace in a key: '' where the object is in none. */
export function namespaceOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}
