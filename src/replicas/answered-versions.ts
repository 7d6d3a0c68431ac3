/**
 * Which changes may have been answered: cells that all threads share. A shard writes the version of
 * a change into the cells of its type and of its object before anybody is answered or can see it,
 * so that whoever reads a cell later knows whether its copy lacks something (README.md#replicas).
 */
import { KINDS, resourceKey } from '../resources/registry.ts';

const CELLS: ReadonlyMap<string, number> = new Map(
  KINDS.map((kind, index) => [resourceKey(kind), index]),
);

/** Objects share cells: with this many a change makes few copies of others look old. */
const OBJECT_CELLS = 2 ** 16;
/** Of the hash FNV-1a. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

const TYPE_BYTES = CELLS.size * BigInt64Array.BYTES_PER_ELEMENT;
const OBJECT_BYTES = OBJECT_CELLS * Int32Array.BYTES_PER_ELEMENT;

/** The cell of a built-in type, by the name of its shard; undefined for a custom type. */
export function builtInCell(resource: string): number | undefined {
  return CELLS.get(resource);
}

/** The cell of a built-in type, by the name of its shard. */
export function answeredCell(resource: string): number {
  const cell = builtInCell(resource);
  if (cell === undefined) throw new Error(`${resource} is no built-in type`);
  return cell;
}

export class AnsweredVersions {
  readonly shared: SharedArrayBuffer;
  readonly #cells: BigInt64Array;
  readonly #objects: Int32Array;

  /** `shared` is what another thread has made. */
  constructor(shared = new SharedArrayBuffer(TYPE_BYTES + OBJECT_BYTES)) {
    this.shared = shared;
    this.#cells = new BigInt64Array(shared, 0, CELLS.size);
    this.#objects = new Int32Array(shared, TYPE_BYTES, OBJECT_CELLS);
  }

  /** Sets the newest answered version; called by the type's shard alone. */
  set(cell: number, rv: number): void {
    Atomics.store(this.#cells, cell, BigInt(rv));
  }

  get(cell: number): number {
    return Number(Atomics.load(this.#cells, cell));
  }

  /** Notes a change of an object, of the type with this cell, in whatever namespace. */
  setObject(cell: number, name: string, rv: number): void {
    Atomics.store(this.#objects, objectCell(cell, name), rv);
  }

  /**
   * Gives the mark of the objects of a name: while it stays the same none of them has changed. It
   * is the lower half of a version, so that it says no more than that.
   */
  objectMark(cell: number, name: string): number {
    return Atomics.load(this.#objects, objectCell(cell, name));
  }
}

function objectCell(cell: number, name: string): number {
  let hash = HASH_START ^ cell;
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), HASH_FACTOR);
  }
  return (hash ^ (hash >>> 16)) & (OBJECT_CELLS - 1);
}
