/**
 * The entries of managedFields (README.md#entries): who owns which fields of an object. They are
 * read and written with every write of an object, so the server's own text has a reader of its own,
 * and an entry that did not change is written as it was read.
 */
import { compareTexts } from '../../base/text/compare-texts.ts';
import { quoteGo } from '../../codec/json/go-json.ts';
import { stringEnd } from '../../codec/json/json-cursor.ts';
import type { RawJson } from '../../codec/json/raw-json.ts';
import { nestsDeeperThan } from '../../codec/json/text-depth.ts';
import {
  EMPTY_SET,
  fieldSet,
  isEmptySet,
  LEAF,
  parseFieldsV1,
  withRoot,
  type FieldSet,
} from './field-set.ts';
import { fieldsV1Text } from './field-set-text.ts';

export interface ManagedEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** RFC 3339, whole seconds, UTC; '' for none. */
  readonly time: string;
  /** '' for the object itself. */
  readonly subresource: string;
  readonly fields: FieldSet;
}

/** Deeper FieldsV1 of a client counts as undecodable: no kind nests its fields so deep. */
export const SENT_FIELDS_DEPTH_MAX = 500;

/** Whether both are the same owner: for Update in the same version only (README.md#entries). */
export function isSameOwner(a: ManagedEntry, b: Omit<ManagedEntry, 'time' | 'fields'>): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion)
  );
}

/** The members that tell an owner from others, as text; the reference orders owners by it. */
export function ownerText(entry: ManagedEntry): string {
  const version = entry.operation === 'Apply' ? '' : entry.apiVersion;
  return `{${ownerMembers(entry, version)}${subresourceMember(entry, '')}}`;
}

function ownerMembers({ manager, operation }: ManagedEntry, apiVersion: string): string {
  const name = manager === '' ? '' : `"manager":${quoteGo(manager)},`;
  const version = apiVersion === '' ? '' : `,"apiVersion":${quoteGo(apiVersion)}`;
  return `${name}"operation":"${operation}"${version}`;
}

function subresourceMember({ subresource }: ManagedEntry, before: string): string {
  return subresource === '' ? before : `${before},"subresource":${quoteGo(subresource)}`;
}

/** The JSON text of the entries in their order (README.md#entries); '' when there are none. */
export function formatManagedFields(entries: readonly ManagedEntry[]): string {
  if (entries.length === 0) return '';
  let text = '';
  for (const entry of inOrder(entries)) {
    text += `${text === '' ? '[' : ','}${ReadEntry.textOf(entry) ?? entryText(entry)}`;
  }
  return `${text}]`;
}

function inOrder(entries: readonly ManagedEntry[]): readonly ManagedEntry[] {
  for (let at = 1; at < entries.length; at++) {
    const [before, after] = [entries[at - 1] as ManagedEntry, entries[at] as ManagedEntry];
    if (compareEntries(before, after) > 0) return entries.toSorted(compareEntries);
  }
  return entries;
}

function compareEntries(a: ManagedEntry, b: ManagedEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    compareTexts(a.time, b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

function entryText(entry: ManagedEntry): string {
  const { apiVersion, time, fields } = entry;
  const owner = ownerMembers(entry, apiVersion);
  const at = time === '' ? '' : `,"time":${quoteGo(time)}`;
  const fieldsV1 = `,"fieldsType":"FieldsV1","fieldsV1":${fieldsV1Text(fields)}`;
  return `{${owner}${at}${subresourceMember(entry, fieldsV1)}}`;
}

/** The entry with another time. */
export function withTime(entry: ManagedEntry, time: string): ManagedEntry {
  return ReadEntry.withTime(entry, time) ?? { ...entry, time };
}

/** What comes before the time in the text of an entry. In a string its quotes were escaped. */
const BEFORE_TIME = ',"time":"';

/** An entry that was read. It keeps its text for writing; a copy with other fields has none. */
class ReadEntry implements ManagedEntry {
  manager = '';
  operation: 'Apply' | 'Update' = 'Update';
  apiVersion = '';
  time = '';
  subresource = '';
  fields: FieldSet = EMPTY_SET;
  #text = '';

  /** Takes the members at the reader's place, which is the brace before them. */
  static read(reader: Reader): ReadEntry {
    const entry = new ReadEntry();
    const start = reader.at;
    while (reader.nextMember()) entry.#take(reader.takeString(), reader);
    entry.#text = reader.text.slice(start, reader.at);
    return entry;
  }

  /** Undefined for one that was not read, and for one without a time. */
  static withTime(entry: ManagedEntry, time: string): ReadEntry | undefined {
    if (!(#text in entry) || entry.time === '') return undefined;
    const copy = Object.assign(new ReadEntry(), entry, { time });
    const start = entry.#text.indexOf(BEFORE_TIME) + BEFORE_TIME.length;
    const rest = entry.#text.slice(start + entry.time.length);
    copy.#text = entry.#text.slice(0, start) + time + rest;
    return copy;
  }

  static textOf(entry: ManagedEntry): string | undefined {
    return #text in entry ? entry.#text : undefined;
  }

  #take(name: string, reader: Reader): void {
    reader.at += 1;
    switch (name) {
      case 'manager':
      case 'apiVersion':
      case 'time':
      case 'subresource':
        this[name] = reader.takeString();
        return;
      case 'operation':
        this.operation = reader.takeString() as 'Apply' | 'Update';
        return;
      case 'fieldsV1':
        this.fields = withRoot(reader.takeSet(), false);
        return;
      case 'fieldsType':
        reader.takeString();
        return;
      default:
        throw new Error(`managedFields has no member ${name}`);
    }
  }
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const QUOTE = 0x22;

/** Reads compact text with elements that are canonical and in order, as the server writes it. */
class Reader {
  readonly text: string;
  at = 0;
  /** The position of the next escape: strings before it need no unescaping. */
  #escape: number;

  constructor(text: string) {
    this.text = text;
    this.#escape = nextBackslash(text, 0);
  }

  /** Whether another member follows; goes to its name, or behind the object. */
  nextMember(): boolean {
    const code = this.text.charCodeAt(this.at);
    this.at += 1;
    if (code === CLOSE_BRACE) return false;
    if (code !== OPEN_BRACE && code !== COMMA) this.#fail();
    if (this.text.charCodeAt(this.at) !== CLOSE_BRACE) return true;
    this.at += 1;
    return false;
  }

  takeString(): string {
    const { text, at } = this;
    const end = text.indexOf('"', at + 1);
    if (end < 0 || text.charCodeAt(at) !== QUOTE) this.#fail();
    if (this.#escape < at) this.#escape = nextBackslash(text, at);
    if (this.#escape > end) {
      this.at = end + 1;
      return text.slice(at + 1, end);
    }
    this.at = stringEnd(text, at);
    return JSON.parse(text.slice(at, this.at)) as string;
  }

  takeSet(): FieldSet {
    const { text } = this;
    const start = this.at;
    if (text.charCodeAt(start) === OPEN_BRACE && text.charCodeAt(start + 1) === CLOSE_BRACE) {
      this.at = start + 2;
      return LEAF;
    }
    let isMember = false;
    const elements: string[] = [];
    const children: FieldSet[] = [];
    while (this.nextMember()) {
      const element = this.takeString();
      this.at += 1;
      const child = this.takeSet();
      if (element === '.') isMember = true;
      else {
        elements.push(element);
        children.push(child);
      }
    }
    return fieldSet(isMember, elements, children);
  }

  takeEntries(): ManagedEntry[] {
    const entries: ManagedEntry[] = [];
    if (this.text.charCodeAt(0) !== OPEN_BRACKET) this.#fail();
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      this.at += 1;
      if (code === CLOSE_BRACKET) return entries;
      if (code !== COMMA && code !== OPEN_BRACKET) this.#fail();
      entries.push(ReadEntry.read(this));
    }
  }

  #fail(): never {
    throw new Error(`managedFields were not written by this server, at ${this.at}`);
  }
}

function nextBackslash(text: string, from: number): number {
  const at = text.indexOf('\\', from);
  return at < 0 ? text.length : at;
}

/**
 * The entries of text that the server wrote, a JSON array; none for ''. Throws an Error for other
 * text.
 */
export function parseManagedFields(text: string): ManagedEntry[] {
  return text === '' || text === '[]' ? [] : new Reader(text).takeEntries();
}

/** A decoded entry; all members are as the client sent them. */
interface SentEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: RawJson;
  readonly subresource?: string;
}

/**
 * Reads the managedFields that a client sent (decoded entries): 'reset' for one empty entry,
 * undefined where the live state counts because nothing was sent or it cannot be understood
 * (README.md#updates). Entries that own nothing are left out, and the last of several entries for
 * one owner counts.
 */
export function sentManagedFields(
  sent: readonly unknown[] | undefined,
): 'reset' | readonly ManagedEntry[] | undefined {
  if (sent === undefined || sent.length === 0) return undefined;
  if (sent.length === 1 && Object.keys(sent[0] as object).length === 0) return 'reset';
  const byOwner = new Map<string, ManagedEntry>();
  for (const value of sent) {
    const entry = sentEntry(value as SentEntry);
    if (entry === undefined) return undefined;
    byOwner.set(ownerText(entry), entry);
  }
  return [...byOwner.values()].filter(({ fields }) => !isEmptySet(fields));
}

function sentEntry(sent: SentEntry): ManagedEntry | undefined {
  const { manager = '', operation, apiVersion = '', time = '', subresource = '' } = sent;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (apiVersion === '' || sent.fieldsType !== 'FieldsV1') return undefined;
  const fields = sentFields(sent.fieldsV1?.text);
  return fields && { manager, operation, apiVersion, time, subresource, fields };
}

function sentFields(text = 'null'): FieldSet | undefined {
  if (text === 'null') return EMPTY_SET;
  if (nestsDeeperThan(text, SENT_FIELDS_DEPTH_MAX)) return undefined;
  try {
    return parseFieldsV1(JSON.parse(text));
  } catch {
    return undefined;
  }
}
