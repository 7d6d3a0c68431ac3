/**
 * Which changes of a type may have been answered: a cell for each type, shared by all threads. A
 * shard writes the version of a change into its cell before anybody is answered, so that whoever
 * reads the cell later knows whether its copy of the type lacks something (README.md#replicas).
 */
import { KINDS, resourceKey } from '../resources/registry.ts';

const CELLS: ReadonlyMap<string, number> = new Map(
  KINDS.map((kind, index) => [resourceKey(kind), index]),
);

/** The cell of a built-in type, by the name of its shard. */
export function answeredCell(resource: string): number {
  const cell = CELLS.get(resource);
  if (cell === undefined) throw new Error(`${resource} is no built-in type`);
  return cell;
}

export class AnsweredVersions {
  readonly shared: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  /** `shared` is what another thread has made. */
  constructor(shared = new SharedArrayBuffer(CELLS.size * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#cells = new BigInt64Array(shared);
  }

  /** Sets the newest answered version; called by the type's shard alone. */
  set(cell: number, rv: number): void {
    Atomics.store(this.#cells, cell, BigInt(rv));
  }

  get(cell: number): number {
    return Number(Atomics.load(this.#cells, cell));
  }
}
