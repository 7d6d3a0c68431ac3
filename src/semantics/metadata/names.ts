/**
 * The rules for names and keys, with the texts clients match on (../README.md#names). Each function
 * returns the problems of one value, none when it is valid. Lengths are checked first: a value that
 * is too long is not matched at all, so that no pattern ever runs over an unbounded text.
 */

import { ownRelease } from '../../release/release.ts';

const NONE: readonly string[] = Object.freeze([]);

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_PART = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED_PART})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';

const ENV_VAR_NAME = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const HTTP_HEADER_NAME = '[-A-Za-z0-9]+';

interface TextRule {
  readonly lengthMax: number;
  readonly pattern: RegExp;
  readonly mismatch: readonly string[];
}

/** The hint of a pattern; the spacing before `or` is the reference's. */
function patternHint(what: string, source: string, ...examples: string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${what} (e.g. ${list}regex used for validation is '${source}')`;
}

function textRule(lengthMax: number, source: string, hint: string): TextRule {
  return {
    lengthMax,
    pattern: new RegExp(`^(?:${source})$`),
    mismatch: Object.freeze([hint]),
  };
}

/**
 * Longer texts are not compared with a pattern: the time for that grows faster than their length.
 */
const PATTERN_LENGTH_MAX = 1_000;

function check(rule: TextRule, value: string, countsBytes = false): readonly string[] {
  const { lengthMax, pattern, mismatch } = rule;
  const tooLong = (): readonly string[] => {
    const unit = countsBytes && ownRelease().has('bytesInNames') ? 'bytes' : 'characters';
    return [`must be no more than ${lengthMax} ${unit}`];
  };
  if (value.length > PATTERN_LENGTH_MAX && value.length > lengthMax) return tooLong();
  if (pattern.test(value)) return value.length > lengthMax ? tooLong() : NONE;
  return Buffer.byteLength(value) > lengthMax ? [...tooLong(), ...mismatch] : mismatch;
}

const SUBDOMAIN_RULE = textRule(
  253,
  SUBDOMAIN,
  patternHint(
    'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ' +
      "'-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN,
    'example.com',
  ),
);

const UNDERSCORED_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const UNDERSCORED_SUBDOMAIN = `${UNDERSCORED_LABEL}(\\.${UNDERSCORED_LABEL})*`;
const UNDERSCORED_RULE = textRule(
  253,
  UNDERSCORED_SUBDOMAIN,
  patternHint(
    'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ' +
      "'_', '-' or '.', and must start and end with an alphanumeric character",
    UNDERSCORED_SUBDOMAIN,
    'example.com',
  ),
);

const LABEL_RULE = textRule(
  63,
  LABEL,
  patternHint(
    'a lowercase RFC 1123 label must consist of lower case alphanumeric characters or ' +
      "'-', and must start and end with an alphanumeric character",
    LABEL,
    'my-name',
    '123-abc',
  ),
);

const LABEL_1035_RULE = textRule(
  63,
  LABEL_1035,
  patternHint(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
      'alphabetic character, and end with an alphanumeric character',
    LABEL_1035,
    'my-name',
    'abc-123',
  ),
);

const TOO_MANY_SLASHES_IN_VERSION = Object.freeze([
  `an apiVersion is ${patternHint(
    "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start " +
      'with an alphabetic character, and end with an alphanumeric character',
    LABEL_1035,
    'my-name',
    'abc-123',
  )} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`,
]);

const WILDCARD_SUBDOMAIN = `\\*\\.${SUBDOMAIN}`;
const WILDCARD_RULE = textRule(
  253,
  WILDCARD_SUBDOMAIN,
  patternHint(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, " +
      "which must consist of lower case alphanumeric characters, '-' or '.' and end with an " +
      'alphanumeric character',
    WILDCARD_SUBDOMAIN,
    '*.example.com',
  ),
);

const QUALIFIED_HINT = patternHint(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
    'alphanumeric character',
  QUALIFIED_PART,
  'MyName',
  'my.name',
  '123-abc',
);
const QUALIFIED_RULE = textRule(63, QUALIFIED_PART, QUALIFIED_HINT);
const TOO_MANY_SLASHES_HINT =
  `${QUALIFIED_HINT} with an optional DNS subdomain prefix and '/' ` +
  "(e.g. 'example.com/MyName')";
const EMPTY_NAME_PART = Object.freeze([
  'name part must be non-empty',
  `name part ${QUALIFIED_HINT}`,
]);

const LABEL_VALUE_RULE = textRule(
  63,
  LABEL_VALUE,
  patternHint(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or " +
      "'.', and must start and end with an alphanumeric character",
    LABEL_VALUE,
    'MyValue',
    'my_value',
    '12345',
  ),
);

const ENV_VAR_NAME_RULE = textRule(
  Number.POSITIVE_INFINITY,
  ENV_VAR_NAME,
  patternHint(
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', " +
      "or '.', and must not start with a digit",
    ENV_VAR_NAME,
    'my.env-name',
    'MY_ENV.NAME',
    'MyEnvName1',
  ),
);

const HTTP_HEADER_NAME_RULE = textRule(
  Number.POSITIVE_INFINITY,
  HTTP_HEADER_NAME,
  patternHint(
    "a valid HTTP header must consist of alphanumeric characters or '-'",
    HTTP_HEADER_NAME,
    'X-Header-Name',
  ),
);

const CONFIG_KEY_RULE = textRule(
  253,
  CONFIG_KEY,
  patternHint(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    CONFIG_KEY,
    'key.name',
    'KEY_NAME',
    'key-name',
  ),
);

/** A prefix for a generated name may end in a dash: the suffix makes it valid. */
function withoutTrailingDash(value: string, prefix: boolean): string {
  if (!prefix || value.length < 2 || !value.endsWith('-')) return value;
  return `${value.slice(0, -1)}a`;
}

/** Names of most kinds: `example.com`. `prefix`: more characters will follow. */
export function dnsSubdomain(value: string, prefix = false): readonly string[] {
  return check(SUBDOMAIN_RULE, withoutTrailingDash(value, prefix));
}

/** A domain in which names are looked for: its labels may have underscores. */
export function searchDomain(value: string): readonly string[] {
  return check(UNDERSCORED_RULE, value);
}

/** Names without dots, such as those of namespaces. */
export function dnsLabel(value: string, prefix = false): readonly string[] {
  const label = withoutTrailingDash(value, prefix);
  const problems = check(LABEL_RULE, label);
  if (problems.length === 0 || !ownRelease().has('namedDotsInLabels')) return problems;
  // A subdomain may be wrong by its dots alone.
  if (!problems.includes(LABEL_RULE.mismatch[0] ?? '') || !isSubdomain(label)) return problems;
  return [...problems.slice(0, -1), 'must not contain dots'];
}

/** Tells whether it is a subdomain, of whatever length. */
function isSubdomain(value: string): boolean {
  return value.length <= PATTERN_LENGTH_MAX && SUBDOMAIN_RULE.pattern.test(value);
}

/** Names that begin with a letter and have no dots, such as those of services. */
export function dns1035Label(value: string, prefix = false): readonly string[] {
  return check(LABEL_1035_RULE, withoutTrailingDash(value, prefix));
}

/** Text that fits between two slashes of a URL; a prefix may be `.` or `..`. */
export function pathSegment(value: string, prefix = false): readonly string[] {
  if (!prefix && (value === '.' || value === '..')) return [`may not be '${value}'`];
  const slash = value.includes('/');
  const percent = value.includes('%');
  if (!slash && !percent) return NONE;
  return [...(slash ? ["may not contain '/'"] : []), ...(percent ? ["may not contain '%'"] : [])];
}

/** `name` or `dns.subdomain/name`: keys of labels and annotations, finalizers. */
export function qualifiedName(value: string): readonly string[] {
  const slash = value.indexOf('/');
  if (slash === -1) return namePart(value);
  if (value.indexOf('/', slash + 1) !== -1) {
    const what = ownRelease().has('bytesInNames') ? 'valid label key' : 'qualified name';
    return [`a ${what} ${TOO_MANY_SLASHES_HINT}`];
  }
  const ofPrefix =
    slash === 0 ? ['must be non-empty'] : check(SUBDOMAIN_RULE, value.slice(0, slash), true);
  const ofName = namePart(value.slice(slash + 1));
  if (ofPrefix.length === 0) return ofName;
  return [...ofPrefix.map((problem) => `prefix part ${problem}`), ...ofName];
}

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const PATH_RULE = textRule(
  Number.POSITIVE_INFINITY,
  PATH,
  `Invalid path (regex used for validation is '${PATH}')`,
);

/** A path as URLs have it. */
export function urlPath(value: string): readonly string[] {
  return check(PATH_RULE, value);
}

/** The `apiVersion` of an object: `v1` or `<group>/v1`. */
export function apiVersionName(value: string): readonly string[] {
  const [first = '', second, ...more] = value.split('/');
  if (more.length > 0) return TOO_MANY_SLASHES_IN_VERSION;
  const ofVersion = partProblems(dns1035Label, 'version', second ?? first);
  return second === undefined
    ? ofVersion
    : [...partProblems(dnsSubdomain, 'group', first), ...ofVersion];
}

function partProblems(
  rule: (value: string) => readonly string[],
  part: string,
  value: string,
): readonly string[] {
  const problems = value === '' ? ['must be non-empty'] : rule(value);
  return problems.map((problem) => `${part} part: ${problem}`);
}

function namePart(value: string): readonly string[] {
  if (value === '') return EMPTY_NAME_PART;
  const problems = check(QUALIFIED_RULE, value, true);
  return problems.length === 0 ? NONE : problems.map((problem) => `name part ${problem}`);
}

/** The value of a label; empty is fine. */
export function labelValue(value: string): readonly string[] {
  return check(LABEL_VALUE_RULE, value, true);
}

/** A key of ConfigMap or Secret data; it must also be usable as a file name. */
export function configKey(value: string): readonly string[] {
  const problems = check(CONFIG_KEY_RULE, value);
  return problems.length > 0 ? problems : dotsProblem(value);
}

/** The name of an environment variable; those of a whole ConfigMap are keys of it. */
export function envVarName(value: string): readonly string[] {
  const problems = check(ENV_VAR_NAME_RULE, value);
  const dots = dotsProblem(value);
  return dots.length === 0 ? problems : [...problems, ...dots];
}

const PRINTABLE_HINT =
  'a valid environment variable name must consist only of printable ASCII characters other than ' +
  "'='";

/** Checks a name where all are allowed that containers can have. */
export function relaxedEnvVarName(value: string): readonly string[] {
  return /^[ -<>-~]*$/.test(value) ? NONE : [PRINTABLE_HINT];
}

export function httpHeaderName(value: string): readonly string[] {
  return check(HTTP_HEADER_NAME_RULE, value);
}

/** The problems of dots that keep a text from being a file name. */
function dotsProblem(value: string): readonly string[] {
  if (!value.startsWith('.')) return NONE;
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : NONE;
}

/** `*.` and a subdomain: all names one level below it. */
export function wildcardDnsSubdomain(value: string): readonly string[] {
  return check(WILDCARD_RULE, value);
}

const PORT_NAME_LENGTH_MAX = 15;
const PORT_NAME_CHARACTERS = /^[-a-z0-9]+$/;
const LETTER = /[a-z]/;

/** The name of a port, as a container or the target of a service has one. */
export function portName(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > PORT_NAME_LENGTH_MAX) {
    problems.push(`must be no more than ${PORT_NAME_LENGTH_MAX} characters`);
  }
  if (!PORT_NAME_CHARACTERS.test(value)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!LETTER.test(value)) {
    const what = ownRelease().has('lettersInPortNames')
      ? 'letter (a-z)'
      : 'letter or number (a-z, 0-9)';
    problems.push(`must contain at least one ${what}`);
  }
  if (value.includes('--')) problems.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) {
    problems.push('must not begin or end with a hyphen');
  }
  return problems;
}

/** `<group>.<resource>`; the rest of a name that is generated is no part of either. */
function groupResource(value: string): readonly string[] {
  const dot = value.lastIndexOf('.');
  if (dot === -1) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dnsSubdomain(value.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...dns1035Label(value.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}

const NAME_RULES = { dnsSubdomain, dnsLabel, dns1035Label, pathSegment, groupResource } as const;

/** A rule that kinds share, or one of their own. */
export type NameRule = keyof typeof NAME_RULES | NameCheck;

/** The problems of a name, or of the prefix of one. */
type NameCheck = (value: string, prefix?: boolean) => readonly string[];

/** The check of `metadata.name` (or, as a prefix, `metadata.generateName`) of a kind. */
export function objectName(rule: NameRule, value: string, prefix = false): readonly string[] {
  return (typeof rule === 'string' ? NAME_RULES[rule] : rule)(value, prefix);
}
