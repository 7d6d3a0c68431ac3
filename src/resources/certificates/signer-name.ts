/** Names of signers: `example.com/signer-name` (SPEC migration table). */
import { invalid, required, tooLong, type FieldError } from '../../semantics/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/names.ts';

const DOMAIN_LENGTH_MAX = 253;
const PATH_LENGTH_MAX = 253 + 63 + 1;

/** Adds the problems of a signer's name at the path `field`. */
export function checkSignerName(name: string, field: string, errors: FieldError[]): void {
  if (name === '') {
    errors.push(required(field));
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
  for (const label of labels) addLabelProblems(dnsLabel(label), label, domain, field, errors);
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.push(invalid(field, domain, detail));
  }
  for (const label of path.split('.')) {
    addLabelProblems(dnsSubdomain(label), label, path, field, errors);
  }
  if (path.length > PATH_LENGTH_MAX) errors.push(tooLong(field, PATH_LENGTH_MAX));
}

function addLabelProblems(
  problems: readonly string[],
  label: string,
  value: string,
  field: string,
  errors: FieldError[],
): void {
  for (const problem of problems) {
    errors.push(invalid(field, value, `validating label ${JSON.stringify(label)}: ${problem}`));
  }
}
