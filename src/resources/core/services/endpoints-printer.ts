/** How the addresses behind a service show in a Table: the first few of them. */
import type { EndpointSubset } from '#messages/core.v1';
import { AGE, NAME, NONE, shortText } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';

const SHOWN_MAX = 3;

// prettier-ignore
export const ENDPOINTS_PRINTER = definePrinter([
  NAME,
  text('Endpoints', 'The first addresses that are ready, with their ports.',
    'subsets{addresses{ip} ports{port}}', addressesText),
  AGE,
]);

/** Puts together only the addresses that are shown, since there may be thousands. */
function addressesText(subsets: readonly EndpointSubset[] = []): string {
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
  return shortText(shown.slice(0, SHOWN_MAX).join(','), count - SHOWN_MAX);
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
