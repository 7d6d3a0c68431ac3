/**
 * Scenarios of server-side apply, in a notation that reads as a dialogue of managers. A scenario is
 * a few lines: what managers do, and what is then to be seen.
 *
 *     apply ann       {text: a, flag: true}   ann applies this configuration
 *     update bot      {text: b, flag: true}   bot writes this whole object
 *     apply ann       {text: c, flag: true}   is refused:
 *     conflict        updated bot .text
 *     force ann       {text: c, flag: true}   ann takes what she needs
 *     is              {text: c, flag: true}   the object
 *     applied ann     .text .flag             all that is owned: one line per entry
 *
 * Writers may say where: `apply ann in v2 on status {…}`. The other steps:
 *
 *     given {…}       the object is so, and nobody owns anything
 *     own updated bot at 3 .text    adds an entry
 *     serve v2 v3     from here on, only these versions are served
 *     at 7            the time of what follows, in seconds
 *
 * and what else can be seen:
 *
 *     fails …         the step before is refused, with this text (` | ` is a line's end)
 *     says …          the whole text of the conflict before
 *     unowned         there are no entries
 *     order ann bot   the managers as they are written down
 *     same            the step before has changed neither the object nor an entry
 *
 * Objects are YAML 1.2, in which `y` is a text. Paths are as errors have them, without the quotes
 * that words do not need, and with braces as a shell has them: `.list[name=a]{,.name,.value}` are
 * three.
 */
import type { Test } from 'tap';
import { parse } from 'yaml';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import type { Members, SchemaModel } from '../../src/codec/model/schema-model.ts';
import { ApplyConflictError, applyConfig } from '../../src/semantics/fields/apply.ts';
import { compareFields } from '../../src/semantics/fields/compare-fields.ts';
import { compileFieldTypes } from '../../src/semantics/fields/field-types.ts';
import type { StructType } from '../../src/semantics/fields/field-types.ts';
import { formatManagedFields } from '../../src/semantics/fields/managed-fields.ts';
import type { ManagedEntry } from '../../src/semantics/fields/managed-fields.ts';
import { trackUpdate } from '../../src/semantics/fields/track-update.ts';
import type { Ownable, Writer } from '../../src/semantics/fields/track-update.ts';
import { equalDocuments } from '../../src/semantics/patch/document.ts';
import { expandPaths, parseSet, pathsOf } from '../apply/field-paths.ts';

export type Convert = (document: Members, from: string, to: string) => Members;

export interface Schema {
  /** The first is that of writers who name none. */
  readonly versions: readonly string[];
  readonly typeOf: (version: string) => StructType;
  readonly convert: Convert;
  /** The object that nothing was written to. */
  readonly zero: Members;
  /** The members that writers can own, by subresource. */
  readonly ownable: Readonly<Record<string, Ownable>>;
}

export type SchemaOptions = Partial<Omit<Schema, 'typeOf'>>;

/**
 * A schema of proto text whose root is the message `Object`. In it, `@` stands for the version:
 * members that end in `_v1` are `_v2` in v2, and so on.
 */
export function schema(text: string, options: SchemaOptions = {}): Schema {
  const head = 'syntax = "proto2"; package demo.v1;';
  const types = new Map<string, StructType>();
  const typeOf = (version: string): StructType => {
    let type = types.get(version);
    if (type === undefined) {
      const body = text.replaceAll('@', version);
      type = compileFieldTypes(loadSchemaModel({ 'demo.proto': head + body }), 'demo.v1.Object');
      types.set(version, type);
    }
    return type;
  };
  return { ...DEFAULTS, typeOf, ...options };
}

/** The schema of a kind that is served, in its one version. */
export function kindSchema(
  model: SchemaModel,
  message: string,
  version: string,
  options: SchemaOptions = {},
): Schema {
  const type = compileFieldTypes(model, message);
  return { ...DEFAULTS, versions: [version], typeOf: () => type, ...options };
}

const DEFAULTS = {
  versions: ['v1', 'v2', 'v3', 'v4'],
  convert: (document: Members, from: string, to: string): Members =>
    renameMembers(document, `_${from}`, `_${to}`) as Members,
  zero: {},
  ownable: {},
};

function renameMembers(node: unknown, from: string, to: string): unknown {
  if (from === to || typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => renameMembers(item, from, to));
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => [
    name.endsWith(from) ? name.slice(0, -from.length) + to : name,
    renameMembers(value, from, to),
  ]);
  return Object.fromEntries(entries);
}

/** Adds one test per scenario, by its name: what is seen must be what stands there. */
export function scenarios(
  t: Test,
  schema: Schema,
  scripts: Readonly<Record<string, string>>,
): void {
  for (const [name, script] of Object.entries(scripts)) {
    const lines = scriptLines(script);
    t.same(new Run(schema).transcript(lines), lines, name);
  }
}

/** The lines of a script; objects over several lines are joined to one. */
function scriptLines(script: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const raw of script.split('\n')) {
    const line = raw.trim();
    if (line === '') continue;
    const spaced = TEXT.test(line) ? line.replace(/ +/, ' ') : line.replaceAll(/ {2,}/g, ' ');
    lines.push(isOpen ? `${lines.pop()} ${spaced}` : spaced);
    isOpen = !TEXT.test(lines.at(-1) ?? '') && bracketsOpen(lines.at(-1) ?? '');
  }
  return lines;
}

const TEXT = /^(?:fails|says) /;

function bracketsOpen(line: string): boolean {
  return line.replaceAll(/[^[{]/g, '').length > line.replaceAll(/[^\]}]/g, '').length;
}

export function parseObject(text: string): Members {
  return parse(text) as Members;
}

const STEP =
  /^(apply|force|update) ([\w.-]+)(?: in ([\w./]+))?(?: on (\w+))? (\{.*\})$|^(given) (.*)$/;
const ENTRY = /^(applied|updated) ([\w.-]+)(?: in ([\w./]+))?(?: on (\w+))?(?: at (\d+))?(?: |$)/;

class Run {
  readonly #schema: Schema;
  #served: readonly string[];
  #seconds = 0;
  /** The version in which the object was last written. */
  #version: string;
  #live: Members | undefined;
  #entries: readonly ManagedEntry[] = [];
  #error: Error | undefined;
  #isSame = false;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#served = schema.versions;
    this.#version = schema.versions[0] ?? 'v1';
  }

  /** Gives the same lines, but where something else was seen. */
  transcript(lines: readonly string[]): string[] {
    const seen: string[] = [];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? '';
      if (/^(?:applied|updated) /.test(line)) {
        const block = lines.slice(at, at + lengthWhile(lines, at, /^(?:applied|updated) /));
        at += block.length - 1;
        seen.push(...this.#owners(block));
      } else if (line.startsWith('conflict ')) {
        const block = lines.slice(at, at + lengthWhile(lines, at, /^conflict /));
        at += block.length - 1;
        seen.push(...this.#conflicts(block));
      } else {
        seen.push(...this.#line(line, lines[at + 1] ?? ''));
      }
    }
    return seen;
  }

  #line(line: string, next: string): string[] {
    const [word, rest] = splitOnce(line);
    switch (word) {
      case 'at':
        this.#seconds = Number(rest);
        return [line];
      case 'serve':
        this.#served = rest.split(' ');
        return [line];
      case 'own':
        this.#entries = [...this.#entries, this.#parseEntry(rest)];
        return [line];
      case 'is':
        return [equalDocuments(this.#live, parseObject(rest)) ? line : `is ${text(this.#live)}`];
      case 'unowned':
        return this.#entries.length === 0 ? [line] : this.#owners([]);
      case 'order':
        return [`order ${writtenManagers(this.#entries).join(' ')}`];
      case 'same':
        return [this.#isSame ? line : `is ${text(this.#live)}`];
      case 'fails':
      case 'says':
        return [`${word} ${(this.#error?.message ?? '').replaceAll('\n', ' | ')}`];
      default:
        return [line, ...this.#step(line, next)];
    }
  }

  /** An error that the next line does not speak of is seen too. */
  #step(line: string, next: string): string[] {
    const match = STEP.exec(line);
    if (match === null) throw new Error(`what is: ${line}`);
    const [, verb, manager = '', version, subresource = '', object = '', given, start] = match;
    const before = { live: this.#live, entries: this.#entries };
    this.#error = undefined;
    if (given !== undefined) {
      this.#live = parseObject(start ?? '');
      return [];
    }
    const writer: Writer = {
      manager,
      apiVersion: version ?? this.#schema.versions[0] ?? 'v1',
      subresource,
      time: timeText(this.#seconds),
    };
    try {
      if (verb === 'update') this.#update(writer, parseObject(object));
      else this.#apply(writer, parseObject(object), verb === 'force');
    } catch (error) {
      this.#error = error as Error;
    }
    const isSame = equalDocuments(before.live, this.#live);
    this.#isSame = isSame && before.entries === this.#entries;
    if (this.#error === undefined || /^(?:fails|conflict|says) /.test(next)) return [];
    if (!(this.#error instanceof ApplyConflictError)) return [`fails ${this.#error.stack}`];
    return this.#conflicts([]);
  }

  #liveIn(version: string): Members | undefined {
    return this.#live && this.#schema.convert(this.#live, this.#version, version);
  }

  #update(writer: Writer, object: Members): void {
    const { typeOf, convert, zero } = this.#schema;
    const wasTracked = this.#live === undefined || this.#entries.length > 0;
    const before = this.#liveIn(writer.apiVersion) ?? zero;
    const compareIn = (version: string) =>
      this.#served.includes(version)
        ? compareFields(
            typeOf(version),
            convert(before, writer.apiVersion, version),
            convert(object, writer.apiVersion, version),
          )
        : undefined;
    // Nothing is tracked of an object that nobody owns anything of, until it is applied to.
    if (wasTracked) {
      const ownable = this.#schema.ownable[writer.subresource] ?? {};
      this.#entries = trackUpdate(this.#entries, writer, compareIn, ownable);
    }
    this.#live = object;
    this.#version = writer.apiVersion;
  }

  #apply(writer: Writer, config: Members, force: boolean): void {
    const { typeOf, convert, zero, ownable } = this.#schema;
    const applied = applyConfig({
      live: this.#liveIn(writer.apiVersion),
      config,
      entries: this.#entries,
      writer,
      force,
      versions: {
        typeOf: (version) => (this.#served.includes(version) ? typeOf(version) : undefined),
        convert,
      },
      ownable: ownable[writer.subresource] ?? {},
      emptyObject: zero,
    });
    this.#live = applied.document;
    this.#entries = applied.entries;
    this.#version = writer.apiVersion;
  }

  #owners(expected: readonly string[]): string[] {
    const withTime = expected.some((line) => ENTRY.exec(line)?.[5] !== undefined);
    const seen = this.#entries.map((entry) => this.#entryText(entry, withTime));
    return sameLines(seen, expected) ? [...expected] : seen.toSorted();
  }

  #entryText(entry: ManagedEntry, withTime: boolean): string {
    const { manager, operation, apiVersion, subresource, time, fields } = entry;
    const version = apiVersion === this.#schema.versions[0] ? '' : ` in ${apiVersion}`;
    const where = subresource === '' ? '' : ` on ${subresource}`;
    const when = withTime ? ` at ${secondsOf(time)}` : '';
    const verb = operation === 'Apply' ? 'applied' : 'updated';
    return [`${verb} ${manager}${version}${where}${when}`, ...pathsOf(fields)].join(' ');
  }

  #parseEntry(text: string): ManagedEntry {
    const match = ENTRY.exec(text);
    if (match === null) throw new Error(`what entry is: ${text}`);
    const [head, verb, manager = '', version, subresource = '', seconds] = match;
    return {
      manager,
      operation: verb === 'applied' ? 'Apply' : 'Update',
      apiVersion: version ?? this.#schema.versions[0] ?? 'v1',
      time: seconds === undefined ? '' : timeText(Number(seconds)),
      subresource,
      fields: parseSet(text.slice(head.length)),
    };
  }

  #conflicts(expected: readonly string[]): string[] {
    if (this.#error === undefined) return ['no conflict'];
    if (!(this.#error instanceof ApplyConflictError)) return [`fails ${this.#error.stack}`];
    const seen = new Map<string, string[]>();
    for (const { message, field } of this.#error.causes) {
      const owner = ownerOf(message);
      seen.set(owner, [...(seen.get(owner) ?? []), field]);
    }
    const lines = [...seen].map(([owner, paths]) => ['conflict', owner, ...paths.sort()].join(' '));
    return sameLines(lines, expected) ? [...expected] : lines;
  }
}

/** From the message of a cause: `conflict with "ann" with subresource "status" using v1 at …`. */
function ownerOf(message: string): string {
  const match =
    /^conflict with "(.*?)"(?: with subresource "(.*?)")?(?: using (\S+?)(?: at \S+)?)?$/.exec(
      message,
    );
  if (match === null) return message;
  const [, manager, subresource, version] = match;
  const where = subresource === undefined ? '' : ` on ${subresource}`;
  return `${version === undefined ? 'applied' : 'updated'} ${manager}${where}`;
}

function writtenManagers(entries: readonly ManagedEntry[]): string[] {
  const written: unknown = JSON.parse(formatManagedFields(entries) || '[]');
  return (written as { manager: string }[]).map(({ manager }) => manager);
}

function sameLines(seen: readonly string[], expected: readonly string[]): boolean {
  const normal = expected.map((line) => {
    const [, head = line, paths = ''] = /^(.*?)(?: ([.[{].*))?$/.exec(line) ?? [];
    return [head, ...expandPaths(paths)].join(' ');
  });
  return normal.toSorted().join('\n') === seen.toSorted().join('\n');
}

function lengthWhile(lines: readonly string[], from: number, pattern: RegExp): number {
  const end = lines.findIndex((line, at) => at >= from && !pattern.test(line));
  return (end < 0 ? lines.length : end) - from;
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(' ');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

function text(document: unknown): string {
  return document === undefined ? 'absent' : JSON.stringify(document);
}

function timeText(seconds: number): string {
  return new Date(Date.UTC(2030, 0, 1) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function secondsOf(time: string): string {
  return time === '' ? 'none' : String((Date.parse(time) - Date.UTC(2030, 0, 1)) / 1000);
}
