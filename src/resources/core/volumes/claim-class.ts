/** The storage class of a volume or of a claim (README.md#volumes). */
import type { PersistentVolume, PersistentVolumeClaim } from '#messages/core.v1';
import { ownName } from '../../../semantics/dialect/own-names.ts';

type Classed = PersistentVolume | PersistentVolumeClaim;

/** The annotation that named a class before there was a field for it counts first. */
const CLASS_ANNOTATION = ownName('volume.beta.cluster.io/storage-class');

/** '' for none. */
export function storageClassOf({ metadata, spec }: Classed): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '';
}

/** Whether it names a class; the empty name counts, as it asks for no class. */
export function hasStorageClass({ metadata, spec }: Classed): boolean {
  return (
    metadata.annotations?.[CLASS_ANNOTATION] !== undefined || spec?.storageClassName !== undefined
  );
}
