/** A configuration of webhooks in a Table. */
import { AGE, lengthOf, NAME } from '../printer-cells.ts';
import { definePrinter, integer } from '../printer.ts';

export const WEBHOOK_PRINTER = definePrinter([
  NAME,
  integer('Webhooks', 'How many webhooks the configuration has.', 'webhooks{}', lengthOf),
  AGE,
]);
