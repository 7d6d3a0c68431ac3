/** How a kind is shown in a Table (README.md#tables). */
import type { WithMetadata } from '../semantics/object-meta.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** Marks the cell that identifies the object. */
  readonly format?: 'name';
  readonly description: string;
  /** 1: clients show it in wide output only. */
  readonly priority?: 1;
}

/** A condition of a row: the object is completed. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

export interface Printer<T extends WithMetadata = WithMetadata> {
  readonly columns: readonly Column[];
  /**
   * One cell for each column: strings, numbers, booleans; an integer that is no safe number is
   * `JSON.rawJSON`. A column's type is what clients were told once, not always that of its cells.
   */
  cells(object: T, nowMs: number): readonly unknown[];
  /** The conditions of the object's row; absent is none. */
  conditions?(object: T): readonly RowCondition[];
}
