/** The names of kernel parameters that a PodSecurityPolicy speaks of; `*` ends a prefix. */
import { fieldForbidden, invalid, type FieldError } from '../../semantics/field-error.ts';

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const PATTERN_SOURCE = `(${SEGMENT}\\.)*(${SEGMENT}|\\*)`;
const PATTERN = /^(?:[a-z0-9]([-_a-z0-9]*[a-z0-9])?\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]$/;
const NAME_LENGTH_MAX = 253;
const PATTERN_RULE = `match regex ${PATTERN_SOURCE}`;
const PATTERN_HINT = `must have at most ${NAME_LENGTH_MAX} characters and ${PATTERN_RULE}`;

/** Adds the problems of the two lists, and of what is in both. */
export function checkSysctls(
  allowed: readonly string[] = [],
  forbidden: readonly string[] = [],
  errors: FieldError[],
): void {
  checkPatterns(allowed, 'spec.allowedUnsafeSysctls', errors);
  checkPatterns(forbidden, 'spec.forbiddenSysctls', errors);
  allowed.forEach((pattern, index) => {
    if (!forbidden.some((other) => overlap(pattern, other))) return;
    const field = `spec.allowedUnsafeSysctls[${index}]`;
    errors.push(fieldForbidden(field, `sysctl overlaps with ${forbiddenText(pattern, forbidden)}`));
  });
}

function checkPatterns(patterns: readonly string[], field: string, errors: FieldError[]): void {
  patterns.forEach((pattern, index) => {
    const path = `${field}[${index}]`;
    if (pattern === '') errors.push(invalid(path, pattern, 'empty sysctl not allowed'));
    else if (pattern !== '*' && (pattern.length > NAME_LENGTH_MAX || !PATTERN.test(pattern))) {
      errors.push(invalid(path, pattern, PATTERN_HINT));
    }
  });
}

function forbiddenText(pattern: string, forbidden: readonly string[]): string {
  return forbidden.find((other) => overlap(pattern, other)) ?? '';
}

/** Whether some name is meant by both patterns. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [prefixOf(one), prefixOf(other)];
  if (a === undefined && b === undefined) return one === other;
  if (a === undefined) return one.startsWith(b ?? '');
  if (b === undefined) return other.startsWith(a);
  return a.startsWith(b) || b.startsWith(a);
}

/** What comes before the `*`; undefined when the pattern is a whole name. */
function prefixOf(pattern: string): string | undefined {
  return pattern.endsWith('*') ? pattern.slice(0, -1) : undefined;
}
