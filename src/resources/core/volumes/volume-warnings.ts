/** Warnings to who writes volumes and claims. */
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
} from '#messages/core.v1';
import { canonicalQuantity } from '../../../codec/leaves/quantity.ts';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { termWarnings } from '../nodes/node-labels.ts';
import { isFraction } from '../resource-names.ts';

export const CLASS_ANNOTATION = ownName('volume.beta.cluster.io/storage-class');
export const OPTIONS_ANNOTATION = ownName('volume.beta.cluster.io/mount-options');
const CLASS_TEXT = 'deprecated since v1.8; use "storageClassName" attribute instead';
const OPTIONS_TEXT = 'deprecated since v1.31; use "mountOptions" attribute instead';
const RECYCLE_TEXT =
  'The Recycle reclaim policy is deprecated. ' +
  'Instead, the recommended approach is to use dynamic provisioning.';

/** Sources that are going or gone, as the reference spells them. */
const SOURCES = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

/** About a volume that is valid, in the reference's order. */
export function volumeWarnings({ metadata, spec = {} }: PersistentVolume): string[] {
  const release = ownRelease();
  if (!release.has('warnedVolumes')) return [];
  const { annotations = {} } = metadata;
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const tellsMore = release.has('warnedClasses');
  return [
    ...(tellsMore ? annotationWarnings(annotations, CLASS_ANNOTATION, CLASS_TEXT) : []),
    ...(release.has('warnedMountOptions')
      ? annotationWarnings(annotations, OPTIONS_ANNOTATION, OPTIONS_TEXT)
      : []),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' && release.has('warnedRecycling')
      ? [`spec.persistentVolumeReclaimPolicy: ${RECYCLE_TEXT}`]
      : []),
    ...terms.flatMap((term, index) =>
      termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...SOURCES.flatMap(([member, name, text]) =>
      tellsMore && spec[member] !== undefined ? [`spec.${name}: ${text}`] : [],
    ),
  ];
}

function annotationWarnings(
  annotations: Readonly<Record<string, string>>,
  key: string,
  text: string,
): string[] {
  return annotations[key] === undefined ? [] : [`metadata.annotations[${key}]: ${text}`];
}

/** About a claim that is valid. */
export function claimWarnings({ metadata, spec = {} }: PersistentVolumeClaim): string[] {
  const release = ownRelease();
  if (!release.has('fractionalClaims')) return [];
  const { annotations = {} } = metadata;
  return [
    ...(release.has('warnedClasses')
      ? annotationWarnings(annotations, CLASS_ANNOTATION, CLASS_TEXT)
      : []),
    ...claimSpecWarnings(spec, 'spec'),
  ];
}

/** About the specification of a claim at the path `field`. */
export function claimSpecWarnings(
  { resources = {} }: PersistentVolumeClaimSpec,
  field: string,
): string[] {
  return (['requests', 'limits'] as const).flatMap((member) => {
    const quantity = resources[member]?.['storage'];
    const amount = quantity === undefined ? '' : canonicalQuantity(quantity);
    if (!isFraction(amount)) return [];
    const value = `fractional byte value "${amount}"`;
    return [`${field}.resources.${member}[storage]: ${value} is invalid, must be an integer`];
  });
}
