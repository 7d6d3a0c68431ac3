/**
 * Restores of snapshots, in cells that all threads share: which restore is under way, and which
 * types have been written since some version, so that nobody is asked who has nothing to say.
 */
const STATE_BYTES = 8;
/** Types beyond that are asked in each restore. */
const TYPES_MAX = 4_096;
/** Stands for the version of a type that has no cell, or whose shard has not begun. */
export const UNKNOWN = Number.MAX_SAFE_INTEGER;

export class RestoreCells {
  readonly shared: SharedArrayBuffer;
  /** Twice the number of restores that have ended, and one more while one is under way. */
  readonly #state: Int32Array;
  readonly #written: BigInt64Array;

  /** `shared` is what another thread has made. */
  constructor(shared = new SharedArrayBuffer(STATE_BYTES + TYPES_MAX * 8)) {
    this.shared = shared;
    this.#state = new Int32Array(shared, 0, 1);
    this.#written = new BigInt64Array(shared, STATE_BYTES, TYPES_MAX);
  }

  /** One after the other; called by the main thread alone. */
  begin(): void {
    Atomics.add(this.#state, 0, 1);
  }

  /** All types are restored. */
  end(): void {
    Atomics.add(this.#state, 0, 1);
  }

  /** The number of the last restore that has ended. */
  get number(): number {
    return Atomics.load(this.#state, 0) >> 1;
  }

  get isUnderWay(): boolean {
    return (Atomics.load(this.#state, 0) & 1) !== 0;
  }

  /** Sets the newest version that was staged, committed or not; called by the type's shard. */
  setWritten(cell: number, rv: number): void {
    Atomics.store(this.#written, cell, BigInt(rv));
  }

  written(cell: number): number {
    return Number(Atomics.load(this.#written, cell));
  }
}

/** Gives types their cells: for the main thread, which starts their shards. */
export class TypeCells {
  readonly cells: RestoreCells;
  readonly #byType = new Map<string, number>();
  readonly #free: number[] = [];
  #used = 0;

  constructor(cells: RestoreCells) {
    this.cells = cells;
  }

  /** The cell of a type whose shard is to start; undefined where there is none left. */
  take(type: string): number | undefined {
    const cell = this.#free.pop() ?? (this.#used < TYPES_MAX ? this.#used++ : undefined);
    if (cell === undefined) return undefined;
    this.#byType.set(type, cell);
    this.cells.setWritten(cell, UNKNOWN);
    return cell;
  }

  /** The shard of a type has ended. */
  giveBack(type: string): void {
    const cell = this.#byType.get(type);
    if (cell === undefined) return;
    this.#byType.delete(type);
    this.#free.push(cell);
  }

  /** The newest version of a type, or `UNKNOWN`. */
  written(type: string): number {
    const cell = this.#byType.get(type);
    return cell === undefined ? UNKNOWN : this.cells.written(cell);
  }
}
