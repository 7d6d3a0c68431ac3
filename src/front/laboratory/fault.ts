/** A rule at work: what it has decided, and what it holds. */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { FaultRule, Effect } from '../../laboratory/fault-rule.ts';
import type { LabRequest } from '../../laboratory/lab-request.ts';
import { Occasions } from '../../laboratory/occasions.ts';
import { Seeded } from '../../laboratory/seeded.ts';
import { SeriesSet } from '../../observability/metrics/thread-metrics.ts';
import type { FaultyWatch } from './faulty-watch.ts';

/** Older decisions are forgotten. */
const JOURNAL_MAX = 10_000;

/** One decision about a request. */
export interface Decision {
  readonly number: number;
  readonly time: string;
  readonly request: Omit<LabRequest, 'groups'>;
  readonly acted: boolean;
}

/** Something that waits until it is let go. */
export interface Held {
  release(): void;
}

export class Fault {
  readonly rule: FaultRule;
  readonly #occasions: Occasions;
  readonly #delays: Seeded;
  readonly #series = new SeriesSet();
  readonly #journal: Decision[] = [];
  readonly #held = new Set<Held>();
  readonly #watches = new Set<FaultyWatch>();

  constructor(rule: FaultRule) {
    this.rule = rule;
    this.#occasions = new Occasions(rule.when);
    this.#delays = new Seeded(rule.when.seed);
  }

  /** Whether it acts on a request that it is about. */
  decides(request: LabRequest, nowMs: number): boolean {
    const acted = this.#occasions.acts(nowMs);
    const { groups: _groups, ...shown } = request;
    this.#journal.push({
      number: this.#occasions.matched,
      time: new Date(nowMs).toISOString(),
      request: shown,
      acted,
    });
    if (this.#journal.length > JOURNAL_MAX) this.#journal.shift();
    const labels = { fault: this.rule.name, acted: String(acted) };
    this.#series.cell('shardplane_laboratory_decisions_total', labels).add();
    return acted;
  }

  get journal(): readonly Decision[] {
    return this.#journal;
  }

  /** What is told of it. */
  get shown(): object {
    const { matched, acted } = this.#occasions;
    const { size: watches } = this.#watches;
    return { ...this.rule.sent, matched, acted, held: this.#held.size, watches };
  }

  /** How long the next request is delayed. */
  delayMs({ ms, toMs }: Extract<Effect, { is: 'delay' }>): number {
    return ms + Math.floor(this.#delays.next() * (toMs - ms + 1));
  }

  holds(held: Held): void {
    this.#held.add(held);
  }

  /** Holds it for that time, unless it is let go before. */
  holdsFor(ms: number, held: Held): void {
    const cancel = SYSTEM_TIMERS.after(ms, () => {
      this.#held.delete(one);
      held.release();
    });
    const one: Held = {
      release: () => {
        cancel();
        held.release();
      },
    };
    this.holds(one);
  }

  /** Has the events of a watch go wrong. */
  spoils(watch: FaultyWatch): void {
    const { effect } = this.rule;
    if (effect.is !== 'watch') return;
    watch.become(effect);
    this.#watches.add(watch);
  }

  /** The watch has ended. */
  forgets(watch: FaultyWatch): void {
    this.#watches.delete(watch);
  }

  /** It acts no more: what it holds goes on. */
  end(): void {
    this.release();
    for (const watch of this.#watches) watch.mend();
    this.#series.release();
  }

  /** Lets go what it holds, or the first of it, and events of watches; returns how many. */
  release(most = Infinity): number {
    const all = [...this.#held].slice(0, most);
    for (const held of all) {
      this.#held.delete(held);
      held.release();
    }
    for (const watch of this.#watches) watch.release();
    return all.length;
  }
}
