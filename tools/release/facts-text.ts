/**
 * The facts of several releases in one text: each once, with the releases of which it is one.
 *
 * A line is a word of the subject, indented below those before it, and after a colon what is so; of
 * some releases alone where ` @` and their minors follow, and then ` ; ` and what is so of others.
 * What comes often stands once, at the head: `$3 = …` is what is so, `%3 = …` all after a colon.
 */
import { OptionsError } from '../flags.ts';
import type { Facts } from './facts.ts';

/** By minor. */
export type FactsByRelease = ReadonlyMap<number, Facts>;

/** A text that comes so often and is so long is written once. */
const REPEATS_MIN = 3;
const REPEATED_LENGTH_MIN = 12;
const OTHERWISE = ' ; ';
const NAME_BASE = 36;

interface Node {
  /** The texts, each with its minors. */
  readonly texts: Map<string, number[]>;
  readonly below: Map<string, Node>;
}

/** The text with the facts of a release in the place of those that it had of it. */
export function factsTextWith(before: string, minor: number, facts: Facts): string {
  const all = new Map(readFacts(before)).set(minor, facts);
  return writeFacts(all);
}

export function writeFacts(releases: FactsByRelease): string {
  const minors = [...releases.keys()].sort((a, b) => a - b);
  const root: Node = { texts: new Map(), below: new Map() };
  for (const minor of minors) {
    for (const [subject, text] of releases.get(minor) ?? []) {
      const { texts } = nodeAt(root, subject);
      const known = texts.get(text);
      if (known === undefined) texts.set(text, [minor]);
      else known.push(minor);
    }
  }
  const texts = namesOfRepeated(textsBelow(root), '$');
  const lines = linesBelow(root, '', { minors, texts });
  const wholes = namesOfRepeated(
    lines.map(({ text }) => text),
    '%',
  );
  const head = Array.from([...texts, ...wholes], ([text, name]) => `${name} = ${text}\n`);
  const body = lines.map(({ start, text }) => {
    return text === '' ? `${start}\n` : `${start}: ${wholes.get(text) ?? text}\n`;
  });
  return [`${rangesText(minors, [])}\n`, ...head, ...body].join('');
}

function nodeAt(root: Node, subject: string): Node {
  let node = root;
  for (const word of subject.split(' ')) {
    const next: Node = node.below.get(word) ?? { texts: new Map(), below: new Map() };
    node.below.set(word, next);
    node = next;
  }
  return node;
}

function textsBelow({ texts, below }: Node): readonly string[] {
  return [...texts.keys(), ...[...below.values()].flatMap(textsBelow)];
}

interface Line {
  /** The word, indented. */
  readonly start: string;
  /** '' for none. */
  readonly text: string;
}

interface Writing {
  readonly minors: readonly number[];
  readonly texts: ReadonlyMap<string, string>;
}

function linesBelow({ below }: Node, indent: string, writing: Writing): Line[] {
  const sorted = [...below].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([word, node]) => {
    const all = Array.from(node.texts, ([text, minors]) => {
      const ranges = rangesText(minors, writing.minors);
      const shown = writing.texts.get(text) ?? text;
      return ranges === '' ? shown : `${shown} @${ranges}`;
    });
    const line = { start: `${indent}${word}`, text: all.join(OTHERWISE) };
    return [line, ...linesBelow(node, `${indent} `, writing)];
  });
}

/** Short names of the texts that come often. */
function namesOfRepeated(texts: readonly string[], sign: string): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const often = [...counts]
    .filter(([text, times]) => times >= REPEATS_MIN && text.length >= REPEATED_LENGTH_MIN)
    .map(([text]) => text)
    .sort();
  return new Map(often.map((text, index) => [text, `${sign}${index.toString(NAME_BASE)}`]));
}

/** `23-25,28-`, where 28 and all that follow are meant; '' for all of them. */
function rangesText(minors: readonly number[], all: readonly number[]): string {
  if (minors.length === all.length) return '';
  const ranges: string[] = [];
  let first = 0;
  for (const [index, minor] of minors.entries()) {
    const from = minors[first] ?? minor;
    if (minors[index + 1] === minor + 1) continue;
    const end = minor === all.at(-1) ? '' : String(minor);
    ranges.push(from === minor && end !== '' ? String(from) : `${from}-${end}`);
    first = index + 1;
  }
  return ranges.join(',');
}

/** Throws `OptionsError` for a text that is none of these. */
export function readFacts(text: string): FactsByRelease {
  if (text === '') return new Map();
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const minors = minorsIn(head, []);
  const releases = new Map(minors.map((minor) => [minor, new Map<string, string>()]));
  const named = new Map<string, string>();
  const words: string[] = [];
  for (const line of lines) {
    const [, name, meant] = /^([$%][0-9a-z]+) = (.*)$/.exec(line) ?? [];
    if (name !== undefined && meant !== undefined) {
      named.set(name, meant);
      continue;
    }
    const [, indent, word, said] = /^( *)([^ ]+?)(?:: (.*))?$/.exec(line) ?? [];
    if (indent === undefined || word === undefined) throw new OptionsError(`no fact: ${line}`);
    words.length = indent.length;
    words.push(word);
    if (said === undefined) continue;
    const subject = words.join(' ');
    for (const one of (named.get(said) ?? said).split(OTHERWISE)) {
      const [, fact = one, ranges] = /^(.*?)(?: @([0-9,-]+))?$/.exec(one) ?? [];
      for (const minor of ranges === undefined ? minors : minorsIn(ranges, minors)) {
        releases.get(minor)?.set(subject, named.get(fact) ?? fact);
      }
    }
  }
  return releases;
}

function minorsIn(ranges: string, all: readonly number[]): readonly number[] {
  return ranges.split(',').flatMap((range) => {
    const [from = '', end = from] = range.split('-');
    const last = end === '' ? (all.at(-1) ?? 0) : Number(end);
    return Array.from({ length: last - Number(from) + 1 }, (_, index) => Number(from) + index);
  });
}
