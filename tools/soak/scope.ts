/** The scope of a watch, and the events that it must therefore get for the planned writes. */
import { COLOURS, COLOUR_LABEL, RUN_LABEL } from './plan.ts';
import type { Plan } from './plan.ts';

export const WATCH_KINDS = ['namespace', 'label', 'name', 'all'] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

export class Scope {
  readonly plan: Plan;
  readonly kind: WatchKind;
  /** The collection's path and the selectors of its query, for people too. */
  readonly path: string;
  readonly query: string;
  /** How many slots it can contain; they have the indexes below that. */
  readonly count: number;
  readonly #first: number;
  readonly #step: number;
  /** The colour that it selects; -1: all. */
  readonly #colour: number;

  /**
   * `choice` picks the namespace, the namespace and the colour, or the slot: it is any whole number
   * from 0 on, and equal choices (modulo how many there are) make equal scopes.
   */
  constructor(plan: Plan, kind: WatchKind, choice: number) {
    this.plan = plan;
    this.kind = kind;
    const { objects, namespaces, resource } = plan.options;
    const ofOne = kind === 'name';
    const namespace = ofOne ? (choice % objects) % namespaces : choice % namespaces;
    this.#first = ofOne ? choice % objects : kind === 'all' ? 0 : namespace;
    this.#step = kind === 'all' ? 1 : namespaces;
    this.count = ofOne ? 1 : Math.ceil((objects - this.#first) / this.#step);
    this.#colour = kind === 'label' ? Math.floor(choice / namespaces) % COLOURS : -1;
    const namespacePath = kind === 'all' ? '' : `/namespaces/${plan.namespaceNames[namespace]}`;
    this.path = `${resource.groupPath}${namespacePath}/${resource.name}`;
    this.query = this.#selectors();
  }

  /** The index of a slot, or -1 when it is none of this scope. */
  indexOf(slot: number): number {
    const index = (slot - this.#first) / this.#step;
    return Number.isInteger(index) && index >= 0 && index < this.count ? index : -1;
  }

  slotAt(index: number): number {
    return this.#first + index * this.#step;
  }

  /** Whether the object as write `seq` leaves it is in this scope. */
  matches(slot: number, seq: number): boolean {
    if (!this.plan.isLive(slot, seq)) return false;
    return this.#colour === -1 || this.plan.colour(slot, seq) === this.#colour;
  }

  /** The event that write `seq` makes in this scope, if any. */
  eventOf(slot: number, seq: number): ChangeType | undefined {
    if (this.matches(slot, seq)) return this.matches(slot, seq - 1) ? 'MODIFIED' : 'ADDED';
    return this.matches(slot, seq - 1) ? 'DELETED' : undefined;
  }

  /** Whether a write after `from` and before `to` makes an event. */
  hasEventBetween(slot: number, from: number, to: number): boolean {
    for (let seq = from + 1; seq < to; seq += 1) {
      if (this.eventOf(slot, seq) !== undefined) return true;
    }
    return false;
  }

  /** The last write from `high` down to `low` after which the slot is not in it; -1 if none. */
  lastOutside(slot: number, low: number, high: number): number {
    for (let seq = high; seq >= low; seq -= 1) if (!this.matches(slot, seq)) return seq;
    return -1;
  }

  #selectors(): string {
    switch (this.kind) {
      case 'namespace':
        return '';
      case 'label':
        return `labelSelector=${COLOUR_LABEL}%3Dc${this.#colour}`;
      case 'name':
        return `fieldSelector=metadata.name%3D${this.plan.nameOf(this.#first)}`;
      case 'all':
        return `labelSelector=${RUN_LABEL}%3D${this.plan.options.runId}`;
    }
  }
}
