/** A CSIDriver in a Table (README.md#tables). */
import type { CSIDriver } from '#messages/storage.v1';
import {
  AGE_COLUMN,
  ageOf,
  column,
  listText,
  NAME_COLUMN,
  nameOf,
  UNSET,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export const CSI_DRIVER_PRINTER = definePrinter<CSIDriver>()({
  columns: [
    NAME_COLUMN,
    column('AttachRequired', 'boolean', 'Whether volumes are attached before they are mounted.'),
    column('PodInfoOnMount', 'boolean', 'Whether the driver is told which pod a mount is for.'),
    column('StorageCapacity', 'boolean', 'Whether pods go only where the driver reports room.'),
    column('TokenRequests', 'string', 'For whom tokens of the pod are handed to the driver.'),
    column('RequiresRepublish', 'boolean', 'Whether the driver is called again and again.'),
    column('Modes', 'string', 'How long the volumes of the driver may live.'),
    AGE_COLUMN,
  ],
  members: {
    spec: {
      attachRequired: true,
      podInfoOnMount: true,
      storageCapacity: true,
      tokenRequests: { audience: true },
      requiresRepublish: true,
      volumeLifecycleModes: true,
    },
  },
  cells(object) {
    const { spec = {} } = object;
    return [
      nameOf(object),
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.length
        ? spec.tokenRequests.map(({ audience = '' }) => audience).join(',')
        : UNSET,
      spec.requiresRepublish ?? false,
      listText(spec.volumeLifecycleModes),
      ageOf(object),
    ];
  },
});
