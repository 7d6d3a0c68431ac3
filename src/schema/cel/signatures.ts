/** The functions that expressions of every release may call, and the types that they name. */
import { ownRelease } from '../../release/release.ts';
import { accessType, isAccessType, isSimple, libraryType, simple, type Type } from './types.ts';

export interface Overload {
  /** Called as `target.name(…)`; the type of the target is the first parameter. */
  readonly onTarget: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Names of types that stand for any. */
  readonly variables: readonly string[];
}

export const COMPARED = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'timestamp',
  'duration',
];
/** In the order in which the overloads of lists are tried. */
const LIST_COMPARED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const SUMMED = ['int', 'uint', 'double', 'duration'];
const TIME_PARTS = ['FullYear', 'Month', 'DayOfYear', 'DayOfMonth', 'Date', 'DayOfWeek'];
const CLOCK_PARTS = ['Hours', 'Minutes', 'Seconds', 'Milliseconds'];

/** The templates with each of the words in the place of `$`. */
export function each(words: readonly string[], ...templates: readonly string[]): string {
  const lines = words.flatMap((word) => templates.map((line) => line.replaceAll('$', word)));
  return lines.join('\n');
}

const STANDARD = `
_?_:_(bool, A, A) A
_&&_(bool, bool) bool
_||_(bool, bool) bool
!_(bool) bool
${each(COMPARED, '_<_($, $) bool', '_<=_($, $) bool')}
${each(COMPARED, '_>_($, $) bool', '_>=_($, $) bool')}
_==_(A, A) bool
_!=_(A, A) bool
_-_(int, int) int
_-_(uint, uint) uint
_-_(double, double) double
_-_(timestamp, timestamp) duration
_-_(timestamp, duration) timestamp
_-_(duration, duration) duration
_*_(int, int) int
_*_(uint, uint) uint
_*_(double, double) double
_/_(int, int) int
_/_(uint, uint) uint
_/_(double, double) double
_%_(int, int) int
_%_(uint, uint) uint
_+_(int, int) int
_+_(uint, uint) uint
_+_(double, double) double
_+_(string, string) string
_+_(bytes, bytes) bytes
_+_(list(A), list(A)) list(A)
_+_(timestamp, duration) timestamp
_+_(duration, timestamp) timestamp
_+_(duration, duration) duration
-_(int) int
-_(double) double
_[_](list(A), int) A
_[_](map(A, B), A) B
${each(['string', 'bytes', 'list(A)', 'map(A, B)'], '$.size() int', 'size($) int')}
@in(A, list(A)) bool
@in(A, map(A, B)) bool
type(A) type(A)
int(int) int
int(uint) int
int(double) int
int(string) int
int(timestamp) int
int(duration) int
uint(uint) uint
uint(int) uint
uint(double) uint
uint(string) uint
double(double) double
double(int) double
double(uint) double
double(string) double
bool(bool) bool
bool(string) bool
${each(COMPARED, 'string($) string')}
bytes(bytes) bytes
bytes(string) bytes
timestamp(timestamp) timestamp
timestamp(string) timestamp
timestamp(int) timestamp
duration(duration) duration
duration(string) duration
dyn(A) dyn
matches(string, string) bool
${each(['contains', 'endsWith', 'matches', 'startsWith'], 'string.$(string) bool')}
${each(TIME_PARTS, 'timestamp.get$() int', 'timestamp.get$(string) int')}
${each(CLOCK_PARTS, 'timestamp.get$() int', 'timestamp.get$(string) int')}
${each(CLOCK_PARTS, 'duration.get$() int')}
string.charAt(int) string
string.indexOf(string) int
string.indexOf(string, int) int
string.lastIndexOf(string) int
string.lastIndexOf(string, int) int
string.lowerAscii() string
string.upperAscii() string
string.trim() string
string.replace(string, string) string
string.replace(string, string, int) string
string.split(string) list(string)
string.split(string, int) list(string)
string.substring(int) string
string.substring(int, int) string
`;

/** Functions of later releases of the reference; 1.23 has none of these. */
const LATER = `
string.find(string) string
string.findAll(string) list(string)
string.findAll(string, int) list(string)
list(A).indexOf(A) int
list(A).lastIndexOf(A) int
${each(LIST_COMPARED, 'list($).isSorted() bool', 'list($).min() $', 'list($).max() $')}
${each(SUMMED, 'list($).sum() $')}
`;

/** The functions by which policies ask about access. */
const ACCESS = `
Authorizer.path(string) PathCheck
Authorizer.group(string) GroupCheck
Authorizer.serviceAccount(string, string) Authorizer
GroupCheck.resource(string) ResourceCheck
${each(['subresource', 'namespace', 'name'], 'ResourceCheck.$(string) ResourceCheck')}
${each(['fieldSelector', 'labelSelector'], 'ResourceCheck.$(string) ResourceCheck')}
${each(['PathCheck', 'ResourceCheck'], '$.check(string) Decision')}
${each(['allowed', 'errored'], 'Decision.$() bool')}
${each(['reason', 'error'], 'Decision.$() string')}
`;

const OF_NUMBERS = ownRelease().has('durationsOfNumbers') ? 'duration(int) duration' : '';

/** The functions that expressions of the release may call, whatever parts of the library it has. */
export const STANDARD_SIGNATURES = STANDARD + LATER + ACCESS + OF_NUMBERS;

/** The overloads of functions by their names, from a line for each. */
export function readSignatures(text: string): ReadonlyMap<string, readonly Overload[]> {
  const overloads = new Map<string, Overload[]>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const { name, overload } = readSignature(line);
    const known = overloads.get(name);
    if (known === undefined) overloads.set(name, [overload]);
    else known.push(overload);
  }
  return overloads;
}

const SIGNATURE = /^(?:([A-Za-z]+(?:\([A-Za-z, ()]+\))?)\.)?([^(]+?|_\[_\])\((.*)\) (\S.*)$/;

function readSignature(line: string): { name: string; overload: Overload } {
  const [, target, name = '', parameters = '', result = ''] = SIGNATURE.exec(line) ?? [];
  const texts = parameters === '' ? [] : parameters.split(/, (?![^(]*\))/);
  const all = target === undefined ? texts : [target, ...texts];
  const overload = {
    onTarget: target !== undefined,
    parameters: all.map(readType),
    result: readType(result),
    variables: ['A', 'B'].filter((variable) => hasWord([...all, result].join(' '), variable)),
  };
  return { name: name.replace(/^([a-z]+)\/(?=[a-zA-Z])/, '$1.'), overload };
}

/** Whether the name of a type has the word: those of access have letters of their own. */
function hasWord(text: string, word: string): boolean {
  return text.split(/\W/).includes(word);
}

function readType(text: string): Type {
  const [, name = '', inner = ''] = /^(list|map|type|optional)\((.*)\)$/.exec(text) ?? [];
  if (name === 'list') return { kind: 'list', item: readType(inner) };
  if (name === 'type') return { kind: 'type', of: readType(inner) };
  if (name === 'optional') return { kind: 'optional', of: readType(inner) };
  if (name === 'map') {
    const [key = '', value = ''] = inner.split(', ');
    return { kind: 'map', key: readType(key), value: readType(value) };
  }
  if (isAccessType(text)) return accessType(text);
  const known = libraryType(text);
  if (known !== undefined) return known;
  return isSimple(text) ? simple(text) : { kind: 'parameter', name: text };
}

const ANY: Type = { kind: 'parameter', name: 'A' };

/** Names that types have as values. */
const TYPE_NAMES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...(['int', 'uint', 'bool', 'double', 'bytes', 'string'] as const).map((kind): [string, Type] => [
    kind,
    simple(kind),
  ]),
  ['list', { kind: 'list', item: ANY }],
  ['map', { kind: 'map', key: ANY, value: { kind: 'parameter', name: 'B' } }],
  ['null_type', simple('null')],
  ['type', { kind: 'type' }],
  ['google.protobuf.Duration', simple('duration')],
  ['google.protobuf.Timestamp', simple('timestamp')],
]);

/** The type that a name without a variable is; undefined for none. */
export function typeOfName(name: string): Type | undefined {
  return TYPE_NAMES.get(name);
}

/** Whether a name without a variable is that of a type. */
export function isTypeName(name: string): boolean {
  return TYPE_NAMES.has(name);
}
