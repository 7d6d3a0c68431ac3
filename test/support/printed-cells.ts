/** Tables of what kinds show of their objects in a Table. */
import type { Test } from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileMemberReader } from '../../src/codec/json/member-reader.ts';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';
import { DEFAULT_PRINTER } from '../../src/resources/printer-cells.ts';
import type { Printer } from '../../src/resources/printer.ts';
import { Age } from '../../src/semantics/age-text.ts';
import type { WithMetadata } from '../../src/semantics/metadata/object-meta.ts';
import { merged, MODEL } from '../resources/kind-rules.ts';
import type { Change } from './kind-cases.ts';

export const NOW_MS = Date.parse('2024-03-01T12:00:00Z');
/** Times so long ago, as ages show them. */
export const AGO = {
  '5m': '2024-03-01T11:55:00Z',
  '90s': '2024-03-01T11:58:30Z',
  '30s': '2024-03-01T11:59:30Z',
} as const;

/** An object called `a` that is five minutes old, and `members`. */
export function printedObject(members: Change): ApiObject {
  const metadata = { name: 'a', creationTimestamp: AGO['5m'] };
  return merged({ metadata }, members) as ApiObject;
}

/** The cells of an object as they show at a time. */
export function cellsAt(
  printer: Pick<Printer, 'cells'>,
  object: WithMetadata,
  nowMs = NOW_MS,
): readonly unknown[] {
  return printer.cells(object).map((cell) => (cell instanceof Age ? cell.textAt(nowMs) : cell));
}

/** A case, the members of an object, and the cells that follow. */
export type CellCase = readonly [what: string, members: Change, cells: readonly unknown[]];

/** The cells of such an object, and those of no more of it than its printer selects. */
function cellsBothWays(
  { message, printer = DEFAULT_PRINTER }: BuiltInKind,
  members: Change,
): [whole: readonly unknown[], selected: readonly unknown[]] {
  const object = printedObject(members);
  const stored = Buffer.from(compileJsonCodec(MODEL, message, 'null').encode(object));
  const selected = compileMemberReader(MODEL, message, printer.members())(stored) as ApiObject;
  return [cellsAt(printer, object), cellsAt(printer, selected)];
}

/** Checks all cells of each object. */
export function checkCells(t: Test, kind: BuiltInKind, rows: readonly CellCase[]): void {
  for (const [what, members, cells] of rows) {
    const [whole, selected] = cellsBothWays(kind, members);
    t.strictSame(whole, cells, what);
    t.strictSame(selected, cells, `${what}, of what is selected`);
  }
}

/** Checks one column, by its name: the cell that each object has there. */
export function checkColumn(
  t: Test,
  kind: BuiltInKind,
  name: string,
  rows: readonly (readonly [what: string, members: Change, cell: unknown])[],
): void {
  const { columns } = kind.printer ?? DEFAULT_PRINTER;
  const at = columns.findIndex((column) => column.name === name);
  t.not(at, -1, `there is a column ${name}`);
  for (const [what, members, cell] of rows) {
    const [whole, selected] = cellsBothWays(kind, members);
    t.strictSame(whole[at], cell, what);
    t.strictSame(selected[at], cell, `${what}, of what is selected`);
  }
}
