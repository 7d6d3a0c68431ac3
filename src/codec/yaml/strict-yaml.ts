/**
 * Finds keys that repeat in a YAML body, for strict decoding (../README.md#strict-decoding).
 *
 * Found by reading the reference server's YAML library: keys that repeat are told as `line 3: key
 * "a" already set in map`, where the line is that of the value. Problems inside the value come
 * before that of its key. Only the same value is the same key: `1` and `"1"` are two. Keys that a
 * merge brings count like those written, which makes overriding them a problem too. `Warn` sends
 * one `Warning` per line; for `Strict` see `strictDecodingError`.
 *
 * Unlike there, a line is told once however often an alias repeats it, and no more than 100.
 */
import type { Alias, Node, Pair, YAMLMap } from 'yaml';
import { STRICT_PROBLEMS_MAX } from '../json/strict-check.ts';
import { quoteText } from '../json/strict-quote.ts';
import { YAML_DEPTH_MAX } from './yaml-document.ts';
import { isMergeKey, offsetOf, resolveScalar } from './yaml-json.ts';
import { isAlias, isMap, isScalar, isSeq } from './yaml-package.ts';

/** Merges can repeat each other; the conversion to JSON has refused documents with more entries. */
const MERGED_ENTRIES_MAX = 100_000;

/** The keys that repeat in a document that can be JSON, composed with its source tokens. */
export function duplicateKeys(root: Node, lineOf: (offset: number) => number): string[] {
  const scan = new DuplicateScan(lineOf);
  scan.visit(root);
  return [...scan.problems];
}

type MapNode = YAMLMap<Node, Node | null>;
type Entry = Pair<Node, Node | null>;

class DuplicateScan {
  readonly problems = new Set<string>();
  readonly #lineOf: (offset: number) => number;
  /** The last anchor of each name so far, and the node to which each alias was bound. */
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node>();
  #mergedEntries = 0;

  constructor(lineOf: (offset: number) => number) {
    this.#lineOf = lineOf;
  }

  /** In the order of the document, so that an alias is met after its anchor. */
  visit(node: Node | null): void {
    if (node === null || this.problems.size >= STRICT_PROBLEMS_MAX) return;
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target !== undefined) this.#targets.set(node, target);
      return;
    }
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (isMap<Node, Node | null>(node)) this.#visitMap(node, new Set());
    else if (isSeq<Node>(node)) for (const item of node.items) this.visit(item);
  }

  #visitMap(map: MapNode, seen: Set<string>): void {
    for (const entry of map.items) {
      this.visit(entry.key);
      this.visit(entry.value);
      if (isMergeKey(entry.key)) this.#merge(entry.value, seen, 0);
      else this.#add(entry, seen);
    }
  }

  /** Keys that repeat inside the merged maps themselves are found where those maps stand. */
  #merge(source: Node | null, seen: Set<string>, depth: number): void {
    const node = this.#follow(source);
    if (depth > YAML_DEPTH_MAX) return;
    if (isMap<Node, Node | null>(node)) {
      for (const entry of node.items) {
        if (++this.#mergedEntries > MERGED_ENTRIES_MAX) return;
        if (isMergeKey(entry.key)) this.#merge(entry.value, seen, depth + 1);
        else this.#add(entry, seen);
      }
    } else if (isSeq<Node>(node)) {
      // The first map of a list wins, so that it is merged last.
      for (const item of node.items.toReversed()) this.#merge(item, seen, depth + 1);
    }
  }

  #add(entry: Entry, seen: Set<string>): void {
    const key = this.#follow(entry.key);
    const resolved = isScalar(key) ? resolveScalar(key) : undefined;
    if (resolved === undefined || this.problems.size >= STRICT_PROBLEMS_MAX) return;
    const shown = resolved.kind === 'string' ? quoteText(resolved.text) : resolved.text;
    if (seen.has(shown)) {
      this.problems.add(`line ${this.#lineOf(startOf(entry))}: key ${shown} already set in map`);
    }
    seen.add(shown);
  }

  #follow(node: Node | null): Node | null {
    return isAlias(node) ? (this.#targets.get(node) ?? null) : node;
  }
}

/** The start of a value, its anchor and tag included. */
function startOf({ key, value, srcToken }: Entry): number {
  const property = srcToken?.sep?.find(({ type }) => type === 'anchor' || type === 'tag');
  return property?.offset ?? offsetOf(value ?? key);
}
