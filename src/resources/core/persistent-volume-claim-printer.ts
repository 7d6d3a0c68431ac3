/** How a claim shows in a Table: size and modes are those of the volume that it got. */
import type { PersistentVolumeClaim } from '#messages/core.v1';
import {
  accessModesText,
  AGE_COLUMN,
  ageOf,
  column,
  NAME_COLUMN,
  nameOf,
  phaseText,
  UNSET,
  wideColumn,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { storageClassOf } from './claim-class.ts';

export const PERSISTENT_VOLUME_CLAIM_PRINTER = definePrinter<PersistentVolumeClaim>()({
  columns: [
    NAME_COLUMN,
    column('Status', 'string', 'Whether the claim is pending, bound or lost.'),
    column('Volume', 'string', 'The volume that the claim is bound to.'),
    column('Capacity', 'string', 'How much the volume holds.'),
    column('Access Modes', 'string', 'The ways in which the volume can be mounted.'),
    column('StorageClass', 'string', 'The storage class that the claim asks for.'),
    AGE_COLUMN,
    wideColumn('VolumeMode', 'string', 'Whether the claim is for a filesystem or a raw device.'),
  ],
  members: {
    metadata: { annotations: true },
    spec: { volumeName: true, storageClassName: true, volumeMode: true },
    status: { phase: true, capacity: true, accessModes: true },
  },
  cells(claim) {
    const { spec = {}, status = {} } = claim;
    const { volumeName = '' } = spec;
    const hasVolume = volumeName !== '';
    return [
      nameOf(claim),
      phaseText(claim, status.phase),
      volumeName,
      hasVolume ? (status.capacity?.['storage'] ?? '0') : '',
      hasVolume ? accessModesText(status.accessModes) : '',
      storageClassOf(claim),
      ageOf(claim),
      spec.volumeMode ?? UNSET,
    ];
  },
});
