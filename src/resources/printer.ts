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
  members(): MemberSelection;
}

/** A result made of the values at some paths of an object. */
interface Derived<Result> {
  /** The paths, in the notation of `selectionOf`. */
  readonly reads: string;
  /** Takes the value of each path; undefined where there is none. */
  readonly make: (...values: never[]) => Result;
}

export type KindColumn = Column & Derived<unknown>;

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

/** The printer of a kind, by its columns; what they read is worked out when a row is first made. */
export function definePrinter(
  columns: readonly KindColumn[],
  conditions?: Derived<readonly RowCondition[]>,
): KindPrinter {
  let readers: readonly ((object: WithMetadata) => unknown)[] | undefined;
  let readCondition: ((object: WithMetadata) => readonly RowCondition[]) | undefined;
  return {
    columns,
    members: () =>
      [{ reads: SHOWN }, ...columns, ...(conditions ? [conditions] : [])]
        .flatMap(({ reads }) => selectionOf(reads).map(({ members }) => members))
        .reduce(mergedSelections),
    cells: (object) => {
      const cells = (readers ??= columns.map(reader));
      const made: unknown[] = [];
      for (let at = 0; at < cells.length; at++) made.push(cells[at]?.(object));
      return made;
    },
    ...(conditions && {
      conditions: (object: WithMetadata) => (readCondition ??= reader(conditions))(object),
    }),
  };
}

function reader<Result>({ reads, make }: Derived<Result>): (object: WithMetadata) => Result {
  const [first, second, third, ...others] = selectionOf(reads).map(({ path }) => valueReader(path));
  const made = make as (...values: unknown[]) => Result;
  if (first === undefined) throw new Error('a cell is made of nothing');
  if (second === undefined) return (object) => made(first(object));
  if (third === undefined) return (object) => made(first(object), second(object));
  if (others.length === 0) {
    return (object) => made(first(object), second(object), third(object));
  }
  return (object) => {
    const more = others.map((read) => read(object));
    return made(first(object), second(object), third(object), ...more);
  };
}

type Members = Record<string, unknown> | undefined;

/** Rows of lists are made of these: short paths, which most are, are read without a loop. */
function valueReader(path: readonly string[]): (object: WithMetadata) => unknown {
  const [root, member, ...inner] = path;
  if (root === undefined) return (object) => object;
  if (member === undefined) return (object) => (object as unknown as Members)?.[root];
  const outer = (object: WithMetadata): unknown =>
    ((object as unknown as Members)?.[root] as Members)?.[member];
  if (inner.length === 0) return outer;
  return (object) => inner.reduce((value, name) => (value as Members)?.[name], outer(object));
}
