/** Limits of requests of pods for certificates, and of volumes with such certificates. */
import { ownDomain } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';

const DAY_SECONDS = 86_400;
const LIFETIME_SECONDS_MAX = 91 * DAY_SECONDS;
const ANNOTATIONS_BYTES_MAX = 262_144;
const SYSTEM_DOMAIN = ownDomain('cluster.io');

/** For how long a certificate of a signer may be valid. */
export function certificateSecondsMax(signerName: string): number {
  const [domain = ''] = signerName.split('/');
  const isOfSystem = domain === SYSTEM_DOMAIN || domain.endsWith(`.${SYSTEM_DOMAIN}`);
  return isOfSystem ? DAY_SECONDS : LIFETIME_SECONDS_MAX;
}

/** Adds the problems of what a signer is told: keys have a domain. */
export function checkSaidToSigner(
  said: Readonly<Record<string, string>>,
  field: string,
  errors: FieldError[],
): void {
  let bytes = 0;
  for (const [name, value] of Object.entries(said)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    const key = name.toLowerCase();
    const problems = qualifiedName(key);
    if (key === '') errors.push(required(field));
    else if (problems.length > 0) addProblems(problems, field, key, errors);
    else if (!key.includes('/')) {
      errors.push(invalid(field, key, 'must be a domain-prefixed key (such as "acme.io/foo")'));
    }
  }
  if (bytes > ANNOTATIONS_BYTES_MAX) errors.push(tooLong(field, ANNOTATIONS_BYTES_MAX));
}
