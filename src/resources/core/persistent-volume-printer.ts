/** How a volume shows in a Table. */
import type { PersistentVolume } from '#messages/core.v1';
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

export const PERSISTENT_VOLUME_PRINTER = definePrinter<PersistentVolume>()({
  columns: [
    NAME_COLUMN,
    column('Capacity', 'string', 'How much the volume holds.'),
    column('Access Modes', 'string', 'All the ways in which the volume can be mounted.'),
    column('Reclaim Policy', 'string', 'What becomes of the volume when its claim is gone.'),
    column('Status', 'string', 'Whether the volume is available, bound or released.'),
    column('Claim', 'string', 'The claim that the volume is bound to.'),
    column('StorageClass', 'string', 'The storage class that the volume belongs to.'),
    column('Reason', 'string', 'Why the volume is in its state, in one word.'),
    AGE_COLUMN,
    wideColumn('VolumeMode', 'string', 'Whether the volume has a filesystem or is a raw device.'),
  ],
  members: {
    metadata: { annotations: true },
    spec: {
      capacity: true,
      accessModes: true,
      persistentVolumeReclaimPolicy: true,
      claimRef: { namespace: true, name: true },
      storageClassName: true,
      volumeMode: true,
    },
    status: { phase: true, reason: true },
  },
  cells(volume) {
    const { spec = {}, status = {} } = volume;
    const { claimRef: claim } = spec;
    return [
      nameOf(volume),
      spec.capacity?.['storage'] ?? '0',
      accessModesText(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      phaseText(volume, status.phase),
      claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      storageClassOf(volume),
      status.reason ?? '',
      ageOf(volume),
      spec.volumeMode ?? UNSET,
    ];
  },
});
