/** The storage class of a volume or of a claim (README.md#volumes). */
import type { PersistentVolume, PersistentVolumeClaim } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { UNSET } from '../../printer-cells.ts';
import { text } from '../../printer.ts';

type Classed = PersistentVolume | PersistentVolumeClaim;

/** The annotation that named a class before there was a field for it counts first. */
const CLASS_ANNOTATION = ownName('volume.beta.cluster.io/storage-class');

/** '' for none. */
export function storageClassOf({ metadata, spec }: Classed): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '';
}

/** The column of the VolumeAttributesClass, in releases that show it. */
export function attributesClass() {
  if (!ownRelease().has('attributesClasses')) return [];
  const what = 'The class of changeable attributes that it has.';
  const path = 'spec.volumeAttributesClassName';
  return [text('VolumeAttributesClass', what, path, (name = UNSET) => name)];
}

/** Whether it names a class; the empty name counts, as it asks for no class. */
export function hasStorageClass({ metadata, spec }: Classed): boolean {
  return (
    metadata.annotations?.[CLASS_ANNOTATION] !== undefined || spec?.storageClassName !== undefined
  );
}
