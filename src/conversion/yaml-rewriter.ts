/**
 * Turns the nodes of a YAML document into those of another value, and keeps all parts that both
 * have in common as they are written, with their comments (README.md#comments).
 */
import { isAlias, isMap, isScalar, isSeq, Pair, parseDocument, Scalar, visit } from 'yaml';
import { YAMLMap, YAMLSeq } from 'yaml';
import type { Document, Node, ParsedNode, ToStringOptions } from 'yaml';
import { deepEqual } from '../base/deep-equal.ts';
import { withIndentedFlow } from '../codec/yaml/yaml-flow.ts';
import { resolvePlain } from '../codec/yaml/yaml-scalar.ts';
import { isMembers, type Members } from './members.ts';

/** A member that is gone from where it was, and may come again elsewhere. */
interface Gone {
  readonly name: string;
  readonly value: unknown;
  readonly pair: Pair<Node, Node | null>;
  isUsed: boolean;
}

/** Scalars stay as they are written. Members that repeat are dealt with below. */
const PARSE_OPTIONS = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

export interface Rewritten {
  readonly text: string;
  /**
   * Places that are written in another way than before: `aliases are written out, without
   * comments`.
   */
  readonly notes: readonly string[];
}

/**
 * The text of one document, which says `before`, so that it says `after`. The text must be valid.
 */
export function rewriteYaml(written: string, before: unknown, after: unknown): Rewritten {
  const text = withIndentedFlow(written);
  const document = parseDocument(text, PARSE_OPTIONS);
  const edits: Edit[] = [];
  if (differsInWords(document.contents, before, after, edits)) {
    return { text: edited(text, edits), notes: [] };
  }
  const notes: string[] = [];
  const losesComments = hasAnchors(document);
  if (losesComments) notes.push('aliases are written out, without comments');
  else if (dropRepeated(document)) notes.push('of members that repeat, only the last is kept');
  const root = losesComments ? null : document.contents;
  document.contents = updated(root, before, after, []) as ParsedNode;
  return { text: document.toString(writtenAs(text)), notes };
}

/** A replacement for a part of the text. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

/** Words that need no quotes, wherever they stand. */
const PLAIN_WORD = /^[A-Za-z0-9][A-Za-z0-9./-]*$/;

const QUOTES: ReadonlyMap<string, string> = new Map([
  ['PLAIN', ''],
  ['QUOTE_SINGLE', "'"],
  ['QUOTE_DOUBLE', '"'],
]);

/** Whether only single words differ; these are then in `edits`, in order. */
function differsInWords(
  node: Node | null,
  before: unknown,
  after: unknown,
  edits: Edit[],
): boolean {
  if (deepEqual(before, after, true)) return true;
  // A node with an anchor may be used elsewhere too.
  if (node === null || isAlias(node) || (node as { anchor?: string }).anchor !== undefined) {
    return false;
  }
  if (isMap<Node, Node | null>(node) && isMembers(before) && isMembers(after)) {
    const names = new Set(node.items.map(({ key }) => nameOf(key)));
    if (names.size < node.items.length) return false;
    if (Object.keys(after).some((name) => !names.has(name))) return false;
    return node.items.every(({ key, value }) => {
      const name = nameOf(key);
      if (isGone(name, before, after)) return false;
      return differsInWords(value, before[name] ?? null, after[name] ?? null, edits);
    });
  }
  if (isSeq<Node>(node) && Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return false;
    return node.items.every((item, at) => differsInWords(item, before[at], after[at], edits));
  }
  if (!isScalar(node) || typeof after !== 'string' || !PLAIN_WORD.test(after)) return false;
  const quotes = QUOTES.get(node.type ?? '');
  if (quotes === undefined || node.range === undefined || node.range === null) return false;
  if (quotes === '' && resolvePlain(after).kind !== 'string') return false;
  const [from, to] = node.range;
  edits.push({ from, to, word: `${quotes}${after}${quotes}` });
  return true;
}

function edited(text: string, edits: readonly Edit[]): string {
  let end = 0;
  const parts = edits.map(({ from, to, word }) => {
    const part = text.slice(end, from) + word;
    end = to;
    return part;
  });
  return parts.join('') + text.slice(end);
}

/** The last one counts. Returns whether there were any. */
function dropRepeated(document: Document.Parsed): boolean {
  let dropped = false;
  visit(document, {
    Map(_, map) {
      const byName = new Map(map.items.map((pair) => [nameOf(pair.key as Node), pair]));
      dropped ||= byName.size < map.items.length;
      map.items = [...byName.values()];
    },
  });
  return dropped;
}

function hasAnchors(document: Document.Parsed): boolean {
  let found = false;
  visit(document, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/** Options that indent new parts as the rest of the text. */
function writtenAs(text: string): ToStringOptions {
  const isFlat = /^( *)(?:- )?[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n\1- /m.test(text);
  const indent = /^[^\s#-][^\n]*:[ \t]*\n( {2,8})\S/m.exec(text)?.[1]?.length ?? 2;
  return { lineWidth: 0, indent, indentSeq: !isFlat, flowCollectionPadding: /\{ \w/.test(text) };
}

function updated(
  node: Node | null,
  before: unknown,
  after: unknown,
  gone: readonly Gone[],
): Node | null {
  if (node !== null && deepEqual(before, after, true)) return node;
  if (isMap<Node, Node | null>(node) && isMembers(before) && isMembers(after)) {
    return updatedMap(node, before, after, gone);
  }
  if (isSeq<Node | null>(node) && Array.isArray(before) && Array.isArray(after)) {
    node.items = after.map((item: unknown, index) =>
      index < before.length
        ? updated(node.items[index] ?? null, before[index], item, gone)
        : made(item, '', gone).node,
    );
    return node;
  }
  const { node: other } = made(after, '', gone);
  if (isScalar(node) && isScalar(other) && other.comment === undefined) {
    if (node.comment !== undefined) other.comment = node.comment;
  }
  return other;
}

function updatedMap(
  node: YAMLMap<Node, Node | null>,
  before: Members,
  after: Members,
  around: readonly Gone[],
): Node {
  const own: Gone[] = [];
  const firstGone = node.items.findIndex(({ key }) => isGone(nameOf(key), before, after));
  const kept = node.items.filter((pair) => {
    const name = nameOf(pair.key);
    if (!isGone(name, before, after)) return true;
    own.push({ name, value: before[name], pair, isUsed: false });
    return false;
  });
  const gone = [...own, ...around];
  for (const pair of kept) {
    const name = nameOf(pair.key);
    if (!Object.hasOwn(after, name)) continue;
    pair.value = updated(pair.value, before[name], after[name], gone);
  }
  const names = new Set(kept.map(({ key }) => nameOf(key)));
  const added = Object.keys(after)
    .filter((name) => !names.has(name))
    .map((name) => addedPair(name, after[name], gone));
  // New items take the place of the first one that has gone.
  const place = firstGone < 0 ? kept.length : firstGone;
  node.items = [...kept.slice(0, place), ...added, ...kept.slice(place)];
  return node;
}

/** A member that is null already means nothing; it stays. */
function isGone(name: string, before: Members, after: Members): boolean {
  return !Object.hasOwn(after, name) && before[name] !== undefined && before[name] !== null;
}

function addedPair(name: string, value: unknown, gone: readonly Gone[]): Pair<Node, Node | null> {
  const { node, source } = made(value, name, gone);
  const key = scalarNode(name);
  if (source !== undefined && isScalar(source.pair.key)) {
    const { commentBefore, spaceBefore, comment } = source.pair.key;
    if (commentBefore !== undefined) key.commentBefore = commentBefore;
    if (spaceBefore !== undefined) key.spaceBefore = spaceBefore;
    if (comment !== undefined) key.comment = comment;
  }
  return new Pair<Node, Node | null>(key, node);
}

/** The node of a value that was not here: one that was elsewhere, or a new one. */
function made(
  value: unknown,
  name: string,
  gone: readonly Gone[],
): { readonly node: Node | null; readonly source?: Gone } {
  const source = sourceOf(value, name, gone);
  if (source !== undefined) {
    source.isUsed = true;
    return { node: updated(source.pair.value, source.value, value, gone), source };
  }
  if (Array.isArray(value)) {
    const list = new YAMLSeq<Node | null>();
    list.items = value.map((item: unknown) => made(item, '', gone).node);
    return { node: list };
  }
  if (isMembers(value)) {
    const map = new YAMLMap<Node, Node | null>();
    const pairs = Object.entries(value);
    map.items = pairs.map(([member, below]) => addedPair(member, below, gone));
    return { node: map };
  }
  return { node: scalarNode(value) };
}

/**
 * Finds the old value that a new one goes on from: an equal one; else one with the same name, or
 * with the most names of members in common; else the only object that is gone.
 */
function sourceOf(value: unknown, name: string, gone: readonly Gone[]): Gone | undefined {
  const free = gone.filter(({ isUsed }) => !isUsed);
  const same = free.filter((one) => deepEqual(one.value, value, true));
  if (same.length > 0) return same.find((one) => one.name === name) ?? same[0];
  const alike = free.filter((one) => isAlike(one.value, value));
  const named = alike.find((one) => one.name === name);
  if (named !== undefined || !isMembers(value)) return named;
  const shared = ({ value: other }: Gone): number =>
    Object.keys(value).filter((member) => isMembers(other) && Object.hasOwn(other, member)).length;
  const closest = alike.toSorted((a, b) => shared(b) - shared(a))[0];
  if (closest !== undefined && shared(closest) > 0) return closest;
  return free.length === 1 ? alike[0] : undefined;
}

function isAlike(a: unknown, b: unknown): boolean {
  return (isMembers(a) && isMembers(b)) || (Array.isArray(a) && Array.isArray(b));
}

/** Plain where that is read as the same value. */
function scalarNode(value: unknown): Scalar {
  const isText = typeof value === 'string';
  const scalar = new Scalar(isText ? value : String(value));
  const isSame = !isText || resolvePlain(value).kind === 'string';
  scalar.type = isSame ? 'PLAIN' : 'QUOTE_DOUBLE';
  return scalar;
}

function nameOf(key: Node): string {
  return isScalar(key) ? String(key.value) : isAlias(key) ? key.source : '';
}
