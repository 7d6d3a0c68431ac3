/** How a volume shows in a Table. */
import type { ObjectReference } from '#messages/core.v1';
import { accessModesText, AGE, NAME, nameBelow, phaseText, UNSET } from '../../printer-cells.ts';
import { definePrinter, text, wide } from '../../printer.ts';
import { attributesClass, storageClassOf } from './claim-class.ts';

// prettier-ignore
export const PERSISTENT_VOLUME_PRINTER = definePrinter([
  NAME,
  text('Capacity', 'How much the volume holds.', 'spec.capacity',
    (capacity: Record<string, string> = {}) => capacity['storage'] ?? '0'),
  text('Access Modes', 'All the ways in which the volume can be mounted.',
    'spec.accessModes', accessModesText),
  text('Reclaim Policy', 'What becomes of the volume when its claim is gone.',
    'spec.persistentVolumeReclaimPolicy'),
  text('Status', 'Whether the volume is available, bound or released.',
    'metadata.deletionTimestamp status.phase', phaseText),
  text('Claim', 'The claim that the volume is bound to.', 'spec.claimRef{namespace name}',
    (claim?: ObjectReference) =>
      claim ? nameBelow(claim.namespace, claim.name) : ''),
  text('StorageClass', 'The storage class that the volume belongs to.',
    '{metadata{annotations} spec{storageClassName}}', storageClassOf),
  ...attributesClass(),
  text('Reason', 'Why the volume is in its state, in one word.', 'status.reason'),
  AGE,
  wide('VolumeMode', 'Whether the volume has a filesystem or is a raw device.',
    'spec.volumeMode', (mode = UNSET) => mode),
]);
