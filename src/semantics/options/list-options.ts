/** Rules for ListOptions that exclude each other, for lists and watches alike. */
import { fieldForbidden, notSupported } from '../errors/field-error.ts';
import type { FieldError } from '../errors/field-error.ts';

interface VersionOptions {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continue: string;
}

const ZERO = /^0+$/;
const MATCHES = ['Exact', 'NotOlderThan'];
const FIELD = 'resourceVersionMatch';

/** The errors of a `resourceVersionMatch` beside the other options; none where it is ''. */
export function versionMatchErrors(options: VersionOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  if (match === '') return [];
  const errors: FieldError[] = [];
  const forbid = (detail: string): void => void errors.push(fieldForbidden(FIELD, detail));
  if (resourceVersion === '') {
    forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  if (options.continue !== '') {
    forbid('resourceVersionMatch is forbidden when continue is provided');
  }
  if (!MATCHES.includes(match)) errors.push(notSupported(FIELD, match, [...MATCHES, '']));
  if (match === 'Exact' && ZERO.test(resourceVersion)) {
    forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  return errors;
}
