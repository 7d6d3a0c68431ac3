/**
 * Reads all that can be read of a store that may be damaged, without the library, which would end
 * the process; nothing is written. What is given was written so; what cannot be read is told.
 */
import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { STORE_PAGE_BYTES } from '../../limits.ts';
import { checkedText, checkedValue } from '../checksum.ts';
import { CUSTOM_LOGS, DROPPED, NUMBER_OF } from '../lmdb-custom-logs.ts';
import { KEY_BYTES, seedOf } from '../lmdb-custom-log.ts';
import { newestOf, rootAt } from '../lmdb-root.ts';
import type { Root } from '../lmdb-root.ts';
import { CHECKED_FROM, FORMAT, SETTINGS } from '../lmdb-settings.ts';
import { LOGS } from '../lmdb-store.ts';
import { DICTIONARY_OF } from '../record-database.ts';
import { checkFile } from '../settle-file.ts';
import { isSameWitness, readMark, witnessOf } from '../store-mark.ts';
import { StoreError } from '../store.ts';
import { aheadFiles, readAhead, type LogAhead } from '../write-ahead/read-ahead.ts';
import { LenientPages, newestTransaction } from './lenient-pages.ts';
import { FoundVersions, type Loss } from './losses.ts';
import { claimOf, storedRecord } from './stored-value.ts';

const RV_BYTES = 8;
const PAGE_SIZES = [STORE_PAGE_BYTES, 4_096, 8_192, 32_768, 65_536];

export interface SalvagedLog {
  /** Of a custom type the uid of its definition. */
  readonly log: string;
  readonly isCustom: boolean;
  /** Empty where all of it is there. */
  readonly losses: readonly Loss[];
  readonly records: number;
}

type WrittenAhead = ReadonlyMap<string, LogAhead>;

/** A log by its name. */
export type LogOf = Pick<SalvagedLog, 'log' | 'isCustom'>;

export type RecordVisitor = (log: LogOf, rv: number, record: Buffer) => void;

export type VisitedLogs = { readonly builtIn: string } | 'custom' | 'all';

export interface Salvage {
  /** Settings that are as they were written. */
  readonly settings: ReadonlyMap<string, string>;
  readonly logs: readonly SalvagedLog[];
  /** Whatever is wrong beside the records: a line each. */
  readonly damage: readonly string[];
  /** The highest version of a record that can be read. */
  readonly lastRv: number;
  /**
   * Tells all records that can be read, a log after the other, in the order of its pages: of all
   * logs, of that of a built-in type, or of those of custom types.
   */
  readonly visit: (visitor: RecordVisitor, which?: VisitedLogs) => void;
  readonly close: () => void;
}

/** Throws StoreError where the file has nothing that leads to its records. */
export function salvage(file: string): Salvage {
  const descriptor = openSync(file, 'r');
  try {
    const damage: string[] = [];
    const ahead = readAhead(aheadFiles(dirname(file)), (damaged) => {
      damage.push(
        `the write-ahead file ${basename(damaged)}: what was written last cannot all be read`,
      );
    });
    const found = bestState(descriptor, ahead, damage);
    return { ...found, close: () => closeSync(descriptor) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The newest state of which all is there, or else the one of which most is. */
function bestState(
  descriptor: number,
  ahead: WrittenAhead,
  damage: string[],
): Omit<Salvage, 'close'> {
  const roots = rootsOf(descriptor, damage);
  let best: StoreState | undefined;
  for (const root of roots) {
    const state = new StoreState(descriptor, root, ahead);
    if (best === undefined || state.isWhole || (!best.isWhole && state.records > best.records)) {
      best = state;
    }
    if (best.isWhole) break;
  }
  if (best === undefined) {
    throw new StoreError('data.mdb has no root: nothing in it can be found');
  }
  if (best.root !== roots[0]) {
    damage.push(
      `the newest state cannot be read as well as the one before: what the last commits wrote, ` +
        `after version ${best.lastRv}, is lost`,
    );
  }
  const state = best;
  if (state.isWhole && damage.length + state.allDamage().length === 0) {
    const refused = refusalOf(descriptor);
    if (refused !== undefined) damage.push(`${refused}; all records can be read`);
  }
  return {
    settings: state.settings,
    logs: state.logs,
    damage: [...damage, ...state.allDamage()],
    lastRv: state.lastRv,
    visit: (visitor, which = 'all') => state.visit(visitor, which),
  };
}

/** Why a start would not take the file. */
function refusalOf(descriptor: number): string | undefined {
  try {
    checkFile(descriptor);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The roots that can be read, the one first that a start would take. */
function rootsOf(descriptor: number, damage: string[]): readonly Root[] {
  const first = rootIn(descriptor, 0);
  const sizes = first === undefined ? PAGE_SIZES : [first.pageSize];
  const second = sizes.map((size) => rootIn(descriptor, size)).find((root) => root !== undefined);
  const found = [first, second].filter((root) => root !== undefined);
  if (found.length < 2) damage.push('one of its two roots is unreadable');
  const order = (root: Root): bigint => newestTransaction(descriptor, root);
  const newest = found.sort((a, b) => Number(order(b) - order(a)));
  if (first !== undefined && second !== undefined) {
    const difference = first.transaction - second.transaction;
    const isInTurn = difference === 1n || difference === -1n;
    const isNew = first.transaction === 0n && second.transaction === 0n;
    if (!isInTurn && !isNew) damage.push('its two roots do not fit');
    if (isInTurn && newestOf([first, second]) !== newest[0]) newest.reverse();
  }
  const [known] = newest;
  const marked = known === undefined ? undefined : markOf(descriptor, known.pageSize, damage);
  if (marked === undefined) return newest;
  // What was not flushed may be there or not where the system has ended: only the mark knows.
  return marked.isTrusted ? [...newest, marked.root] : [marked.root];
}

function rootIn(descriptor: number, offset: number): Root | undefined {
  try {
    return rootAt(descriptor, offset);
  } catch {
    // It is one of two.
    return undefined;
  }
}

function markOf(descriptor: number, pageSize: number, damage: string[]) {
  try {
    const mark = readMark(descriptor, pageSize);
    if (mark === undefined) return undefined;
    // Where all was flushed its root is an old one.
    if (mark.isFlushed) return undefined;
    return { root: mark.root, isTrusted: isSameWitness(mark.witness, witnessOf(descriptor)) };
  } catch (error) {
    damage.push((error as Error).message);
    return undefined;
  }
}

/** The store as one root leads to it. */
class StoreState {
  readonly root: Root;
  readonly settings = new Map<string, string>();
  readonly damage: string[] = [];
  readonly logs: SalvagedLog[] = [];
  readonly #pages: LenientPages;
  readonly #ahead: WrittenAhead;
  lastRv = 0;
  records = 0;

  constructor(descriptor: number, root: Root, ahead: WrittenAhead) {
    this.root = root;
    this.#ahead = ahead;
    this.#pages = new LenientPages(descriptor, root);
    this.#readSettings();
    for (const what of this.#pages.damage) this.damage.push(what);
    this.#count();
  }

  /** All that is wrong beside the records. */
  allDamage(): readonly string[] {
    return [...this.damage, ...this.#pages.freeDamage];
  }

  /** All that was written can be read. */
  get isWhole(): boolean {
    return this.damage.length === 0 && this.logs.every(({ losses }) => losses.length === 0);
  }

  #readSettings(): void {
    const tree = this.#pages.trees.get(SETTINGS);
    if (tree === undefined) {
      if (this.#pages.trees.size > 0 || this.#pages.damage.size > 0) {
        this.damage.push('the settings are lost');
      }
      return;
    }
    this.#pages.visit(tree, {
      entry: (key, value) => {
        const name = key.toString();
        const stored = value.toString();
        const text = name === FORMAT ? stored : checkedText(stored, name);
        if (text === undefined) this.damage.push(`the setting ${name} is unreadable`);
        else this.settings.set(name, text);
      },
      lost: (what) => void this.damage.push(`the settings: ${what}`),
    });
  }

  /** Finds what is there and what is not. */
  #count(): void {
    const { trees } = this.#pages;
    for (const name of this.#builtIn()) {
      const found = new FoundVersions();
      if (trees.has(name)) this.#visitBuiltIn(name, found);
      else found.lost('all of it is missing');
      this.#add({ log: name, isCustom: false }, found);
    }
    if (!trees.has(CUSTOM_LOGS)) {
      for (const uid of this.#customNames().values()) {
        const found = new FoundVersions();
        found.lost('all of it is missing');
        this.#add({ log: uid, isCustom: true }, found);
      }
      return;
    }
    for (const [uid, found] of this.#visitCustom()) this.#add({ log: uid, isCustom: true }, found);
  }

  #add(name: LogOf, found: FoundVersions): void {
    for (const rv of found.rvs) this.lastRv = Math.max(this.lastRv, rv);
    this.records += found.rvs.length;
    this.logs.push({ ...name, losses: found.losses(), records: found.rvs.length });
  }

  /** The names of built-in types: those that were noted, or else those that are there. */
  #builtIn(): string[] {
    const text = this.settings.get(LOGS);
    if (text !== undefined) return JSON.parse(text) as string[];
    if (this.settings.size > 0 || this.damage.length === 0) {
      // An earlier version noted none.
      return [...this.#pages.trees.keys()].filter((name) => !name.startsWith('_'));
    }
    this.damage.push('which types there were is not known: only those that are there are told');
    return [...this.#pages.trees.keys()].filter((name) => !name.startsWith('_'));
  }

  /** By the numbers of logs of custom types, their names. */
  #customNames(): Map<number, string> {
    const names = new Map<number, string>();
    for (const [name, value] of this.settings) {
      if (name.startsWith(NUMBER_OF)) names.set(Number(value), name.slice(NUMBER_OF.length));
    }
    return names;
  }

  visit(visitor: RecordVisitor, which: VisitedLogs): void {
    for (const { log, isCustom } of this.logs) {
      const isVisited = which === 'all' || (which !== 'custom' && which.builtIn === log);
      if (isCustom || !isVisited) continue;
      const name = { log, isCustom };
      this.#visitBuiltIn(log, new FoundVersions(), (rv, record) => visitor(name, rv, record));
    }
    if (which === 'all' || which === 'custom') {
      this.#visitCustom((log, rv, record) => visitor({ log, isCustom: true }, rv, record));
    }
  }

  #dictionary(log: string): Buffer | undefined {
    const text = this.settings.get(DICTIONARY_OF + log);
    if (text === undefined) return undefined;
    const whole = Buffer.from(text);
    return whole.subarray(0, whole.length - (whole.length % 8));
  }

  #visitBuiltIn(
    name: string,
    found: FoundVersions,
    visit?: (rv: number, record: Buffer) => void,
  ): void {
    const tree = this.#pages.trees.get(name);
    if (tree === undefined) return;
    const checkedFrom = Number(this.settings.get(CHECKED_FROM) ?? 0);
    const dictionary = this.#dictionary(name);
    this.#pages.visit(tree, {
      lost: (what) => found.lost(what),
      entry: (key, value) => {
        if (key.length !== RV_BYTES) {
          found.lost('an entry has no version');
          return;
        }
        const rv = Number(key.readBigUInt64BE(0));
        if (rv === 0 || this.#isGone(name, rv)) return;
        const seed = rv < checkedFrom ? undefined : rv;
        const record = storedRecord(value, seed, dictionary);
        if (record === undefined) found.lost(`a record${claimOf(rv, value)}`);
        else if (found.add(rv)) visit?.(rv, record);
        else found.lost(`another entry says that it is version ${rv}`);
      },
    });
    this.#addAhead(name, found, (value, rv) => storedRecord(value, rv, dictionary), visit);
  }

  /** Whether a version has left a log since its pages were flushed. */
  #isGone(log: string, rv: number): boolean {
    return this.#ahead.get(log)?.removal?.rvs.has(rv) === true;
  }

  /** Adds what was written ahead of the pages. */
  #addAhead(
    log: string,
    found: FoundVersions,
    read: (value: Buffer, rv: number) => Buffer | undefined,
    visit?: (rv: number, record: Buffer) => void,
  ): void {
    for (const { rv, value } of this.#ahead.get(log)?.entries ?? []) {
      const record = read(value as Buffer, rv);
      if (record !== undefined && found.add(rv)) visit?.(rv, record);
    }
  }

  /** By the uids of definitions, what is found of their types. */
  #visitCustom(
    visit?: (uid: string, rv: number, record: Buffer) => void,
  ): ReadonlyMap<string, FoundVersions> {
    const names = this.#customNames();
    const dictionaries = new Map([...names.values()].map((uid) => [uid, this.#dictionary(uid)]));
    const found = new Map([...names.values()].map((uid) => [uid, new FoundVersions()]));
    const tree = this.#pages.trees.get(CUSTOM_LOGS);
    if (tree === undefined) return found;
    const unnamed = new Set<number>();
    let last = 0;
    /** Losses that may be of any log from the last entry to the next one. */
    let open: string[] = [];
    const close = (next: number): void => {
      for (const [number, uid] of names) {
        if (number < last || number > next) continue;
        for (const what of open) found.get(uid)?.lost(what);
      }
      open = [];
    };
    this.#pages.visit(tree, {
      lost: (what) => void open.push(what),
      entry: (key, value) => {
        const number = key.length === KEY_BYTES ? key.readUInt32BE(0) : -1;
        const rv = number < 0 ? 0 : Number(key.readBigUInt64BE(4));
        const uid = names.get(number);
        const seed = crc32(key);
        if (uid === undefined) {
          // Its name is lost, or it is being dropped; else the key itself is unreadable.
          if (checkedValue(value, seed) === undefined) open.push('a record');
          else if (!this.settings.has(DROPPED + number)) unnamed.add(number);
          return;
        }
        const record = rv === 0 ? undefined : storedRecord(value, seed, dictionaries.get(uid));
        if (rv === 0 ? checkedValue(value, seed) === undefined : record === undefined) {
          open.push(rv === 0 ? 'where it begins' : `a record${claimOf(rv, value)}`);
          return;
        }
        close(number);
        last = number;
        if (record === undefined || this.#isGone(uid, rv)) return;
        if (found.get(uid)?.add(rv) === true) visit?.(uid, rv, record);
      },
    });
    close(Infinity);
    for (const [number, uid] of names) {
      const versions = found.get(uid);
      if (versions === undefined) continue;
      const read = (value: Buffer, rv: number): Buffer | undefined =>
        storedRecord(value, seedOf(number, rv), dictionaries.get(uid));
      this.#addAhead(uid, versions, read, visit && ((rv, record) => visit(uid, rv, record)));
    }
    if (visit === undefined) {
      for (const number of unnamed) this.damage.push(`the name of custom log ${number} is lost`);
    }
    return found;
  }
}
