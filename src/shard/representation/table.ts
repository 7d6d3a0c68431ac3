/** Objects as rows of a Table (README.md#representations). */
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { EventType } from '../../resources/served-version.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Printer } from '../../resources/printer.ts';
import { columnsText, rowText, tableHead, TABLE_TAIL } from '../../resources/table-document.ts';
import type { Representation } from './representation.ts';
import type { Content } from './content.ts';

export interface TableOptions {
  /** Of the Table itself. */
  readonly apiVersion: string;
  readonly printer: Printer;
  /** The object that a row is of, from the bytes stored of a version. */
  readonly objectOf: (wire: Uint8Array, rv: number) => PrintedObject;
  /** What rows hold of their objects; absent for nothing. */
  readonly held: Content | undefined;
  readonly translateText: (text: string) => string;
  readonly nowMs: () => number;
}

/** An object as it is stored, which printers know. */
export interface PrintedObject {
  readonly object: ApiObject;
  /** The same in the dialect of the server, where that is another one. */
  readonly translated: ApiObject | undefined;
}

const COMMA = Buffer.from(',');
const TAIL = Buffer.from(`${TABLE_TAIL}\n`);
const EVENT_TAIL = `${TABLE_TAIL}}\n`;
const NO_COLUMNS = 'null';

export function tableRepresentation(id: string, options: TableOptions): Representation {
  const { apiVersion, objectOf, held } = options;
  const columns = columnsText(options.printer);
  const headOf = ({ object }: PrintedObject, told: string): string => {
    const rv = object.metadata.resourceVersion ?? '';
    return tableHead(apiVersion, { rv, continueToken: '', remaining: 0 }, told);
  };
  const rowAt = (printed: PrintedObject, wire: Uint8Array, rv: number): string =>
    rowOf(options, printed, held?.members(wire, rv));
  const eventOf = (
    type: EventType | 'BOOKMARK',
    printed: PrintedObject,
    row: string,
    told = NO_COLUMNS,
  ): Uint8Array[] => [
    Buffer.from(`{"type":"${type}","object":${headOf(printed, told)}${row}${EVENT_TAIL}`),
  ];
  return {
    id,
    columns,
    document: (wire, rv) => {
      const printed = objectOf(wire, rv);
      return [Buffer.from(headOf(printed, columns) + rowAt(printed, wire, rv)), TAIL];
    },
    list: {
      head: ({ rv, ...meta }) =>
        Buffer.from(tableHead(apiVersion, { ...meta, rv: String(rv) }, columns)),
      addItem: (sink, rv, wireAt, isFirst) => {
        const wire = wireAt(rv);
        if (wire === undefined) return false;
        if (!isFirst) sink.add(COMMA);
        sink.add(Buffer.from(rowAt(objectOf(wire, rv), wire, rv)));
        return true;
      },
      tail: () => TAIL,
    },
    event: (type, wire, rv, told) => {
      const printed = objectOf(wire, rv);
      return eventOf(type, printed, rowAt(printed, wire, rv), told);
    },
    bookmark: (rv, annotations, told) => {
      const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
      const printed = { object: { metadata }, translated: undefined };
      const row = rowOf(options, printed, held?.bareMembers(metadata));
      return eventOf('BOOKMARK', printed, row, told);
    },
  };
}

/** `members` are those of what the row holds of its object; absent for nothing. */
function rowOf(
  options: TableOptions,
  printed: PrintedObject,
  members: Uint8Array | undefined,
): string {
  const { held, printer, nowMs } = options;
  const row = { ...printer, cells: () => cellsOf(options, printed) };
  const object =
    held === undefined || members === undefined
      ? 'null'
      : `{"kind":"${held.kind}","apiVersion":"${held.apiVersion}",${decodeUtf8(members)}`;
  return rowText(row, printed.object, nowMs(), object);
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
