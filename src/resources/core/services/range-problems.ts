/** Words the refusals of numbers that ranges cannot give. */
import type { Service } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { internalError, type StatusError } from '../../../semantics/errors/status.ts';

/** The problem of a range whose numbers are all in use. */
export const FULL = 'range is full';

/** 500, as the reference. */
export function noneLeft({ metadata }: Service): StatusError {
  const named = ownRelease().has('namedServicesWithoutAddress');
  const what = named ? `serviceIP for Service ${JSON.stringify(metadata.name)}` : 'serviceIP';
  return internalError(`failed to allocate a ${what}: ${FULL}`);
}

/** The problem of an address that is in no range. */
export function notInRange(address: string, range: string): string {
  return (
    `the provided IP (${address}) is not in the valid range. ` +
    `The range of valid IPs is ${range}`
  );
}
