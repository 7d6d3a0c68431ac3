/** Objects as rows of a Table (README.md#representations). */
import type { EventType } from '../../resources/served-version.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Printer } from '../../resources/printer.ts';
import {
  columnsText,
  ROW_TAIL,
  rowStart,
  tableHead,
  TABLE_TAIL,
} from '../../resources/table-document.ts';
import type { Representation, Sink } from './representation.ts';
import type { Content } from './content.ts';

export interface TableOptions {
  /** Of the Table itself. */
  readonly apiVersion: string;
  readonly printer: Printer;
  /** What is printed of the object that a row is of, from the bytes stored of a version. */
  readonly printedOf: (wire: Uint8Array, rv: number) => PrintedObject;
  /** What rows hold of their objects; absent for nothing. */
  readonly held: Content | undefined;
  readonly translateText: (text: string) => string;
  readonly nowMs: () => number;
}

/** What a printer selects of an object as it is stored, which printers know. */
export interface PrintedObject {
  readonly object: ApiObject;
  /** The same in the dialect of the server, where that is another one. */
  readonly translated: ApiObject | undefined;
}

const COMMA = Buffer.from(',');
const ROW_END = Buffer.from(ROW_TAIL);
const NULL_ROW_END = Buffer.from(`null${ROW_TAIL}`);
const TAIL = Buffer.from(`${TABLE_TAIL}\n`);
const EVENT_TAIL = Buffer.from(`${TABLE_TAIL}}\n`);
const NO_COLUMNS = 'null';

export function tableRepresentation(id: string, options: TableOptions): Representation {
  const { apiVersion, printedOf, held } = options;
  const columns = columnsText(options.printer);
  const addRow = rowWriter(options);
  const headOf = ({ object }: PrintedObject, told: string): string => {
    const rv = object.metadata.resourceVersion ?? '';
    return tableHead(apiVersion, { rv, continueToken: '', remaining: 0 }, told);
  };
  const eventOf = (
    type: EventType | 'BOOKMARK',
    printed: PrintedObject,
    members: Uint8Array | undefined,
    told = NO_COLUMNS,
  ): Uint8Array[] => {
    const parts = new Parts();
    parts.add(Buffer.from(`{"type":"${type}","object":${headOf(printed, told)}`));
    addRow(parts, printed, members);
    parts.add(EVENT_TAIL);
    return parts.all;
  };
  return {
    id,
    columns,
    document: (wire, rv) => {
      const printed = printedOf(wire, rv);
      const parts = new Parts();
      parts.add(Buffer.from(headOf(printed, columns)));
      addRow(parts, printed, held?.members(wire, rv));
      parts.add(TAIL);
      return parts.all;
    },
    list: {
      head: ({ rv, ...meta }) =>
        Buffer.from(tableHead(apiVersion, { ...meta, rv: String(rv) }, columns)),
      addItem: (sink, rv, wireAt, isFirst) => {
        const wire = wireAt(rv);
        if (wire === undefined) return false;
        if (!isFirst) sink.add(COMMA);
        addRow(sink, printedOf(wire, rv), held?.members(wire, rv));
        return true;
      },
      tail: () => TAIL,
    },
    event: (type, wire, rv, told) =>
      eventOf(type, printedOf(wire, rv), held?.members(wire, rv), told),
    bookmark: (rv, annotations, told) => {
      const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
      const printed = { object: { metadata }, translated: undefined };
      return eventOf('BOOKMARK', printed, held?.bareMembers(metadata), told);
    },
  };
}

class Parts implements Sink {
  readonly all: Uint8Array[] = [];

  add(part: Uint8Array): void {
    this.all.push(part);
  }
}

/** Adds a row; `members` are those of what it holds of its object, absent for nothing. */
type AddRow = (sink: Sink, printed: PrintedObject, members: Uint8Array | undefined) => void;

function rowWriter(options: TableOptions): AddRow {
  const { held, printer, nowMs } = options;
  const heldType = held && Buffer.from(`{"kind":"${held.kind}","apiVersion":"${held.apiVersion}",`);
  return (sink, printed, members) => {
    const row = { ...printer, cells: () => cellsOf(options, printed) };
    sink.add(Buffer.from(rowStart(row, printed.object, nowMs())));
    if (heldType === undefined || members === undefined) return sink.add(NULL_ROW_END);
    sink.add(heldType);
    sink.add(members);
    sink.add(ROW_END);
  };
}

/**
 * Printers read what is stored, whose names they know. A cell that shows such a name shows the one
 * of the dialect; texts of the object's own that happen to hold one are left alone.
 */
function cellsOf(
  { printer, nowMs, translateText }: TableOptions,
  { object, translated }: PrintedObject,
): readonly unknown[] {
  const now = nowMs();
  const cells = printer.cells(object, now);
  if (translated === undefined) return cells;
  const others = printer.cells(translated, now);
  return cells.map((cell, at) => {
    const isName = typeof cell === 'string' && translateText(cell) === others[at];
    return isName ? others[at] : cell;
  });
}
