/** An EndpointSlice in a Table (README.md#tables). */
import type { EndpointSlice } from '#messages/discovery.v1';
import { appendAll } from '../../base/append-all.ts';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf, UNSET } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

const SHOWN_MAX = 3;

export const ENDPOINT_SLICE_PRINTER = definePrinter<EndpointSlice>()({
  columns: [
    NAME_COLUMN,
    column('AddressType', 'string', 'What kind of addresses all its endpoints have.'),
    column('Ports', 'string', 'The ports of each endpoint, by number or name; * for any.'),
    column('Endpoints', 'string', 'The addresses of the endpoints.'),
    AGE_COLUMN,
  ],
  members: {
    addressType: true,
    ports: { port: true, name: true },
    endpoints: { addresses: true },
  },
  cells(object) {
    const { addressType = '', ports = [], endpoints = [] } = object;
    const shownPorts = ports
      .slice(0, SHOWN_MAX)
      .map(({ port, name }) => String(port ?? name ?? '*'));
    return [
      nameOf(object),
      addressType,
      shortText(shownPorts, ports.length),
      addressesText(endpoints),
      ageOf(object),
    ];
  },
});

function addressesText(endpoints: NonNullable<EndpointSlice['endpoints']>): string {
  const shown: string[] = [];
  let count = 0;
  for (const { addresses = [] } of endpoints) {
    if (shown.length < SHOWN_MAX) appendAll(shown, addresses.slice(0, SHOWN_MAX - shown.length));
    count += addresses.length;
  }
  return shortText(shown, count);
}

/** The first of `count` texts. */
function shortText(shown: readonly string[], count: number): string {
  const text = shown.join(',');
  if (count > SHOWN_MAX) return `${text} + ${count - SHOWN_MAX} more...`;
  return text === '' ? UNSET : text;
}
