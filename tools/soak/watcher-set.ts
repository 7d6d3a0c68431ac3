/** All watches of the run: which there are, and how some of them leave and stall now and then. */
import type { SoakOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { Scope } from './scope.ts';
import type { WatchKind } from './scope.ts';
import { WatchGroup } from './watch-group.ts';
import { Watcher } from './watcher.ts';
import type { WatcherParts } from './watcher.ts';

const MEMO_BYTES_MAX = 64 * 1024 * 1024;
const GROUP_MEMO_BYTES_MAX = 1024 * 1024;
const AWAY_MS_MAX = 2_000;
/** The part of returns with a new list: as of a client that was started anew. */
const LIST_ANEW_SHARE = 0.25;
/** The time between two stalls, in lengths of a stall. */
const STALLS_APART = 4;

export class WatcherSet {
  readonly watchers: readonly Watcher[];
  readonly #options: SoakOptions;
  readonly #random: () => number;
  readonly #stalling: readonly Watcher[];
  readonly #reconnecting: readonly Watcher[];

  constructor(options: SoakOptions, plan: Plan, parts: WatcherParts) {
    this.#options = options;
    this.#random = parts.random;
    const order = shuffled(options.watches, parts.random);
    const stalling = new Set(order.slice(0, countOf(options.stall, options.watches)));
    const groups = makeGroups(options, plan, parts);
    this.watchers = groups.map(
      (group, number) => new Watcher(number, group, stalling.has(number), parts),
    );
    const reconnecting = order.slice(options.watches - countOf(options.reconnect, options.watches));
    this.#stalling = this.watchers.filter(({ stalls }) => stalls);
    this.#reconnecting = this.watchers.filter((_, number) => reconnecting.includes(number));
  }

  /** Opens all; resolves when they are open. */
  async start(): Promise<void> {
    await Promise.all(this.watchers.map(async (watcher) => watcher.start()));
  }

  /** Lets some leave or stall: as many as `seconds` of the run bring on average. */
  disturb(seconds: number): void {
    const { reconnectSeconds, stallSeconds } = this.#options;
    const leaving = (this.#reconnecting.length * seconds) / reconnectSeconds;
    this.#pickSome(this.#reconnecting, leaving, (watcher) => {
      watcher.disconnect(this.#random() * AWAY_MS_MAX, this.#random() < LIST_ANEW_SHARE);
    });
    const stalling = (this.#stalling.length * seconds) / (stallSeconds * (STALLS_APART + 1));
    this.#pickSome(this.#stalling, stalling, (watcher) => watcher.stall(stallSeconds * 1_000));
  }

  /** Those that are away come back, and all read. */
  endDisturbance(): void {
    for (const watcher of this.watchers) {
      watcher.comeBack();
      watcher.endStall();
    }
  }

  end(): void {
    for (const watcher of this.watchers) watcher.end();
  }

  #pickSome(watchers: readonly Watcher[], expected: number, act: (watcher: Watcher) => void): void {
    const count = Math.floor(expected + this.#random());
    for (let index = 0; index < count; index += 1) {
      const watcher = watchers[Math.floor(this.#random() * watchers.length)];
      if (watcher !== undefined) act(watcher);
    }
  }
}

/** By number of the watch, its group: one group for each scope. */
function makeGroups(options: SoakOptions, plan: Plan, parts: WatcherParts): WatchGroup[] {
  const scopes = makeScopes(options, plan);
  const watches = new Map<string, number>();
  const keyOf = (scope: Scope): string => `${scope.path}?${scope.query}`;
  for (const scope of scopes) watches.set(keyOf(scope), (watches.get(keyOf(scope)) ?? 0) + 1);
  const shared = [...watches.values()].filter((count) => count > 1).length;
  const memoBytes = Math.min(GROUP_MEMO_BYTES_MAX, Math.floor(MEMO_BYTES_MAX / shared));
  const groups = new Map<string, WatchGroup>();
  return scopes.map((scope) => {
    const key = keyOf(scope);
    const isShared = (watches.get(key) ?? 0) > 1;
    const group = groups.get(key) ?? new WatchGroup(scope, isShared ? memoBytes : 0, parts);
    groups.set(key, group);
    return group;
  });
}

/** One per watch; the kinds are mixed evenly, and each kind goes through all that it can choose. */
function makeScopes({ watches, watchMix }: SoakOptions, plan: Plan): Scope[] {
  const total = watchMix.reduce((sum, { share }) => sum + share, 0);
  const made = new Map<WatchKind, number>();
  return Array.from({ length: watches }, (_, number) => {
    let kind: WatchKind = 'namespace';
    let mostDue = -Infinity;
    for (const { kind: candidate, share } of watchMix) {
      const due = ((number + 1) * share) / total - (made.get(candidate) ?? 0);
      if (due > mostDue && share > 0) [kind, mostDue] = [candidate, due];
    }
    const choice = made.get(kind) ?? 0;
    made.set(kind, choice + 1);
    return new Scope(plan, kind, choice);
  });
}

function countOf(share: number, count: number): number {
  return share === 0 ? 0 : Math.max(1, Math.round(share * count));
}

function shuffled(count: number, random: () => number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers;
}
