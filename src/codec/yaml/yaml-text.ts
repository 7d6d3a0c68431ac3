/**
 * JSON text as YAML, as the reference server answers in it (../README.md#yaml): block style,
 * members in the order of its YAML library, long lines folded. Where its text would mean different
 * things to readers of YAML 1.1 and 1.2, it is quoted. Nothing is parsed into values, so that
 * integers keep their digits; and nothing recurses, so that any depth that JSON may have is fine.
 */
import { wellFormed } from '../json/go-json.ts';
import { stringEnd } from '../json/json-cursor.ts';
import { compareKeys } from './yaml-key-order.ts';
import {
  isSimpleKey,
  numberText,
  oneLineText,
  quotedText,
  stringText,
} from './yaml-scalar-text.ts';

/**
 * Deeper levels are written between braces and brackets, on one line: indented by more than the
 * width of a page, the text would grow with depth times size.
 */
const BLOCK_DEPTH_MAX = 40;

const INDENT_WIDTH = 2;
const HYPHEN = '- ';

/** A YAML document, which ends with a line feed, from valid JSON text. */
export function yamlText(json: string): string {
  // Writes it as the item of a list, and cuts off the hyphen.
  return `${itemText(json, -INDENT_WIDTH).slice(HYPHEN.length)}\n`;
}

/** Writes an item of a list that is not indented, such as stands after `items: `. */
export function yamlListItem(json: string): string {
  return `${itemText(json, 0)}\n`;
}

/** A map or sequence that is being written. */
interface Collection {
  readonly isMap: boolean;
  /** Between braces or brackets. */
  readonly isFlow: boolean;
  /** The indentation of its lines: where its keys or hyphens stand. */
  readonly indent: number;
  /** The text between two members or items. */
  readonly separator: string;
  /** For a map: the text of each member, by its key. */
  readonly members: Map<string, string>;
  /** For a map: the key of the value that comes next. */
  key: Key | undefined;
  /** For a sequence: the text of its items. */
  items: string;
}

interface Key {
  readonly name: string;
  readonly text: string;
  /** Whether it stands before its colon, in the same line. */
  readonly isSimple: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** The value as the only item of a sequence at `indent`, without a line feed at the end. */
function itemText(json: string, indent: number): string {
  const root = newCollection(false, false, indent);
  const open = [root];
  let top = root;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(json, at);
      addString(top, stringOf(json.slice(at, end)));
      at = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      top = collectionIn(top, code === OPEN_BRACE, open.length > BLOCK_DEPTH_MAX);
      open.push(top);
      at++;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      const closed = top;
      open.pop();
      top = open.at(-1) ?? root;
      addCollection(top, closed);
      at++;
    } else if (code === COMMA || code === COLON || code <= SPACE) {
      at++;
    } else {
      const end = wordEnd(json, at);
      addValue(top, wordText(json.slice(at, end)));
      at = end;
    }
  }
  return root.items;
}

function stringOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  return wellFormed(JSON.parse(literal) as string);
}

/** The position after a number, `true`, `false` or `null`. */
function wordEnd(json: string, start: number): number {
  let end = start + 1;
  for (; end < json.length; end++) {
    const code = json.charCodeAt(end);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE) break;
  }
  return end;
}

function wordText(word: string): string {
  return word === 'true' || word === 'false' || word === 'null' ? word : numberText(word);
}

function newCollection(isMap: boolean, isFlow: boolean, indent: number): Collection {
  const separator = isFlow ? ', ' : lineBreak(indent);
  return { isMap, isFlow, indent, separator, members: new Map(), key: undefined, items: '' };
}

const LINE_BREAKS: string[] = [];

/** A line feed, and the indentation of the next line. */
function lineBreak(indent: number): string {
  const columns = Math.max(indent, 0);
  return (LINE_BREAKS[columns] ??= `\n${' '.repeat(columns)}`);
}

/** A sequence is not indented under its key, all else is. */
function collectionIn(outer: Collection, isMap: boolean, isFlow: boolean): Collection {
  const isIndented = isMap || outer.key?.isSimple !== true;
  return newCollection(isMap, isFlow, isIndented ? outer.indent + INDENT_WIDTH : outer.indent);
}

/** A string is a key where a map has none yet. */
function addString(to: Collection, value: string): void {
  const inner = Math.max(to.indent, 0) + INDENT_WIDTH;
  if (to.isMap && to.key === undefined) {
    const isSimple = isSimpleKey(value);
    const text = to.isFlow
      ? quotedText(value)
      : isSimple
        ? oneLineText(value)
        : stringText(value, inner, inner);
    to.key = { name: value, text, isSimple };
  } else if (to.isFlow) {
    addValue(to, quotedText(value));
  } else {
    const gap = to.key?.isSimple === true ? to.key.text.length : 0;
    addValue(to, stringText(value, to.indent + INDENT_WIDTH + gap, inner));
  }
}

function addCollection(to: Collection, closed: Collection): void {
  const { isMap, isFlow, separator } = closed;
  const text = isMap ? membersText(closed) : closed.items;
  if (isFlow || text === '') addValue(to, isMap ? `{${text}}` : `[${text}]`);
  else addValue(to, text, to.key?.isSimple === true ? separator : ' ');
}

/** `gap` stands between the indicator of a value and its text. */
function addValue(to: Collection, text: string, gap = ' '): void {
  const { isFlow, key, separator } = to;
  if (key !== undefined) {
    to.key = undefined;
    const start = key.isSimple ? key.text : `? ${key.text}${isFlow ? ' ' : separator}`;
    to.members.set(key.name, `${start}:${gap}${text}`);
  } else {
    const item = isFlow ? text : `-${gap}${text}`;
    to.items += to.items === '' ? item : separator + item;
  }
}

/** Ropes of texts: joining them would copy the innermost one once for each level. */
function membersText({ members, separator }: Collection): string {
  let text = '';
  for (const name of [...members.keys()].sort(compareKeys)) {
    const member = members.get(name) ?? '';
    text += text === '' ? member : separator + member;
  }
  return text;
}
