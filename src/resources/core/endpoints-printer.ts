/** How the addresses behind a service show in a Table: the first few of them. */
import type { Endpoints } from '#messages/core.v1';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf, NONE } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

const SHOWN_MAX = 3;

export const ENDPOINTS_PRINTER = definePrinter<Endpoints>()({
  columns: [
    NAME_COLUMN,
    column('Endpoints', 'string', 'The first addresses that are ready, with their ports.'),
    AGE_COLUMN,
  ],
  members: {
    subsets: { addresses: { ip: true }, ports: { port: true } },
  },
  cells: (endpoints) => [nameOf(endpoints), addressesText(endpoints), ageOf(endpoints)],
});

/** Of many addresses no more are put together than are shown: there may be thousands. */
function addressesText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return NONE;
  const shown: string[] = [];
  let count = 0;
  for (const { addresses = [], ports = [] } of subsets) {
    const first = addresses.slice(0, SHOWN_MAX);
    count += addresses.length * Math.max(ports.length, 1);
    if (ports.length === 0) for (const { ip = '' } of first) shown.push(ip);
    for (const { port = 0 } of ports) {
      if (shown.length >= SHOWN_MAX) break;
      for (const { ip = '' } of first) shown.push(hostPort(ip, port));
    }
  }
  const text = shown.slice(0, SHOWN_MAX).join(',');
  return count > SHOWN_MAX ? `${text} + ${count - SHOWN_MAX} more...` : text;
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
