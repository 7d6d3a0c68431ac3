/**
 * A timing wheel of seconds: many items that each come due within a minute, on one timer, which
 * runs only while there are any.
 */
import { assert } from '../assert.ts';
import type { Timers } from './timers.ts';

/** One more than the longest time, since the slot of this second has had its turn. */
const SLOTS = 61;

export class SecondsWheel<Item> {
  readonly #timers: Timers;
  readonly #onDue: (items: ReadonlySet<Item>) => void;
  /** Made when something is first due there: most wheels stay empty. */
  readonly #slots: (Set<Item> | undefined)[] = [];
  #slot = 0;
  #size = 0;
  #stop: (() => void) | undefined;

  /** `onDue` gets all items that are due in the same second, and may add them again. */
  constructor(timers: Timers, onDue: (items: ReadonlySet<Item>) => void) {
    this.#timers = timers;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Makes an item due after 1 to 60 whole seconds, of which a part of the first has passed. Returns
   * its slot.
   */
  add(item: Item, seconds: number): number {
    assert(seconds >= 1 && seconds < SLOTS, `${seconds} s do not fit the wheel`);
    const slot = (this.#slot + seconds) % SLOTS;
    (this.#slots[slot] ??= new Set()).add(item);
    this.#size++;
    this.#stop ??= this.#timers.every(1_000, () => this.#tick());
    return slot;
  }

  /** `slot` is the one that `add` returned. Does nothing when its time has come already. */
  remove(item: Item, slot: number): void {
    if (this.#slots[slot]?.delete(item) !== true) return;
    this.#size--;
    this.#stopWhenEmpty();
  }

  #tick(): void {
    this.#slot = (this.#slot + 1) % SLOTS;
    const due = this.#slots[this.#slot];
    if (due === undefined || due.size === 0) return;
    this.#slots[this.#slot] = undefined;
    this.#size -= due.size;
    this.#onDue(due);
    this.#stopWhenEmpty();
  }

  #stopWhenEmpty(): void {
    if (this.#size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}
