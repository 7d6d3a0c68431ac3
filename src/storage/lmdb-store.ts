/** The Store on LMDB: one environment, a sub-database for each log, and one for the settings. */
import { isDeepStrictEqual } from 'node:util';
import type { Database, RootDatabase } from 'lmdb';
import type { Timers } from '../base/time/timers.ts';
import { FREE_SPACE_FOR_DELETIONS_BYTES_MIN } from '../limits.ts';
import type { Commits } from './commits.ts';
import type { Compression } from './record-database.ts';
import { copyFile } from './copy-store.ts';
import type { FreeSpace } from './free-space.ts';
import { CustomLogs } from './lmdb-custom-logs.ts';
import type { CustomLog } from './lmdb-custom-log.ts';
import { damaged, onDisk } from './lmdb-errors.ts';
import { LmdbLog } from './lmdb-log.ts';
import { CHECKED_FROM, LmdbSettings, SETTINGS } from './lmdb-settings.ts';
import type { Moment, Settings, Store, TypeLog } from './store.ts';
import type { LogAhead } from './write-ahead/read-ahead.ts';

/** The logs that there are: one that is missing has not just never been made. */
export const LOGS = 'logs';
const SECRETS = 'secrets';

class DurableSettings implements Settings {
  readonly #settings: LmdbSettings;
  readonly #space: FreeSpace;
  readonly #commits: Commits;

  constructor(settings: LmdbSettings, space: FreeSpace, commits: Commits) {
    this.#settings = settings;
    this.#space = space;
    this.#commits = commits;
  }

  get(name: string): string | undefined {
    return this.#settings.get(name);
  }

  async put(name: string, value: string): Promise<void> {
    this.#space.check(value.length, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    await this.#settings.put(name, value);
    await this.#commits.flusher.flush();
  }

  swap(name: string, swap: (value: string | undefined) => string): void {
    this.#settings.transaction(() => this.#settings.putNow(name, swap(this.#settings.get(name))));
    this.#commits.ensureDurable();
  }
}

export class LmdbStore implements Store {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #commits: Commits;
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
    commits: Commits,
    space: FreeSpace,
    timers: Timers,
  ) {
    this.#root = root;
    this.#commits = commits;
    this.#space = space;
    this.#timers = timers;
    this.#names = new Set(root.getKeys().map((key) => key.toString().replace(/\0$/, '')));
    this.settings = new LmdbSettings(root);
    this.shared = new DurableSettings(this.settings, space, commits);
    this.local = this.shared;
    this.#customLogs = new CustomLogs(root, this.settings, space, timers, commits);
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
      ahead: this.#commits.ahead,
    });
  }

  /**
   * Takes over, all at once, what was written ahead of the store in an earlier run, and removes its
   * files. A log that is not there has been dropped since.
   */
  restore(ahead: ReadonlyMap<string, LogAhead>): void {
    this.settings.transaction(() => {
      for (const [name, records] of ahead) {
        const log = this.#names.has(name) ? this.#log(name) : this.#customLogs.find(name);
        log?.restore(records);
      }
    });
    this.#commits.restored();
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
    this.#commits.ensureDurable();
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
    await this.#commits.stop();
    await this.#root.close();
    this.#commits.close();
  }
}
