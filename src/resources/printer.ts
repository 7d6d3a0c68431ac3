/** How a kind is shown in a Table: a table of its columns, and what reads it (README.md#tables). */
import {
  mergedSelections,
  selectionOf,
  type MemberSelection,
} from '../codec/json/member-selection.ts';
import type { WithMetadata } from '../semantics/metadata/object-meta.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the cell that identifies the object. */
  readonly format?: string;
  readonly description: string;
  /** Above 0, clients show it in wide output only. */
  readonly priority?: number;
}

/** A condition of a row: the object is completed. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

/** Makes the rows of a Table. */
export interface Printer {
  readonly columns: readonly Column[];
  /**
   * One cell for each column, which time does not change: strings, numbers, booleans, ages; an
   * integer that is no safe number is `JSON.rawJSON`. A column's type is what clients were told
   * once, not always that of its cells.
   */
  cells(object: WithMetadata): readonly unknown[];
  /** The conditions of the object's row; absent is none. */
  conditions?(object: WithMetadata): readonly RowCondition[];
}

/** The printer of a built-in kind. */
export interface KindPrinter extends Printer {
  /**
   * The members that cells and conditions are made of: no others of an object are read for them.
   */
  readonly members: MemberSelection;
}

/** A result made of the values at some paths of an object. */
interface Derived<Result> {
  /** The paths, in the notation of `selectionOf`. */
  readonly reads: string;
  /** Takes the value of each path; undefined where there is none. */
  readonly make: (...values: never[]) => Result;
}

type KindColumn = Column & Derived<unknown>;

/** Makes columns; without `make` a cell is the value that is read, or `zero`. */
function columnsOf(type: Column['type'], zero: unknown, more: Partial<Column> = {}) {
  return (
    name: string,
    description: string,
    reads: string,
    make: KindColumn['make'] = (value: unknown = zero) => value,
  ): KindColumn => ({ name, type, description, ...more, reads, make });
}

export const text = columnsOf('string', '');
/** A column that clients show in wide output only. */
export const wide = columnsOf('string', '', { priority: 1 });
export const nameText = columnsOf('string', '', { format: 'name' });
export const integer = columnsOf('integer', 0);
export const flag = columnsOf('boolean', false);
/** A time, where the reference shows it and not an age; an object that has none shows its zero. */
export const date = columnsOf('date', '0001-01-01T00:00:00Z');

/** The members that every row needs besides those of its cells. */
const SHOWN = 'metadata{name resourceVersion creationTimestamp deletionTimestamp}';

/** The printer of a kind, by its columns. */
export function definePrinter(
  columns: readonly KindColumn[],
  conditions?: Derived<readonly RowCondition[]>,
): KindPrinter {
  const cells = columns.map(reader);
  const read = [{ reads: SHOWN }, ...columns, ...(conditions ? [conditions] : [])];
  const selections = read.flatMap(({ reads }) => selectionOf(reads).map(({ members }) => members));
  return {
    columns,
    members: selections.reduce(mergedSelections),
    cells: (object) => {
      const made: unknown[] = [];
      for (let at = 0; at < cells.length; at++) made.push(cells[at]?.(object));
      return made;
    },
    ...(conditions && { conditions: reader(conditions) }),
  };
}

function reader<Result>({ reads, make }: Derived<Result>): (object: WithMetadata) => Result {
  const [first, second, ...others] = selectionOf(reads).map(({ path }) => path);
  const made = make as (...values: unknown[]) => Result;
  if (first === undefined) throw new Error('a cell is made of nothing');
  if (second === undefined) return (object) => made(valueAt(object, first));
  return (object) => {
    const more = others.map((path) => valueAt(object, path));
    return made(valueAt(object, first), valueAt(object, second), ...more);
  };
}

function valueAt(object: WithMetadata, path: readonly string[]): unknown {
  let value: unknown = object;
  for (let at = 0; at < path.length && value !== undefined; at++) {
    value = (value as Record<string, unknown>)[path[at] ?? ''];
  }
  return value;
}
