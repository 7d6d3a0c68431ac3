/** A configuration of webhooks in a Table (README.md#tables). */
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import type { WebhookConfiguration } from './webhook-validation.ts';

export const WEBHOOK_PRINTER = definePrinter<WebhookConfiguration>()({
  columns: [
    NAME_COLUMN,
    column('Webhooks', 'integer', 'How many webhooks the configuration has.'),
    AGE_COLUMN,
  ],
  members: { webhooks: {} },
  cells: (object) => [nameOf(object), object.webhooks?.length ?? 0, ageOf(object)],
});
