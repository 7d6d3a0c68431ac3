/**
 * Finds the differences of two answers to one request, each difference as one line that is the same
 * for all requests that show it: names, numbers and values of no meaning are left out of it. Values
 * that must differ between two servers (uids, versions, times, addresses) are no difference.
 */
import type { Answer } from './api-client.ts';

/** A line such as `object spec.replicas: 1 → missing`; the first server is left of the arrow. */
export type Difference = string;

// oxlint-disable-next-line no-explicit-any -- documents of every kind are looked into
type Json = any;

/** More differences of one pair of answers are not told apart. */
const DIFFERENCES_MAX = 30;
const TEXT_LENGTH_MAX = 260;
/** Shown before and behind the place from which on two texts differ. */
const CONTEXT_LENGTH = 60;
const PATH_LENGTH_MAX = 9;
/** Longer than a server waits until it does the same write as the other. */
const CLOCK_DIFFERENCE_MS_MAX = 30_000;
/** Longer than a run takes. */
const RUN_MS_MAX = 24 * 3_600_000;

/** Headers that clients look at. */
const HEADERS = ['content-type', 'allow', 'retry-after', 'www-authenticate', 'location'];

export function differencesOf(ours: Answer, theirs: Answer): Difference[] {
  const isForOptions = refusesOptions(ours) !== refusesOptions(theirs);
  if (ours.status !== theirs.status || isForOptions) return [codeDifference(ours, theirs)];
  const found = [...headerDifferences(ours, theirs), ...warningDifferences(ours, theirs)];
  if (ours.json === undefined || theirs.json === undefined) {
    const [left, right] = [ours, theirs].map(({ text }) => text.replaceAll(YAML_OF_SERVER, '$1$2'));
    const isSame = plainText(left ?? '') === plainText(right ?? '');
    if (!isSame) found.push(`body: ${bothTexts(left ?? '', right ?? '')}`);
    return found;
  }
  found.push(...documentDifferences(ours.json, theirs.json));
  return found.slice(0, DIFFERENCES_MAX);
}

/** Compares two objects, lists, tables or Statuses. */
export function documentDifferences(ours: Json, theirs: Json): Difference[] {
  if (ours?.kind === 'Status' && theirs?.kind === 'Status') return statusDifferences(ours, theirs);
  const found: Difference[] = [];
  compare(ours, theirs, [], found);
  if (found.length === 0 && orderOf(ours) !== orderOf(theirs)) found.push('order of members');
  return found.map((difference) => `object ${difference}`);
}

function codeDifference(ours: Answer, theirs: Answer): Difference {
  const told = (answer: Answer): string => (answer.status < 400 ? '' : ` (${refusal(answer)})`);
  return `code ${ours.status}${told(ours)} → ${theirs.status}${told(theirs)}`;
}

/** Whether it refuses what the request says besides its body: then nothing else is told. */
function refusesOptions({ status, json }: Answer): boolean {
  return status === 422 && /^(Create|Update|Patch|Delete|List)Options$/.test(json?.details?.kind);
}

/** The causes of a refusal, or its message. */
function refusal({ json, text }: Answer): string {
  const causes: Json[] = json?.details?.causes ?? [];
  if (causes.length > 0) return shortText(causeText(causes[0]));
  return shortText(`${json?.reason ?? ''}: ${json?.message ?? text}`);
}

function causeText({ field, message }: Json): string {
  return `${fieldText(String(field))}: ${message}`;
}

/** `spec.containers[0].name` without the number. */
function fieldText(field: string): string {
  return field.replaceAll(/\[[^\]]*\]/g, '[]');
}

function headerDifferences(ours: Answer, theirs: Answer): Difference[] {
  return HEADERS.flatMap((name) => {
    const [mine, other] = [ours, theirs].map(({ headers }) => headers.get(name) ?? []);
    const [left, right] = [mine, other].map((values = []) => values.map(plainText).join(' | '));
    if (left === right) return [];
    return [`header ${name}: ${bothTexts(left ?? '', right ?? '')}`];
  });
}

/** Each Warning that only one of the servers sends, in its own words. */
function warningDifferences(ours: Answer, theirs: Answer): Difference[] {
  const [mine, other] = [ours, theirs].map(({ headers }) => headers.get('warning') ?? []);
  const told = (text: string): string =>
    `(${ours.status < 400 ? 'accepted' : 'refused'}): ${text.slice(7, -1).replaceAll(/\d+/g, 'N')}`;
  return [
    ...(mine ?? []).filter((text) => !other?.includes(text)).map((text) => ['here', told(text)]),
    ...(other ?? []).filter((text) => !mine?.includes(text)).map((text) => ['there', told(text)]),
  ].map(([where, text]) => `header warning only ${where} ${shortText(text ?? '')}`);
}

function statusDifferences(first: Json, second: Json): Difference[] {
  const ours = withoutSuffix(first, second);
  const theirs = withoutSuffix(second, first);
  const found: Difference[] = [];
  if (ours.reason !== theirs.reason) found.push(`status reason ${ours.reason} → ${theirs.reason}`);
  const left = causesOf(ours);
  const right = causesOf(theirs);
  if (JSON.stringify(left) !== JSON.stringify(right)) {
    const onlyHere = left.filter((cause) => !right.includes(cause));
    const onlyThere = right.filter((cause) => !left.includes(cause));
    found.push(...causeDifferences([...new Set(onlyHere)], [...new Set(onlyThere)]));
    if (found.length === 0) found.push('status causes are there more than once');
  } else if (plainText(sorted(ours.message)) !== plainText(sorted(theirs.message))) {
    found.push(`status message ${bothTexts(ours.message ?? '', theirs.message ?? '')}`);
  }
  const { details: mine, message: _mine, reason: _reason, ...rest } = ours;
  const { details: other, message: _other, reason: _their, ...otherRest } = theirs;
  const without = (details: Json): Json => details && { ...details, causes: undefined };
  const others: Difference[] = [];
  compare(
    { ...rest, details: without(mine) },
    { ...otherRest, details: without(other) },
    [],
    others,
  );
  return [...found, ...others.map((difference) => `status ${difference}`)];
}

function causesOf({ details }: Json): string[] {
  const causes: Json[] = details?.causes ?? [];
  return causes.map((cause) => plainText(`${cause.reason} ${causeText(cause)}`)).sort();
}

/** Causes that only one of the servers has, those of one field and reason beside each other. */
function causeDifferences(onlyHere: readonly string[], onlyThere: readonly string[]): Difference[] {
  const left = [...onlyThere];
  const found: Difference[] = [];
  for (const cause of onlyHere) {
    const start = cause.slice(0, cause.indexOf(': '));
    const at = left.findIndex((other) => other.startsWith(`${start}: `));
    const [other = ''] = at < 0 ? [] : left.splice(at, 1);
    if (other === '') found.push(`status cause only here: ${shortText(cause)}`);
    else if (detailOf(cause) === detailOf(other)) found.push(`status cause value: ${start}`);
    else found.push(`status cause ${bothTexts(cause, other)}`);
  }
  return [...found, ...left.map((cause) => `status cause only there: ${shortText(cause)}`)];
}

/** Takes from a cause what it says of the value behind it. */
function detailOf(cause: string): string {
  return cause.slice(cause.lastIndexOf(': '));
}

/** Ends alike the name of an object that each server made up. */
function withoutSuffix(status: Json, other: Json): Json {
  const [name, another] = [status, other].map(({ details }) => String(details?.name));
  if (name === undefined || name === another || name.slice(0, -5) !== another?.slice(0, -5)) {
    return status;
  }
  return JSON.parse(JSON.stringify(status).replaceAll(name, `${name.slice(0, -5)}xxxxx`));
}

/** Sorts a message that is put together from causes. */
function sorted(message: string | undefined): string {
  const list = /^(.* is invalid: )\[(.*)\]$/s.exec(message ?? '');
  if (list === null) return message ?? '';
  return `${list[1]}${(list[2] ?? '').split(', ').sort().join(', ')}`;
}

function compare(ours: Json, theirs: Json, path: readonly string[], found: Difference[]): void {
  if (found.length >= DIFFERENCES_MAX || ours === theirs) return;
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const [left, right] = [inOrder(ours, path), inOrder(theirs, path)];
    if (left.length !== right.length) {
      found.push(`${pathText(path)}: ${countText(left)} → ${countText(right)}`);
      return;
    }
    for (const [at, item] of left.entries()) compare(item, right[at], [...path, '*'], found);
    return;
  }
  if (isObject(ours) && isObject(theirs)) {
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    if (isGenerated(ours, theirs)) names.delete('name');
    for (const name of names) {
      compare(ownMember(ours, name), ownMember(theirs, name), [...path, name], found);
    }
    return;
  }
  if (mayDiffer(ours, theirs, path)) return;
  found.push(`${pathText(path)}: ${valueText(ours)} → ${valueText(theirs)}`);
}

/** A label may be called `constructor`. */
function ownMember(object: Json, name: string): Json {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Owners are in the order of their times, which are whole seconds of each server's own. */
function inOrder(list: Json[], path: readonly string[]): Json[] {
  if (path.at(-1) !== 'managedFields') return list;
  const key = (entry: Json): string =>
    [entry?.operation, entry?.manager, entry?.apiVersion, entry?.subresource].join(' ');
  return list.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Whether both are the metadata of one object with a name that each server made up. */
function isGenerated(ours: Json, theirs: Json): boolean {
  const { generateName } = ours;
  if (typeof generateName !== 'string' || generateName === '') return false;
  const names = [ours.name, theirs.name].map(String);
  return (
    theirs.generateName === generateName &&
    names[0] !== names[1] &&
    names.every((name) => /^[a-z0-9]{5}$/.test(name.slice(-5)))
  );
}

/** Whether the two values are such as each server chooses for itself. */
function mayDiffer(ours: Json, theirs: Json, path: readonly string[]): boolean {
  const name = path.at(-1) ?? '';
  const both = (test: (value: Json) => boolean): boolean => test(ours) && test(theirs);
  if (name === 'nodePort' || name === 'healthCheckNodePort') {
    return both((port) => port >= 30_000 && port <= 32_767);
  }
  if (typeof ours !== 'string' || typeof theirs !== 'string') return false;
  if (name === 'resourceVersion') return both((version) => /^[0-9]+$/.test(version));
  if (name === 'continue') return both((token) => token.length > 20);
  if (name === 'token') return both((token) => token.startsWith('ey'));
  if (name === 'serverAddress') return both((address) => /:\d+$/.test(address));
  const now = Date.now();
  const isOfRun = (time: string): boolean =>
    /^\d{4}-\d\d-\d\dT/.test(time) && Math.abs(Date.parse(time) - now) < RUN_MS_MAX;
  const apart = Math.abs(Date.parse(ours) - Date.parse(theirs));
  if (both(isOfRun) && apart < CLOCK_DIFFERENCE_MS_MAX) return true;
  // Cells of a Table with ages.
  if (both((age) => /^\d+[smhdy](\d+[smhd])?$/.test(age))) return path.includes('cells');
  return plainText(ours) === plainText(theirs);
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const VERSIONS =
  /((?:object meta|resource version|resourceVersion|current): |ResourceVersion:? )\d+|\(\d+\)/g;
/** Members of YAML that each server chooses for itself, and cells of a Table with ages. */
const YAML_OF_SERVER =
  /^( *(?:creationTimestamp|resourceVersion|time): )"[^"]*"$|^( *- )\d+[smhdy](?:\d+[smhd])?$/gm;
const SERVICE_ADDRESS = /\b10\.0\.0\.\d{1,3}\b/g;
/** As cells show them beside a port. */
const NODE_PORT = /(?<=\d:)3[0-2]\d{3}(?=\/)/g;

/** Without what each server chooses for itself. */
export function plainText(text: string): string {
  return String(text)
    .replaceAll(UID, '<uid>')
    .replaceAll(VERSIONS, '$1<version>')
    .replaceAll(SERVICE_ADDRESS, '<address>')
    .replaceAll(NODE_PORT, '<port>');
}

function withoutNames(text: string): string {
  return text.replaceAll(/\bcmp[0-9a-z]*-[-.a-z0-9]*/g, 'NAME');
}

/** Only the words of a text: what is quoted and counted is left out. */
export function shortText(text: string): string {
  const words = withoutNames(plainText(text))
    .replaceAll(/\\?"(?:[^"\\]|\\.)*\\?"/g, '"…"')
    .replaceAll(/map\[[^\]]*\]|\{[^{}]*\}/g, '{…}')
    .replaceAll(/-?\d+(?:\.\d+)?/g, 'N');
  return words.length > TEXT_LENGTH_MAX ? `${words.slice(0, TEXT_LENGTH_MAX)}…` : words;
}

/** Both texts as their words, or where their words are alike what differs in them. */
function bothTexts(ours: string, theirs: string): string {
  const [left, right] = [shortText(ours), shortText(theirs)];
  if (left !== right) return `${left} → ${right}`;
  const [mine, other] = [plainText(ours), plainText(theirs)];
  let at = 0;
  while (at < mine.length && mine[at] === other[at]) at += 1;
  const from = Math.max(0, at - CONTEXT_LENGTH);
  const part = (text: string): string => withoutNames(text.slice(from, at + CONTEXT_LENGTH));
  return `…${part(mine)}… → …${part(other)}…`;
}

function pathText(path: readonly string[]): string {
  const names = path
    .slice(0, PATH_LENGTH_MAX)
    .map((name) => (/^[A-Za-z.*][\w.:/{}"-]{0,60}$/.test(name) ? name : '?'));
  return names.join('.') || 'document';
}

function countText(list: readonly Json[]): string {
  return list.length === 0 ? '[]' : `${Math.min(list.length, 3)} items`;
}

/** Words and what is empty as they are, other values by their type. */
function valueText(value: Json): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '{}' : 'object';
  if (typeof value !== 'string') return typeof value;
  return value === '' || /^[A-Za-z][A-Za-z]{1,30}$/.test(value) ? JSON.stringify(value) : 'text';
}

/** The names of all members in their order. */
function orderOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(orderOf).join(',')}]`;
  if (!isObject(value)) return '';
  return `{${Object.entries(value)
    .filter(([name]) => name !== 'managedFields')
    .map(([name, member]) => `${name}${orderOf(member)}`)
    .join(',')}}`;
}
