/** Objects as rows of a Table (README.md#representations). */
import type { EventType } from '../../types/served-version.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Printer } from '../../resources/printer.ts';
import {
  columnsText,
  ROW_TAIL,
  rowStart,
  tableHead,
  TABLE_TAIL,
} from '../../resources/table-document.ts';
import type { Needed, Representation, Sink } from './representation.ts';
import type { Content } from './content.ts';

export interface TableOptions {
  /** Of the Table itself. */
  readonly apiVersion: string;
  readonly printer: Printer;
  /** What is printed of the object that a row is of, from the bytes that are stored. */
  readonly printedOf: (wire: Uint8Array) => ApiObject;
  /** What rows hold of their objects; absent for nothing. */
  readonly held: Content | undefined;
  /** As in `Representation`. */
  readonly needed: Needed | undefined;
  readonly nowMs: () => number;
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
    const parts = new Parts();
    parts.add(Buffer.from(`{"type":"${type}","object":${headOf(printed, told)}`));
    addRow(parts, printed, members);
    parts.add(EVENT_TAIL);
    return parts.all;
  };
  return {
    id,
    columns,
    needed: options.needed,
    document: (wire, rv) => {
      const printed = printedOf(wire);
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
        const members = held?.membersAt(rv, () => wire);
        const printed = printedOf(wire);
        if (!isFirst) sink.add(COMMA);
        addRow(sink, printed, members);
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

class Parts implements Sink {
  readonly all: Uint8Array[] = [];

  add(part: Uint8Array): void {
    this.all.push(part);
  }
}

/** Adds a row; `members` are those of what it holds of its object, absent for nothing. */
type AddRow = (sink: Sink, printed: ApiObject, members: Uint8Array | undefined) => void;

function rowWriter(options: TableOptions): AddRow {
  const { held, printer, nowMs } = options;
  const heldType = held && Buffer.from(`{"kind":"${held.kind}","apiVersion":"${held.apiVersion}",`);
  return (sink, printed, members) => {
    sink.add(Buffer.from(rowStart(printer, printed, nowMs())));
    if (heldType === undefined || members === undefined) return sink.add(NULL_ROW_END);
    sink.add(heldType);
    sink.add(members);
    sink.add(ROW_END);
  };
}
