/**
 * A value that takes long to make: it is made when first asked for, and again where that failed.
 */
export class MadeOnce<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** Rejects with why it cannot be made. */
  get(): Promise<T> {
    if (this.#made !== undefined) return this.#made;
    const made = this.#make();
    this.#made = made;
    made.catch(() => {
      this.#made = undefined;
    });
    return made;
  }
}
