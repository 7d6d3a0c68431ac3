/** The functions that expressions may call: by release 1.23 of the reference, and some later. */
import { isSimple, simple, type Type } from './types.ts';

export interface Overload {
  /** Called as `target.name(…)`; the type of the target is the first parameter. */
  readonly onTarget: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Names of types that stand for any. */
  readonly variables: readonly string[];
}

const COMPARED = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const SUMMED = ['int', 'uint', 'double', 'duration'];
const TIME_PARTS = ['FullYear', 'Month', 'DayOfYear', 'DayOfMonth', 'Date', 'DayOfWeek'];
const CLOCK_PARTS = ['Hours', 'Minutes', 'Seconds', 'Milliseconds'];

/** The templates with each of the words in the place of `$`. */
function each(words: readonly string[], ...templates: readonly string[]): string {
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
duration(int) duration
dyn(A) dyn
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
isIP(string) bool
string.find(string) string
string.findAll(string) list(string)
string.findAll(string, int) list(string)
list(A).indexOf(A) int
list(A).lastIndexOf(A) int
${each(COMPARED, 'list($).isSorted() bool', 'list($).min() $', 'list($).max() $')}
${each(SUMMED, 'list($).sum() $')}
`;

let table: ReadonlyMap<string, readonly Overload[]> | undefined;

/** All overloads of a function; undefined when there is none of that name. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  table ??= readTable(STANDARD + LATER);
  return table.get(name);
}

function readTable(text: string): ReadonlyMap<string, readonly Overload[]> {
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

const SIGNATURE = /^(?:([a-z]+(?:\([A-Za-z, ]+\))?)\.)?([^(]+?|_\[_\])\((.*)\) (\S.*)$/;

function readSignature(line: string): { name: string; overload: Overload } {
  const [, target, name = '', parameters = '', result = ''] = SIGNATURE.exec(line) ?? [];
  const texts = parameters === '' ? [] : parameters.split(/, (?![^(]*\))/);
  const all = target === undefined ? texts : [target, ...texts];
  const overload = {
    onTarget: target !== undefined,
    parameters: all.map(readType),
    result: readType(result),
    variables: ['A', 'B'].filter((variable) => all.some((text) => text.includes(variable))),
  };
  return { name, overload };
}

function readType(text: string): Type {
  const [, name = '', inner = ''] = /^(list|map|type)\((.*)\)$/.exec(text) ?? [];
  if (name === 'list') return { kind: 'list', item: readType(inner) };
  if (name === 'type') return { kind: 'type', of: readType(inner) };
  if (name === 'map') {
    const [key = '', value = ''] = inner.split(', ');
    return { kind: 'map', key: readType(key), value: readType(value) };
  }
  return isSimple(text) ? simple(text) : { kind: 'parameter', name: text };
}
