/** The object that a row of a catalogue file begins with. */
import { isDeepStrictEqual } from 'node:util';
import type { Change } from './kind-cases.ts';
import type { TestObject } from './kinds.ts';

export class RowObject {
  readonly #make: (first: Change) => Promise<TestObject>;
  readonly #remove: (object: TestObject) => Promise<void>;
  #made: { readonly first: Change; readonly object: TestObject } | undefined;

  constructor(
    make: (first: Change) => Promise<TestObject>,
    remove: (object: TestObject) => Promise<void>,
  ) {
    this.#make = make;
    this.#remove = remove;
  }

  /** A new one, or that of the row before if it began in the same way and has not changed. */
  async of(first: Change): Promise<TestObject> {
    if (this.#made !== undefined && isDeepStrictEqual(this.#made.first, first)) {
      return this.#made.object;
    }
    // Some kinds have one object at a time.
    await this.forget();
    const object = await this.#make(first);
    this.#made = { first, object };
    return object;
  }

  /** After the last row, and after one that has changed it. */
  async forget(): Promise<void> {
    if (this.#made !== undefined) await this.#remove(this.#made.object);
    this.#made = undefined;
  }
}
