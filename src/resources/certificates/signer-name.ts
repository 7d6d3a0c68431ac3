/** Names of signers: `example.com/signer-name` (README.md#certificates). */
import { invalid, required, tooLong, type FieldError } from '../../semantics/errors/field-error.ts';
import { ownRelease } from '../../release/release.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';

const DOMAIN_LENGTH_MAX = 253;
/** Domain, slash, and a path of two names with a dot between them. */
const NAME_BYTES_MAX = DOMAIN_LENGTH_MAX + 1 + (253 + 63 + 1);

/** Adds the problems of a signer's name at the path `field`. */
export function checkSignerName(name: string, field: string, errors: FieldError[]): void {
  if (name === '') {
    const isTold = ownRelease().has('briefRequestErrors');
    errors.push(required(field, isTold ? '' : 'signerName must be provided'));
    return;
  }
  const [domain = '', path, ...more] = name.split('/');
  if (path === undefined || more.length > 0) {
    const detail =
      "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.push(invalid(field, name, detail));
    return;
  }
  const labels = domain.split('.');
  if (domain.length > DOMAIN_LENGTH_MAX) errors.push(tooLong(field, DOMAIN_LENGTH_MAX));
  addLabelProblems(labels, dnsLabel, domain, field, errors);
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.push(invalid(field, domain, detail));
  }
  addLabelProblems(path.split('.'), dnsSubdomain, path, field, errors);
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) errors.push(tooLong(field, NAME_BYTES_MAX));
}

/** Adds the problems of the first label that has any. */
function addLabelProblems(
  labels: readonly string[],
  check: (label: string) => readonly string[],
  value: string,
  field: string,
  errors: FieldError[],
): void {
  const wrong = labels.find((label) => check(label).length > 0);
  if (wrong === undefined) return;
  for (const problem of check(wrong)) {
    errors.push(invalid(field, value, `validating label ${JSON.stringify(wrong)}: ${problem}`));
  }
}
