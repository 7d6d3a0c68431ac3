/** The volumes of a pod (README.md#volumes). */
import type { Volume } from '#messages/core.v1';
import {
  duplicate,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import type { PodRules } from '../pod-rules.ts';
import { dnsLabel, dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { refuseOtherSources } from './volume-source-rules.ts';
import { checkSource, SOURCE_MEMBERS, type SourceMember } from './volume-sources.ts';

/** The valid volumes of a pod by their names. */
export type Volumes = ReadonlyMap<string, Volume>;

/** A volume without a source is an `emptyDir`. */
export function applyVolumeDefaults(volume: Volume): void {
  for (const member in volume) if (member !== 'name') return;
  volume.emptyDir = {};
}

/** Whether a volume comes from a claim, and so may be a block device. */
export function isClaim(volume: Volume): boolean {
  return volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined;
}

/**
 * Adds the problems of the volumes and returns those that have none. `podName` is '' for the
 * volumes of a template.
 */
export function checkVolumes(
  volumes: readonly Volume[],
  podName: string,
  field: string,
  errors: FieldError[],
  rules?: PodRules,
): Volumes {
  const valid = new Map<string, Volume>();
  const created = createdClaims(volumes, podName);
  volumes.forEach((volume, index) => {
    const { name = '', persistentVolumeClaim: claim } = volume;
    const at = `${field}[${index}]`;
    const before = errors.length;
    checkVolume(volume, podName, at, errors, rules);
    // As in the reference, what is no name is not told to come twice.
    if (valid.has(name) && dnsLabel(name).length === 0) errors.push(duplicate(`${at}.name`, name));
    if (errors.length === before) valid.set(name, volume);
    if (claim?.claimName !== undefined && created.has(claim.claimName)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claim.claimName, detail));
    }
  });
  return valid;
}

function createdClaims(volumes: readonly Volume[], podName: string): ReadonlySet<string> {
  if (podName === '') return new Set();
  const ephemeral = volumes.filter((volume) => volume.ephemeral !== undefined);
  return new Set(ephemeral.map(({ name = '' }) => `${podName}-${name}`));
}

/** The source members of a volume, in the order in which they are reported. */
function sourcesOf(volume: Volume): readonly SourceMember[] {
  const set = Object.keys(volume).filter((member) => member !== 'name') as SourceMember[];
  return set.length < 2 ? set : SOURCE_MEMBERS.filter((member) => set.includes(member));
}

/** Exactly one source member, and that one well-formed. */
function checkVolume(
  volume: Volume,
  podName: string,
  field: string,
  errors: FieldError[],
  rules?: PodRules,
): void {
  const { name = '' } = volume;
  const [first, ...others] = sourcesOf(volume);
  if (first === undefined) errors.push(required(field, 'must specify a volume type'));
  else checkSource(first, volume, name, field, errors, rules);
  refuseOtherSources(others, field, errors);
  if (first === 'ephemeral' && podName !== '' && name !== '') {
    const claim = `${podName}-${name}`;
    for (const problem of dnsSubdomain(claim)) {
      errors.push(invalid(`${field}.name`, name, `PVC name "${claim}": ${problem}`));
    }
  }
}
