/**
 * A queue, first come first served. `Array.shift` moves all the others where an array is so long
 * (over 16,000) that the runtime cannot move its beginning instead.
 */
export class Fifo<T> {
  /** Waiting items begin at `#head`. Those before it are dropped once they are the larger part. */
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the first one; undefined where none waits. */
  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
