/** How a quota shows in a Table: of each resource how much is used, of how much. */
import { ownRelease } from '../../release/release.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

const AGE_LAST = ownRelease().has('agesOfQuotasLast');

type Amounts = Readonly<Record<string, string>>;

// prettier-ignore
export const RESOURCE_QUOTA_PRINTER = definePrinter([
  NAME,
  ...(AGE_LAST ? [] : [AGE]),
  text('Request', 'What is used of the amounts that may be asked for, and these.',
    'status.hard status.used', usedOf((name) => !name.startsWith('limits.'))),
  text('Limit', 'What is used of the amounts that limits may add up to, and these.',
    'status.hard status.used', usedOf((name) => name.startsWith('limits.'))),
  ...(AGE_LAST ? [AGE] : []),
]);

function usedOf(isShown: (name: string) => boolean) {
  return (hard: Amounts = {}, used?: Amounts): string => {
    const names = Object.keys(hard).filter(isShown).sort();
    return names.map((name) => `${name}: ${used?.[name] ?? '0'}/${hard[name]}`).join(', ');
  };
}
