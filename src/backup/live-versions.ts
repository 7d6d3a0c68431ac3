/** Which records of a log are those of objects that there are. */
import { OPERATION, recordOperation, recordPreviousRv } from '../storage/record.ts';

/** Is told all records of a log up to a version, in order. */
export class LiveVersions {
  readonly #rvs = new Set<number>();

  add(rv: number, record: Uint8Array): void {
    this.#rvs.delete(recordPreviousRv(record));
    if (recordOperation(record) !== OPERATION.deleted) this.#rvs.add(rv);
  }

  has(rv: number): boolean {
    return this.#rvs.has(rv);
  }

  inOrder(): readonly number[] {
    return [...this.#rvs];
  }

  get size(): number {
    return this.#rvs.size;
  }
}
