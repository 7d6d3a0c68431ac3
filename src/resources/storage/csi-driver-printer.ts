/** A CSIDriver in a Table. */
import type { TokenRequest } from '#messages/storage.v1';
import { AGE, listText, NAME, UNSET } from '../printer-cells.ts';
import { definePrinter, flag, text } from '../printer.ts';

// prettier-ignore
export const CSI_DRIVER_PRINTER = definePrinter([
  NAME,
  flag('AttachRequired', 'Whether volumes are attached before they are mounted.',
    'spec.attachRequired', (is = true) => is),
  flag('PodInfoOnMount', 'Whether the driver is told which pod a mount is for.',
    'spec.podInfoOnMount'),
  flag('StorageCapacity', 'Whether pods go only where the driver reports room.',
    'spec.storageCapacity'),
  text('TokenRequests', 'For whom tokens of the pod are handed to the driver.',
    'spec.tokenRequests{audience}', audiencesText),
  flag('RequiresRepublish', 'Whether the driver is called again and again.',
    'spec.requiresRepublish'),
  text('Modes', 'How long the volumes of the driver may live.', 'spec.volumeLifecycleModes',
    listText),
  AGE,
]);

function audiencesText(requests: readonly TokenRequest[] = []): string {
  if (requests.length === 0) return UNSET;
  return requests.map(({ audience = '' }) => audience).join(',');
}
