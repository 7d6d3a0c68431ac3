/** How a kind shows itself in a Table (API-FACTS 8.2). */
import type { ApiObject } from './kind.ts';
import { column, NAME_COLUMN, nameOf } from './printed.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** Marks what identifies the object. */
  readonly format?: 'name';
  readonly description: string;
  /** 1: clients show it in wide output only. */
  readonly priority?: 1;
}

/** What a row says of its object besides the cells: that nothing more will become of it. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

export interface Printer<T extends ApiObject = ApiObject> {
  readonly columns: readonly Column[];
  /**
   * One cell for each column: strings, numbers, booleans; an integer that is no safe number is
   * `JSON.rawJSON`. A column's type is what clients were told once, not always that of its cells.
   */
  cells(object: T, nowMs: number): readonly unknown[];
  /** Absent, or none: nothing to say. */
  conditions?(object: T): readonly RowCondition[];
}

/** The time of an object that has none, as the reference writes it. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

/** For kinds without a printer of their own. */
export const DEFAULT_PRINTER: Printer = {
  columns: [
    NAME_COLUMN,
    column('Created At', 'date', 'When the object was created, by the clock of the server.'),
  ],
  cells: (object) => [nameOf(object), object.metadata.creationTimestamp ?? ZERO_TIME],
};
