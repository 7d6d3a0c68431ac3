/** When a rule acts, of the requests that it is about: the same for the same seed and order. */
import type { Members } from './members.ts';
import { Seeded } from './seeded.ts';

export const WHEN = ['share', 'seed', 'every', 'first', 'after', 'once', 'from', 'until'] as const;
const SEED = 1;

export interface When {
  readonly share: number | undefined;
  readonly seed: number;
  readonly every: number | undefined;
  readonly first: number | undefined;
  readonly after: number;
  /** Milliseconds since 1970; the rule does not act before the one and from the other on. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Throws StatusError 400. */
export function readWhen(members: Members): When {
  const when = members.part('when', WHEN);
  const isOnce = when.flag('once');
  return {
    share: when.share('share'),
    seed: when.count('seed') ?? SEED,
    every: when.count('every', 1),
    first: isOnce ? 1 : when.count('first', 1),
    after: when.count('after') ?? 0,
    fromMs: timeOf(when, 'from', -Infinity),
    untilMs: timeOf(when, 'until', Infinity),
  };
}

function timeOf(when: Members, name: string, absent: number): number {
  const text = when.text(name);
  if (text === '') return absent;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw when.wrong(name, 'a time, such as "2026-01-02T03:04:05Z"');
  return ms;
}

export class Occasions {
  readonly #when: When;
  readonly #seeded: Seeded;
  /** The requests that the rule was about. */
  matched = 0;
  /** The times that it has acted. */
  acted = 0;

  constructor(when: When) {
    this.#when = when;
    this.#seeded = new Seeded(when.seed);
  }

  /** Whether the rule acts on one more request that it is about. */
  acts(nowMs: number): boolean {
    const { share, every, first, after, fromMs, untilMs } = this.#when;
    this.matched++;
    // Drawn for each, so that the other conditions do not move what follows.
    const drawn = share === undefined ? 0 : this.#seeded.next();
    const counted = this.matched - after;
    if (counted <= 0 || (first !== undefined && this.acted >= first)) return false;
    if (nowMs < fromMs || nowMs >= untilMs) return false;
    if (every !== undefined && counted % every !== 0) return false;
    if (share !== undefined && drawn >= share) return false;
    this.acted++;
    return true;
  }
}
