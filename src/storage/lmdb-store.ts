/** The Store on LMDB: one environment, a sub-database for each log, and one for the settings. */
import { isDeepStrictEqual } from 'node:util';
import type { Database, RootDatabase } from 'lmdb';
import type { Timers } from '../base/time/timers.ts';
import { FREE_SPACE_FOR_DELETIONS_BYTES_MIN } from '../limits.ts';
import type { Compression } from './record-database.ts';
import { copyFile } from './copy-store.ts';
import type { Flusher, RegularFlusher } from './flusher.ts';
import type { FreeSpace } from './free-space.ts';
import { CustomLogs } from './lmdb-custom-logs.ts';
import type { CustomLog } from './lmdb-custom-log.ts';
import { damaged, onDisk } from './lmdb-errors.ts';
import { LmdbLog } from './lmdb-log.ts';
import { CHECKED_FROM, LmdbSettings, SETTINGS } from './lmdb-settings.ts';
import type { Moment, Settings, Store, TypeLog } from './store.ts';

/** The logs that there are: one that is missing has not just never been made. */
export const LOGS = 'logs';
const SECRETS = 'secrets';

/** Where commits do not wait for the disk. */
export interface Flushing {
  readonly flusher: Flusher;
  /** Present in the one thread that flushes now and then. */
  readonly regular: RegularFlusher | undefined;
}

class DurableSettings implements Settings {
  readonly #settings: LmdbSettings;
  readonly #space: FreeSpace;
  readonly #flushing: Flushing | undefined;

  constructor(settings: LmdbSettings, space: FreeSpace, flushing: Flushing | undefined) {
    this.#settings = settings;
    this.#space = space;
    this.#flushing = flushing;
  }

  get(name: string): string | undefined {
    return this.#settings.get(name);
  }

  async put(name: string, value: string): Promise<void> {
    this.#space.check(value.length, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    await this.#settings.put(name, value);
    await this.#flushing?.flusher.flush();
  }

  swap(name: string, swap: (value: string | undefined) => string): void {
    this.#settings.transaction(() => this.#settings.putNow(name, swap(this.#settings.get(name))));
  }
}

export class LmdbStore implements Store {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #flushing: Flushing | undefined;
  readonly settings: LmdbSettings;
  readonly shared: Settings;
  /** In the same table: the disk is of one server. */
  readonly local: Settings;
  readonly #customLogs: CustomLogs;
  readonly #space: FreeSpace;
  readonly #timers: Timers;
  /** The names of the sub-databases that there were when the store was opened. */
  readonly #names: ReadonlySet<string>;

  constructor(
    root: RootDatabase<Buffer, Buffer>,
    flushing: Flushing | undefined,
    space: FreeSpace,
    timers: Timers,
  ) {
    this.#root = root;
    this.#flushing = flushing;
    this.#space = space;
    this.#timers = timers;
    this.#names = new Set(root.getKeys().map((key) => key.toString().replace(/\0$/, '')));
    this.settings = new LmdbSettings(root);
    this.shared = new DurableSettings(this.settings, space, flushing);
    this.local = this.shared;
    this.#customLogs = new CustomLogs(root, this.settings, space, timers);
  }

  moment(): Moment {
    for (;;) {
      const logs = new Map(this.notedLogs().map((type) => [type, this.#log(type)]));
      const custom = this.#customLogs.names();
      const customLogs = new Map<string, CustomLog>();
      for (const name of custom) {
        const log = this.#customLogs.find(name);
        if (log !== undefined) customLogs.set(name, log);
      }
      // Whatever is opened ends the view of the moment before: from here on all is of one.
      this.#root.resetReadTxn();
      const isWhole = isDeepStrictEqual(this.#customLogs.namesNow(), [...customLogs.keys()]);
      const all = [...logs.values(), ...customLogs.values()];
      if (isWhole && !all.some((log) => log.refresh())) return { logs, customLogs };
    }
  }

  openLog(type: string): TypeLog {
    return this.#log(type);
  }

  #log(type: string): LmdbLog {
    const checkedFrom = Number(this.settings.get(CHECKED_FROM) ?? 0);
    if (!this.#names.has(type) && this.notedLogs().includes(type)) throw damaged(`the log ${type}`);
    return new LmdbLog(this.#space, {
      name: type,
      open: (compression) => this.#open(type, compression),
      settings: this.settings,
      isSecret: type === SECRETS,
      checkedFrom,
      timers: this.#timers,
    });
  }

  #open(name: string, compression: Compression | false): Database<Buffer, Buffer> {
    const options = { name, encoding: 'binary', keyEncoding: 'binary', compression } as const;
    return onDisk(name, () => this.#root.openDB<Buffer, Buffer>(options));
  }

  openCustomLog(name: string): TypeLog {
    return this.#customLogs.open(name);
  }

  customLogs(): readonly string[] {
    return this.#customLogs.names();
  }

  dropLog(name: string): Promise<void> {
    return this.#customLogs.drop(name);
  }

  finishDrops(): Promise<void> {
    return this.#customLogs.finishDrops();
  }

  makeLogs(types: readonly string[]): void {
    const noted = this.notedLogs();
    const others = types.filter((type) => !noted.includes(type));
    if (others.length === 0) return;
    this.settings.transaction(() => {
      for (const type of others) if (!this.#names.has(type)) this.#open(type, false);
      this.settings.putNow(LOGS, JSON.stringify([...noted, ...others]));
    });
  }

  notedLogs(): readonly string[] {
    return JSON.parse(this.settings.get(LOGS) ?? '[]') as readonly string[];
  }

  /** Copies all that is committed, from its file to a new one. */
  copyFile(from: string, to: string): void {
    copyFile(this.#root, from, to);
  }

  /** Nothing was ever stored in it. */
  get isNew(): boolean {
    return [...this.#names].every((name) => name === SETTINGS);
  }

  async close(): Promise<void> {
    const { flusher, regular } = this.#flushing ?? {};
    await regular?.stop();
    await this.#root.close();
    if (regular !== undefined) flusher?.markAllFlushed();
    flusher?.close();
  }
}
