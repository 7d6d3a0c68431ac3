/**
 * Documents as trees whose text may hold what `JSON.stringify` never writes: members twice, numbers
 * that no number holds. And changes of them such as only mistakes and malice make.
 */
import type { Random } from './random.ts';

export type JsonNode =
  | { readonly kind: 'object'; members: [name: string, value: JsonNode][] }
  | { readonly kind: 'list'; items: JsonNode[] }
  /** JSON text. */
  | { readonly kind: 'text'; readonly text: string };

const text = (json: string): JsonNode => ({ kind: 'text', text: json });

/** The tree of a document. */
export function treeOf(value: unknown): JsonNode {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(treeOf) };
  if (typeof value !== 'object' || value === null) return text(JSON.stringify(value) ?? 'null');
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return { kind: 'object', members: members.map(([name, member]) => [name, treeOf(member)]) };
}

/** The JSON text of a tree. */
export function textOf(node: JsonNode): string {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'list') return `[${node.items.map(textOf).join(',')}]`;
  const members = node.members.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`);
  return `{${members.join(',')}}`;
}

const TOKEN = /\s*([[\]{}:,]|"(?:[^"\\]|\\.)*"|[^\s[\]{}:,"]+)/gy;

/** The tree of JSON text, with every digit and every member of it. Throws for other text. */
export function parseTree(json: string): JsonNode {
  JSON.parse(json);
  const tokens = Array.from(json.matchAll(TOKEN), ([, token = '']) => token);
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const value = (first: string): JsonNode => {
    if (first === '{') return { kind: 'object', members: all('}', member) };
    return first === '[' ? { kind: 'list', items: all(']', value) } : text(first);
  };
  const member = (first: string): [string, JsonNode] => {
    at += 1;
    return [JSON.parse(first) as string, value(next())];
  };
  const all = <T>(end: string, one: (first: string) => T): T[] => {
    const found: T[] = [];
    for (let token = next(); token !== end; token = next()) {
      found.push(one(token === ',' ? next() : token));
    }
    return found;
  };
  return value(next());
}

const nested = (open: string, close: string, levels = 3_000): string =>
  `${open.repeat(levels)}${open.endsWith(':') ? '{}' : ''}${close.repeat(levels)}`;

const DEEP: readonly string[] = [
  nested('[', ']'),
  nested('{"a":', '}'),
  nested('{"properties":{"a":', '}}'),
  nested('{"items":', '}'),
  nested('{"not":', '}'),
  nested('{"allOf":[{},', ']}', 1_000).replace(/,\]/g, ',{}]'),
];

const ODD_VALUES = [
  ['null', 'true', 'false', '""', '"a"', '"-"', '"0"', '" "', '"/"', '"%"', '"*"', '","'],
  ['0', '-0', '1', '-1', '1.5', '-1e-9', '2147483648', '-2147483649', '9007199254740993'],
  ['9223372036854775807', '9223372036854775808', '-9223372036854775809', '1e18', '1e400'],
  ['123456789012345678901234567890', '0.1e-400'],
  ['[]', '{}', '[null]', '[[]]', '[{}]', '[""]', '["a","a"]', '{"":null}', '{"a":null}'],
  ['{"__proto__":{"a":"b"}}', '{"constructor":"a"}', '{"a":"b"}', '{"matchLabels":{"":""}}'],
  ['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000\\u0007\\u007f"', '"\\ufeff\\u2028"', '"日本"'],
  ['"10.0.0.1"', '"::"', '"0.0.0.0/0"', '"1Gi"', '"-5e3Ki"', '"1e999999999"', '"50%"', '"-1%"'],
  ['"2021-12-07T10:11:12Z"', '"9999-99-99T99:99:99Z"', '"1h"', '"99999999999h"', '"YQ=="'],
  ['"* * * * *"', '"@every 1ns"', '"a=b,c!=d"', '"(((((((((a+)+)+)+)+)+)+)+"', '"[z-a]"'],
  [`"${'x'.repeat(5_000)}"`, `"${'a.'.repeat(2_000)}"`, `"${'-'.repeat(300)}"`],
].flat();

const ODD_NAMES = [
  ['', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'],
  ['then', 'length', '0', '-1', ' ', 'metadata', 'spec', 'status', 'kind', 'name', 'a/b/c'],
  ['\u0000', '\ud800', '\u{1f600}', 'x'.repeat(3_000)],
].flat();

/** The place of a change: a node with a way to replace it. */
interface Place {
  readonly node: JsonNode;
  readonly parent: JsonNode | undefined;
  readonly at: number;
}

function* placesIn(node: JsonNode, parent?: JsonNode, at = 0): Generator<Place> {
  yield { node, parent, at };
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) yield* placesIn(item, node, index);
  } else if (node.kind === 'object') {
    for (const [index, [, value]] of node.members.entries()) yield* placesIn(value, node, index);
  }
}

function replace({ parent, at }: Place, value: JsonNode): void {
  if (parent?.kind === 'list') parent.items[at] = value;
  else if (parent?.kind === 'object' && parent.members[at]) parent.members[at][1] = value;
}

function remove({ parent, at }: Place): void {
  if (parent?.kind === 'list') parent.items.splice(at, 1);
  else if (parent?.kind === 'object') parent.members.splice(at, 1);
}

function insert({ parent, at }: Place, name: string, value: JsonNode): void {
  if (parent?.kind === 'list') parent.items.splice(at, 0, value);
  else if (parent?.kind === 'object') parent.members.splice(at, 0, [name, value]);
}

function nameOf({ parent, at }: Place): string {
  return (parent?.kind === 'object' ? parent.members[at]?.[0] : undefined) ?? '';
}

/** One of them, of which there are some. */
export function oneOf<T>(choices: readonly T[], random: Random): T {
  const [first, ...others] = choices;
  if (first === undefined) throw new Error('nothing to choose from');
  return random.pick([first, ...others]);
}

/**
 * Makes a value that has the type of `node` more often than not: others do not get past decoding.
 */
function oddValue(random: Random, node: JsonNode): JsonNode {
  if (random.below(40) === 0) return text(oneOf(DEEP, random));
  const type = typeOf(textOf(node));
  const alike = ODD_VALUES.filter((value) => typeOf(value) === type);
  return text(oneOf(random.below(3) === 0 ? ODD_VALUES : alike, random));
}

/** By its first character: digits and signs are numbers, `t` and `f` booleans. */
function typeOf(json: string): string {
  return json
    .slice(0, 1)
    .replace(/[0-9-]/, '0')
    .replace('t', 'f');
}

/** Changes the tree in one random place, and never its root. */
function mutateOnce(tree: JsonNode, random: Random): void {
  const [, ...places] = placesIn(tree);
  if (places.length === 0) return;
  const place = oneOf(places, random);
  const other = oneOf(places, random);
  switch (random.below(12)) {
    case 0:
    case 1:
      return remove(place);
    case 2:
      return insert(place, nameOf(place), oddValue(random, place.node));
    case 3:
      return insert(place, nameOf(place), place.node);
    case 4:
      remove(place);
      return insert(place, oneOf(ODD_NAMES, random), place.node);
    case 5:
      return insert(place, oneOf(ODD_NAMES, random), oddValue(random, place.node));
    case 6:
      // The text of another place: a tree would hold itself if one were inside the other.
      return replace(place, text(textOf(other.node)));
    case 7:
      return replace(place, { kind: 'list', items: [place.node] });
    case 8:
      return replace(place, text('null'));
    default:
      return replace(place, oddValue(random, place.node));
  }
}

/** The text of the document with 1 to `countMax` such changes, which are made in its tree. */
export function mutated(tree: JsonNode, random: Random, countMax = 4): string {
  const count = 1 + random.below(1 + random.below(countMax));
  for (let done = 0; done < count; done += 1) mutateOnce(tree, random);
  return textOf(tree);
}

/** Bytes that are hardly a document: cut off, with bytes changed, or none of it. */
export function garbage(document: string, random: Random): Buffer {
  const bytes = Buffer.from(document);
  const at = random.below(bytes.length + 1);
  switch (random.below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.from(Array.from({ length: at % 200 }, () => random.below(256)));
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.below(at + 1))]);
    default: {
      for (let done = 0; done < 5; done += 1) bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
    }
  }
}

/**
 * Text of a smaller document that still `fails`: tries to leave out each member and item, as long
 * as that helps. Text that is no JSON stays as it is.
 */
export async function shrunk(
  document: string,
  fails: (text: string) => Promise<boolean>,
  triesMax = 300,
): Promise<string> {
  let tree: JsonNode;
  try {
    tree = parseTree(document);
  } catch {
    return document;
  }
  if (!(await fails(textOf(tree)))) return document;
  let tries = 0;
  const without = async (node: JsonNode): Promise<void> => {
    const parts: unknown[] =
      node.kind === 'object' ? node.members : node.kind === 'list' ? node.items : [];
    for (let at = parts.length - 1; at >= 0 && tries < triesMax; at -= 1) {
      const [part] = parts.splice(at, 1);
      tries += 1;
      if (await fails(textOf(tree))) continue;
      parts.splice(at, 0, part);
      await without((node.kind === 'object' ? (part as [string, JsonNode])[1] : part) as JsonNode);
    }
  };
  await without(tree);
  return textOf(tree);
}
