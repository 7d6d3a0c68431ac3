/** How a quota shows in a Table: of each resource how much is used, of how much. */
import type { ResourceQuota } from '#messages/core.v1';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

const LIMITS_PREFIX = 'limits.';

export const RESOURCE_QUOTA_PRINTER = definePrinter<ResourceQuota>()({
  columns: [
    NAME_COLUMN,
    AGE_COLUMN,
    column('Request', 'string', 'What is used of the amounts that may be asked for, and these.'),
    column('Limit', 'string', 'What is used of the amounts that limits may add up to, and these.'),
  ],
  members: { status: { hard: true, used: true } },
  cells(quota) {
    const { hard = {}, used } = quota.status ?? {};
    const requests: string[] = [];
    const limits: string[] = [];
    for (const name of Object.keys(hard).sort()) {
      const list = name.startsWith(LIMITS_PREFIX) ? limits : requests;
      list.push(`${name}: ${used?.[name] ?? '0'}/${hard[name]}`);
    }
    return [nameOf(quota), ageOf(quota), requests.join(', '), limits.join(', ')];
  },
});
