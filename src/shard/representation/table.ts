/** Objects as rows of a Table (../README.md#representations). */
import type { EventType } from '../../types/served-version.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Printer } from '../../resources/printer.ts';
import {
  agelessRow,
  columnsText,
  ROW_TAIL,
  rowStart,
  tableHead,
  TABLE_TAIL,
} from '../../resources/table-document.ts';
import type { Needed, Representation, Sink } from './representation.ts';
import type { Content } from './content.ts';
import { ChunkCollector } from './chunk-collector.ts';

export interface TableOptions {
  /** The version of the Table itself. */
  readonly apiVersion: string;
  readonly printer: Printer;
  /** Reads the object that a row is printed from, from its stored bytes. */
  readonly printedOf: (wire: Uint8Array) => ApiObject;
  /** The content of the objects that rows hold; absent where rows hold none. */
  readonly held: Content | undefined;
  /** As in `Representation`. */
  readonly needed: Needed | undefined;
  readonly nowMs: () => number;
  /** Rows without their ages, which all Tables of a version have in common. */
  readonly rows: KeptRows;
}

/** Rows of lists, for who asks for the same again. */
export interface KeptRows {
  known(rv: number): string | undefined;
  keep(rv: number, row: string): void;
}

const ROW_END = Buffer.from(ROW_TAIL);
const TAIL = Buffer.from(`${TABLE_TAIL}\n`);
const EVENT_TAIL = Buffer.from(`${TABLE_TAIL}}\n`);
const NO_COLUMNS = 'null';

export function tableRepresentation(id: string, options: TableOptions): Representation {
  const { apiVersion, printer, printedOf, held, rows } = options;
  const columns = columnsText(printer);
  const addRow = rowWriter(options);
  const headOf = ({ metadata }: ApiObject, told: string): string => {
    const rv = metadata.resourceVersion ?? '';
    return tableHead(apiVersion, { rv, continueToken: '', remaining: 0 }, told);
  };
  const eventOf = (
    type: EventType | 'BOOKMARK',
    printed: ApiObject,
    members: Uint8Array | undefined,
    told = NO_COLUMNS,
  ): Uint8Array[] => {
    const parts = new ChunkCollector();
    parts.addText(`{"type":"${type}","object":${headOf(printed, told)}`);
    addRow(parts, agelessRow(printer, printed), members);
    parts.add(EVENT_TAIL);
    return parts.all;
  };
  const madeRow = (rv: number, wire: Uint8Array | undefined): string | undefined => {
    if (wire === undefined) return undefined;
    const row = agelessRow(printer, printedOf(wire));
    rows.keep(rv, row);
    return row;
  };
  return {
    id,
    columns,
    needed: options.needed,
    document: (wire, rv) => {
      const printed = printedOf(wire);
      const parts = new ChunkCollector();
      parts.addText(headOf(printed, columns));
      addRow(parts, agelessRow(printer, printed), held?.members(wire, rv));
      parts.add(TAIL);
      return parts.all;
    },
    list: {
      head: ({ rv, ...meta }) =>
        Buffer.from(tableHead(apiVersion, { ...meta, rv: String(rv) }, columns)),
      addItem: (sink, rv, wireAt, isFirst) => {
        let wire: Uint8Array | undefined;
        const readWire = (): Uint8Array | undefined => (wire ??= wireAt(rv));
        const row = rows.known(rv) ?? madeRow(rv, readWire());
        const members = held?.membersAt(rv, readWire);
        if (row === undefined || (held !== undefined && members === undefined)) return false;
        addRow(sink, row, members, isFirst ? '' : ',');
        return true;
      },
      tail: () => TAIL,
    },
    event: (type, wire, rv, told) => eventOf(type, printedOf(wire), held?.members(wire, rv), told),
    bookmark: (rv, annotations, told) => {
      const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
      return eventOf('BOOKMARK', { metadata }, held?.bareMembers(metadata), told);
    },
  };
}

/**
 * Adds a row with its ages of now, after a comma or ''; `members` are those of what it holds of its
 * object, absent for nothing.
 */
type AddRow = (sink: Sink, row: string, members: Uint8Array | undefined, comma?: string) => void;

function rowWriter({ held, nowMs }: TableOptions): AddRow {
  const heldType = held && `{"kind":"${held.kind}","apiVersion":"${held.apiVersion}",`;
  return (sink, row, members, comma = '') => {
    const start = comma + rowStart(row, nowMs());
    if (heldType === undefined || members === undefined) {
      return sink.addText(`${start}null${ROW_TAIL}`);
    }
    sink.addText(start + heldType);
    sink.add(members);
    sink.add(ROW_END);
  };
}
