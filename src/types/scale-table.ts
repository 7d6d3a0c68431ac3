/** How the Scale of an object is shown in a Table. */
import { decodeUtf8 } from '../codec/text-body.ts';
import { ownRelease } from '../release/release.ts';
import { AGE, DEFAULT_PRINTER, NAME } from '../resources/printer-cells.ts';
import type { ApiObject } from '../resources/kind.ts';
import { definePrinter, integer } from '../resources/printer.ts';
import type { PrintedAs } from './resource-type.ts';
import type { ServedScale } from './served-version.ts';

const COLUMNS = [
  integer('Desired', 'How many replicas there should be.', 'spec.replicas'),
  integer('Available', 'How many replicas there are.', 'status.replicas'),
] as const;
const { format: _identifies, ...NAMED } = NAME;
const BUILT_IN = definePrinter([NAMED, ...COLUMNS, AGE]);
const CUSTOM = definePrinter([NAME, ...COLUMNS, { ...AGE, type: 'date' }]);
const COUNTS_REPLICAS = ownRelease().has('tablesOfScales');

/** The form of the Scale of objects that are `printed` themselves. */
export function scalePrinted(scale: ServedScale, printed: PrintedAs, isCustom: boolean): PrintedAs {
  if (!COUNTS_REPLICAS) return { ...printed, printer: DEFAULT_PRINTER };
  return {
    printer: isCustom ? CUSTOM : BUILT_IN,
    read: (wire) => scale.decode(`{${decodeUtf8(scale.members(wire))}`).object as ApiObject,
  };
}
