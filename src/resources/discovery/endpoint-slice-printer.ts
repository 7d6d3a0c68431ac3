/** An EndpointSlice in a Table. */
import type { Endpoint, EndpointPort } from '#messages/discovery.v1';
import { appendAll } from '../../base/append-all.ts';
import { AGE, NAME, shortText, UNSET } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

const SHOWN_MAX = 3;

// prettier-ignore
export const ENDPOINT_SLICE_PRINTER = definePrinter([
  NAME,
  text('AddressType', 'What kind of addresses all its endpoints have.', 'addressType'),
  text('Ports', 'The ports of each endpoint, by number or name; * for any.', 'ports{port name}',
    portsText),
  text('Endpoints', 'The addresses of the endpoints.', 'endpoints{addresses}', addressesText),
  AGE,
]);

function portsText(ports: readonly EndpointPort[] = []): string {
  const shown = ports.slice(0, SHOWN_MAX).map(({ port, name }) => port ?? name ?? '*');
  return shortText(shown.join(',') || UNSET, ports.length - SHOWN_MAX);
}

function addressesText(endpoints: readonly Endpoint[] = []): string {
  const shown: string[] = [];
  let count = 0;
  for (const { addresses = [] } of endpoints) {
    if (shown.length < SHOWN_MAX) appendAll(shown, addresses.slice(0, SHOWN_MAX - shown.length));
    count += addresses.length;
  }
  return shortText(shown.join(',') || UNSET, count - SHOWN_MAX);
}
