/** How a claim shows in a Table: size and modes are those of the volume that it got. */
import { accessModesText, AGE, NAME, phaseText, UNSET } from '../../printer-cells.ts';
import { definePrinter, text, wide } from '../../printer.ts';
import { attributesClass, storageClassOf } from './claim-class.ts';

// prettier-ignore
export const PERSISTENT_VOLUME_CLAIM_PRINTER = definePrinter([
  NAME,
  text('Status', 'Whether the claim is pending, bound or lost.',
    'metadata.deletionTimestamp status.phase', phaseText),
  text('Volume', 'The volume that the claim is bound to.', 'spec.volumeName'),
  text('Capacity', 'How much the volume holds.', 'spec.volumeName status.capacity',
    (volume = '', capacity: Record<string, string> = {}) => volume && (capacity['storage'] ?? '0')),
  text('Access Modes', 'The ways in which the volume can be mounted.',
    'spec.volumeName status.accessModes',
    (volume = '', modes?: string[]) => volume && accessModesText(modes)),
  text('StorageClass', 'The storage class that the claim asks for.',
    '{metadata{annotations} spec{storageClassName}}', storageClassOf),
  ...attributesClass(),
  AGE,
  wide('VolumeMode', 'Whether the claim is for a filesystem or a raw device.',
    'spec.volumeMode', (mode = UNSET) => mode),
]);
