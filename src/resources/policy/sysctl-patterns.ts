/** The names of kernel parameters that a PodSecurityPolicy speaks of; `*` ends a prefix. */
import { fieldForbidden, invalid, type FieldError } from '../../semantics/errors/field-error.ts';

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const FORM = `(${SEGMENT}\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]`;
const PATTERN = new RegExp(`^${FORM}$`);
const NAME_LENGTH_MAX = 253;
const HINT = `must have at most ${NAME_LENGTH_MAX} characters and match regex ${FORM}`;
const ALLOWED = 'spec.allowedUnsafeSysctls';
const FORBIDDEN = 'spec.forbiddenSysctls';

/** Adds the problems of the two lists, and of what is in both. */
export function checkSysctls(
  allowed: readonly string[] = [],
  forbidden: readonly string[] = [],
  errors: FieldError[],
): void {
  checkPatterns(allowed, ALLOWED, errors);
  checkPatterns(forbidden, FORBIDDEN, errors);
  allowed.forEach((pattern, index) => {
    forbidden.forEach((other, at) => {
      // The error names the narrower of the two.
      if (covers(other, pattern)) {
        errors.push(invalid(`${ALLOWED}[${index}]`, pattern, `sysctl overlaps with ${other}`));
      } else if (covers(pattern, other)) {
        errors.push(invalid(`${FORBIDDEN}[${at}]`, other, `sysctl overlaps with ${pattern}`));
      }
    });
  });
}

function checkPatterns(patterns: readonly string[], field: string, errors: FieldError[]): void {
  patterns.forEach((pattern, index) => {
    const path = `${field}[${index}]`;
    if (pattern === '') errors.push(invalid(path, pattern, 'empty sysctl not allowed'));
    else if (pattern.length > NAME_LENGTH_MAX || !PATTERN.test(pattern)) {
      errors.push(invalid(path, pattern, HINT));
    }
  });
  if (patterns.length < 2 || !patterns.includes('*')) return;
  const detail = "if '*' is present, must not specify other sysctls";
  errors.push(fieldForbidden(`${field}.items`, detail));
}

/** Whether all names that `narrow` means are meant by `wide`. */
function covers(wide: string, narrow: string): boolean {
  if (!wide.endsWith('*')) return wide === narrow;
  const prefix = narrow.endsWith('*') ? narrow.slice(0, -1) : narrow;
  return prefix.startsWith(wide.slice(0, -1));
}
