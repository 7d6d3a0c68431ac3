/** Pods whose users are none of their node, and pods with a host name of their own. */
import type { PodSpec, Volume } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  fieldForbidden,
  tooLong,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { forEachContainer } from './containers/containers.ts';
import type { PodRules } from '../pod-rules.ts';

const MAPPED_VOLUMES = ['emptyDir', 'secret', 'downwardAPI', 'configMap', 'projected'] as const;
const HOSTNAME_BYTES_MAX = 64;

/** Adds the problems of a pod with a user namespace of its own: it shares no other one. */
export function checkHostUsers(
  spec: PodSpec,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  if (spec.hostUsers !== false) return;
  const isNewer = ownRelease().has('devicesOfUserNamespaces');
  const detail = `when \`${isNewer ? 'hostUsers' : 'pod.Spec.HostUsers'}\` is false`;
  if (ownRelease().has('volumesOfUserNamespaces')) checkVolumes(spec, field, errors);
  if (spec.hostNetwork === true && !mayShareNetwork(rules)) {
    errors.push(fieldForbidden(`${field}.hostNetwork`, detail));
  }
  // The reference spells them so.
  if (spec.hostPID === true) errors.push(fieldForbidden(`${field}.HostPID`, detail));
  if (spec.hostIPC === true) errors.push(fieldForbidden(`${field}.HostIPC`, detail));
  const { stored } = rules;
  if (!isNewer || (stored?.hostUsers === false && hasDevices(stored))) return;
  forEachContainer(spec, field, ({ volumeDevices = [] }, at) => {
    if (volumeDevices.length > 0) errors.push(fieldForbidden(`${at}.volumeDevices`, detail));
  });
}

function checkVolumes({ volumes = [] }: PodSpec, field: string, errors: FieldError[]): void {
  volumes.forEach((volume: Volume, index) => {
    if (MAPPED_VOLUMES.some((member) => volume[member] !== undefined)) return;
    const detail = 'volume type not supported when `pod.Spec.HostUsers` is false';
    errors.push(fieldForbidden(`${field}.volumes[${index}]`, detail));
  });
}

function mayShareNetwork({ gates, stored }: PodRules): boolean {
  if (gates.has('UserNamespacesHostNetworkSupport')) return true;
  // A value that releases with that feature took may stay.
  return stored?.hostUsers === false && stored.hostNetwork === true;
}

function hasDevices(spec: PodSpec): boolean {
  let found = false;
  forEachContainer(spec, '', ({ volumeDevices = [] }) => (found ||= volumeDevices.length > 0));
  return found;
}

/** Adds the problems of the host name that a pod has in the place of others. */
export function checkHostname(spec: PodSpec, field: string, errors: FieldError[]): void {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return;
  const at = `${field}.hostnameOverride`;
  for (const member of ['setHostnameAsFQDN', 'hostNetwork'] as const) {
    if (spec[member] !== true) continue;
    errors.push(fieldForbidden(at, `may not be specified when ${member} is true`));
  }
  if (Buffer.byteLength(name) > HOSTNAME_BYTES_MAX) errors.push(tooLong(at, HOSTNAME_BYTES_MAX));
  addProblems(dnsSubdomain(name), at, name, errors);
}
