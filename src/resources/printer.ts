/** How a kind is shown in a Table (README.md#tables). */
import type { MemberSelection, Selected, Selection } from '../codec/member-selection.ts';
import type { WithMetadata } from '../semantics/object-meta.ts';

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

/** What rows are made by. */
export interface Printer<T extends WithMetadata = WithMetadata> {
  readonly columns: readonly Column[];
  /**
   * One cell for each column, which time does not change: strings, numbers, booleans, ages; an
   * integer that is no safe number is `JSON.rawJSON`. A column's type is what clients were told
   * once, not always that of its cells.
   */
  cells(object: T): readonly unknown[];
  /** The conditions of the object's row; absent is none. */
  conditions?(object: T): readonly RowCondition[];
}

/** The printer of a built-in kind. */
export interface KindPrinter<T extends WithMetadata = WithMetadata> extends Printer<T> {
  /** All that cells and conditions are made of: nothing else of an object is read for them. */
  readonly members: MemberSelection;
}

/** What is read of the metadata of every object. */
const SHOWN_METADATA = {
  name: true,
  resourceVersion: true,
  creationTimestamp: true,
  deletionTimestamp: true,
} as const;

/** A printer as its kind writes it: it sees no other members than it selects. */
interface PrinterOf<T extends WithMetadata, S, Printed = Selected<T, S & ShownMetadata>> {
  readonly columns: readonly Column[];
  /** Beside name, version and times, which are there always. */
  readonly members: S;
  cells(object: Printed): readonly unknown[];
  conditions?(object: Printed): readonly RowCondition[];
}

interface ShownMetadata {
  readonly metadata: typeof SHOWN_METADATA;
}

/** The printer of a kind: `definePrinter<Pod>()({ columns, members, cells })`. */
export function definePrinter<T extends WithMetadata>() {
  return <const S extends Selection<T>>(printer: PrinterOf<T, S>): KindPrinter<T> => {
    const { metadata = {}, ...others } = printer.members as Record<string, object>;
    const members = { metadata: { ...SHOWN_METADATA, ...metadata }, ...others } as MemberSelection;
    return { ...(printer as unknown as Printer<T>), members };
  };
}
