/** The functions of the parts of the library. A name with a slash is called with a dot there. */
import type { ExpressionPart } from '../../../release/expression-parts.ts';
import { COMPARED, each } from '../signatures.ts';
import { FORMAT_NAMES } from './named-formats.ts';

const NUMBER_PAIRS = [
  'int, double',
  'int, uint',
  'uint, double',
  'uint, int',
  'double, int',
  'double, uint',
];

export const PART_SIGNATURES: Readonly<Partial<Record<ExpressionPart, string>>> = {
  urls: `
url(string) URL
isURL(string) bool
${each(['Scheme', 'Host', 'Hostname', 'Port', 'EscapedPath'], 'URL.get$() string')}
URL.getQuery() map(string, list(string))
`,
  plainAddressTest: 'isIP(string) bool',
  numbersOfTypes: each(NUMBER_PAIRS, '_<_($) bool', '_<=_($) bool', '_>_($) bool', '_>=_($) bool'),
  optionals: `
_[_](optional(list(A)), int) optional(A)
_[_](optional(map(A, B)), A) optional(B)
_[?_](list(A), int) optional(A)
_[?_](optional(list(A)), int) optional(A)
_[?_](map(A, B), A) optional(B)
_[?_](optional(map(A, B)), A) optional(B)
optional/of(A) optional(A)
optional/ofNonZeroValue(A) optional(A)
optional/none() optional(A)
optional(A).value() A
optional(A).hasValue() bool
optional(A).or(optional(A)) optional(A)
optional(A).orValue(A) A
`,
  quantities: `
quantity(string) Quantity
isQuantity(string) bool
sign(Quantity) int
${each(['isGreaterThan', 'isLessThan'], 'Quantity.$(Quantity) bool')}
Quantity.compareTo(Quantity) int
Quantity.asApproximateFloat() double
Quantity.asInteger() int
Quantity.isInteger() bool
${each(['add', 'sub'], 'Quantity.$(Quantity) Quantity', 'Quantity.$(int) Quantity')}
`,
  formattedTexts: `
string.format(list(dyn)) string
strings/quote(string) string
list(string).join() string
list(string).join(string) string
`,
  sets: each(['contains', 'equivalent', 'intersects'], 'sets/$(list(A), list(A)) bool'),
  addresses: `
ip(string) IP
isIP(string) bool
ip/isCanonical(string) bool
string(IP) string
IP.family() int
${each(['isUnspecified', 'isLoopback', 'isLinkLocalMulticast'], 'IP.$() bool')}
${each(['isLinkLocalUnicast', 'isGlobalUnicast'], 'IP.$() bool')}
cidr(string) CIDR
isCIDR(string) bool
string(CIDR) string
CIDR.containsIP(string) bool
CIDR.containsIP(IP) bool
CIDR.containsCIDR(string) bool
CIDR.containsCIDR(CIDR) bool
CIDR.ip() IP
CIDR.prefixLength() int
CIDR.masked() CIDR
`,
  namedFormats: `
${each(FORMAT_NAMES, 'format/$() NamedFormat')}
format/named(string) optional(NamedFormat)
NamedFormat.validate(string) optional(list(string))
`,
  optionalItems: `
optional/unwrap(list(optional(A))) list(A)
list(optional(A)).unwrapOpt() list(A)
list(A).first() optional(A)
list(A).last() optional(A)
`,
  versions: `
semver(string) Semver
semver(string, bool) Semver
isSemver(string) bool
isSemver(string, bool) bool
${each(['isGreaterThan', 'isLessThan'], 'Semver.$(Semver) bool')}
Semver.compareTo(Semver) int
${each(['major', 'minor', 'patch'], 'Semver.$() int')}
`,
  lists: `
list(A).slice(int, int) list(A)
list(list(A)).flatten() list(A)
list(dyn).flatten(int) list(dyn)
${each(COMPARED, 'list($).sort() list($)', 'list(A).@sortByAssociatedKeys(list($)) list(A)')}
lists/range(int) list(int)
list(A).reverse() list(A)
list(A).distinct() list(A)
`,
  includedItems: 'dyn.includes(dyn) bool',
};
