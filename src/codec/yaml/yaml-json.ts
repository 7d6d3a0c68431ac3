/**
 * The nodes of a YAML document as JSON text. As the reference server does, keys that are not
 * strings are written as strings, of a key that repeats the last value counts, and members are in
 * the order of their names. Aliases and merge keys are expanded; integers keep all their digits.
 */
import type { Alias, Node, Scalar, YAMLMap } from 'yaml';
import type { ResolvedScalar } from './yaml-scalar.ts';
import { resolvePlain, resolveTagged } from './yaml-scalar.ts';
import { tooDeepText, YAML_DEPTH_MAX, YamlError } from './yaml-document.ts';
import type { Fail } from './yaml-document.ts';
import { isAlias, isMap, isScalar, isSeq } from './yaml-package.ts';

/**
 * The JSON text may be longer than the YAML text by this factor, plus a fixed allowance: without
 * aliases the factor is at most 5 (`{a,` becomes `{"a":null,`), so that only aliases are bounded.
 */
const GROWTH_FACTOR_MAX = 6;
const GROWTH_ALLOWANCE = 1024 * 1024;

const MERGE_TAG = 'tag:yaml.org,2002:merge';

/** `textLength` is that of the YAML text; `fail` throws with a line. */
export function jsonOfNodes(root: Node, textLength: number, fail: Fail): string {
  return new JsonWriter(textLength, fail).write(root);
}

function isImplicit(scalar: Scalar): boolean {
  return scalar.type === 'PLAIN' && scalar.tag === undefined && scalar.anchor === undefined;
}

/** Writes through text, so that no key can be mistaken for a member. */
class JsonWriter {
  readonly #fail: Fail;
  readonly #lengthMax: number;
  readonly #targets = new Map<Alias, Node>();
  /** The collections being written or merged: an alias to one of them has no end. */
  readonly #open = new Set<Node>();
  #json = '';
  /** Work that leaves no text: aliases followed, entries merged. */
  #hiddenWork = 0;
  #depth = 0;

  constructor(textLength: number, fail: Fail) {
    this.#fail = fail;
    this.#lengthMax = textLength * GROWTH_FACTOR_MAX + GROWTH_ALLOWANCE;
  }

  write(root: Node): string {
    this.#bindAliases(root, new Map(), 0);
    this.#writeNode(root);
    return this.#json;
  }

  /** An alias means the last anchor of its name before it; in a copy, not before the copy. */
  #bindAliases(node: Node | null, anchors: Map<string, Node>, depth: number): void {
    if (node === null) return;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) {
        return this.#fail(`unknown anchor '${node.source}' referenced`, offsetOf(node));
      }
      this.#targets.set(node, target);
      return;
    }
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor !== undefined) anchors.set(anchor, node);
    if (depth > YAML_DEPTH_MAX) this.#fail(tooDeepText(), offsetOf(node));
    if (isMap<Node, Node | null>(node)) {
      for (const { key, value } of node.items) {
        this.#bindAliases(key, anchors, depth + 1);
        this.#bindAliases(value, anchors, depth + 1);
      }
    } else if (isSeq<Node>(node)) {
      for (const item of node.items) this.#bindAliases(item, anchors, depth + 1);
    }
  }

  #writeNode(node: Node | null): void {
    if (node === null) {
      this.#json += 'null';
    } else if (isAlias(node)) {
      this.#writeNode(this.#follow(node));
    } else if (isScalar(node)) {
      this.#writeScalar(node);
    } else {
      this.#writeCollection(node);
    }
  }

  #writeScalar(node: Scalar): void {
    const { kind, text } = this.#resolve(node);
    if (kind === 'notFinite') throw new YamlError(`json: unsupported value: ${text}`);
    this.#json += kind === 'string' ? JSON.stringify(text) : text;
    this.#checkLength(node);
  }

  #writeCollection(node: Node): void {
    if (++this.#depth > YAML_DEPTH_MAX) this.#fail(tooDeepText(), offsetOf(node));
    this.#open.add(node);
    if (isMap<Node, Node | null>(node)) {
      let separator = '{';
      for (const [key, value] of inOrderOfNames(this.#entries(node))) {
        this.#json += `${separator}${JSON.stringify(key)}:`;
        this.#writeNode(value);
        separator = ',';
      }
      this.#json += separator === '{' ? '{}' : '}';
    } else if (isSeq<Node>(node)) {
      let separator = '[';
      for (const item of node.items) {
        this.#json += separator;
        this.#writeNode(item);
        separator = ',';
      }
      this.#json += separator === '[' ? '[]' : ']';
    }
    this.#checkLength(node);
    this.#open.delete(node);
    this.#depth--;
  }

  /** The entries of a map. A merge overrides entries before it, and none after it. */
  #entries(map: YAMLMap<Node, Node | null>): Map<string, Node | null> {
    const entries = new Map<string, Node | null>();
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) this.#merge(value, entries, offsetOf(map), true);
      else entries.set(this.#keyText(key), value);
    }
    return entries;
  }

  /** The value of a merge key: a map, or a list of maps of which the first to name a key wins. */
  #merge(
    source: Node | null,
    entries: Map<string, Node | null>,
    offset: number,
    listAllowed: boolean,
  ): void {
    const node = isAlias(source) ? this.#follow(source) : source;
    if (++this.#depth > YAML_DEPTH_MAX) this.#fail(tooDeepText(), offset);
    if (isMap<Node, Node | null>(node)) {
      this.#open.add(node);
      for (const [key, value] of this.#entries(node)) {
        this.#hiddenWork++;
        entries.set(key, value);
      }
      this.#checkLength(node);
      this.#open.delete(node);
    } else if (listAllowed && isSeq<Node>(node)) {
      for (const item of node.items.toReversed()) this.#merge(item, entries, offset, false);
    } else {
      this.#fail('map merge requires map or sequence of maps as the value', offset);
    }
    this.#depth--;
  }

  #keyText(node: Node | null): string {
    const target = isAlias(node) ? this.#follow(node) : node;
    if (!isScalar(target)) return this.#fail('invalid map key', offsetOf(node));
    const { kind, text } = this.#resolve(target);
    if (kind === 'null') throw new YamlError('null is not a valid map key');
    return kind === 'notFinite' ? notFiniteKey(text) : text;
  }

  #resolve(node: Scalar): ResolvedScalar {
    const resolved = resolveScalar(node);
    if (resolved !== undefined) return resolved;
    const shortTag = node.tag?.replace('tag:yaml.org,2002:', '!!');
    const what = JSON.stringify(node.source ?? '');
    return this.#fail(`cannot decode ${what} as a ${shortTag}`, offsetOf(node));
  }

  #follow(alias: Alias): Node {
    const target = this.#targets.get(alias)!;
    if (this.#open.has(target)) {
      this.#fail(`anchor '${alias.source}' value contains itself`, offsetOf(alias));
    }
    this.#hiddenWork++;
    this.#checkLength(alias);
    return target;
  }

  #checkLength(node: Node): void {
    if (this.#json.length + this.#hiddenWork <= this.#lengthMax) return;
    this.#fail('document contains excessive aliasing', offsetOf(node));
  }
}

function notFiniteKey(text: string): string {
  return text === 'NaN' ? '.nan' : text.replace(/^\+?/, '').replace('Inf', '.inf');
}

/** Undefined when the text is not of the type that its tag says. */
export function resolveScalar({ source = '', tag, type }: Scalar): ResolvedScalar | undefined {
  if (tag !== undefined) return resolveTagged(tag, source);
  return type === 'PLAIN' ? resolvePlain(source) : { kind: 'string', text: source };
}

/** Where the order of UTF-16, which sorting uses, is not that of UTF-8. */
const NOT_IN_BYTE_ORDER = /[\ud800-\uffff]/;

/** By the bytes of their names, as Go writes maps. */
function inOrderOfNames<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  const sorted = [...entries];
  if (sorted.some(([name]) => NOT_IN_BYTE_ORDER.test(name))) {
    return sorted.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }
  return sorted.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export function isMergeKey(key: Node | null): boolean {
  if (!isScalar(key)) return false;
  return key.tag === MERGE_TAG || (key.source === '<<' && isImplicit(key));
}

export function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
