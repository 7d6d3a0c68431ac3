/** Requests in the order in which they came, each of which may leave at any time. */

/** A member of one list at a time. */
export interface Listed<T> {
  before: T | undefined;
  after: T | undefined;
}

export class RequestList<T extends Listed<T>> {
  #first: T | undefined;
  #last: T | undefined;
  #length = 0;

  get first(): T | undefined {
    return this.#first;
  }

  get length(): number {
    return this.#length;
  }

  push(member: T): void {
    member.before = this.#last;
    member.after = undefined;
    if (this.#last === undefined) this.#first = member;
    else this.#last.after = member;
    this.#last = member;
    this.#length++;
  }

  /** It must be in this list. */
  remove(member: T): void {
    const { before, after } = member;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    member.before = undefined;
    member.after = undefined;
    this.#length--;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let member = this.#first; member !== undefined; member = member.after) yield member;
  }
}
