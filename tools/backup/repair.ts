/** `npm run repair`: a new data folder of what can be read of a damaged one. */
import { join } from 'node:path';
import { writePrivate } from '../../src/auth/own-files.ts';
import { checkNewFolder, nextVersions, writeNewFolder } from '../../src/backup/new-folder.ts';
import { openDataFolder, SHARED_FILES } from '../../src/data-folder.ts';
import { MOVED_SETTINGS } from '../../src/journal/move.ts';
import { OPERATION, recordDomain, recordKey, recordOperation } from '../../src/storage/record.ts';
import type { RecordDomain } from '../../src/storage/record.ts';
import type { LogOf, Salvage, VisitedLogs } from '../../src/storage/salvage/salvage.ts';
import { HIGH_WATER_SETTING, type LogEntry } from '../../src/storage/store.ts';
import { OptionsError } from '../flags.ts';
import type { Output } from '../output.ts';
import { damageLines, withFolder, type ReadFolder } from './damaged-folder.ts';
import { parseWithFirst, textOf } from './target.ts';
import { exitCodeOf, ToolError } from './tool-error.ts';

const HELP = [
  'Usage: npm run repair -- FOLDER --to NEW',
  '',
  'Writes a new data folder of the objects that can be read of a damaged one, and lists what is',
  'lost. The server of the damaged one is stopped; nothing in its folder is changed.',
  '',
  '  --to NEW            what is written; it is empty or not there',
  '',
].join('\n');

/** Runs with arguments; returns the exit code. */
export async function runRepair(args: readonly string[], output: Output): Promise<number> {
  return exitCodeOf(output, async () => {
    const { first, given } = parseWithFirst({ to: { value: 'NEW' } }, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const to = textOf(given, 'to');
    if (first === '' || to === '') throw new OptionsError('give FOLDER and --to NEW');
    checkNewFolder(to, SHARED_FILES);
    await withFolder(first, (read) => repair(read, to, output));
    return 0;
  });
}

async function repair(read: ReadFolder, to: string, output: Output): Promise<void> {
  const { store, files } = read;
  const found = new FoundObjects(store);
  const lines = damageLines(read);
  if (found.count === 0 && lines.length > 0) {
    throw new ToolError(`no object can be read: restore a backup (npm run restore). ${lines[0]}`);
  }
  const noted = Number(store.settings.get(HIGH_WATER_SETTING) ?? 0);
  const nowMs = Date.now();
  const highWater = nextVersions(Math.max(noted, store.lastRv), nowMs, nowMs);
  const lock = openDataFolder(to, false);
  try {
    await writeNewFolder({
      dataDir: to,
      logs: store.logs,
      entries: found.entries(),
      highWater,
      secrets: { files, settings: settingsOf(store, found) },
      writeFile: (name, text) => writePrivate(join(to, name), text),
    });
  } finally {
    lock.release();
  }
  for (const line of lines) output.write(`${line}\n`);
  for (const log of store.logs.filter(({ losses }) => losses.length > 0)) {
    const before = Math.max(...log.losses.map((loss) => loss.before));
    const which = before === Infinity ? '' : ` that were written last before version ${before}`;
    output.write(
      `doubtful: ${read.nameOf(log)}${which}: what is lost may have changed or deleted them\n`,
    );
  }
  output.write(`repaired into ${to}: ${found.count} objects of ${store.logs.length} types\n`);
}

/**
 * The newest record of each object that can be read. By their keys, since what is lost may have
 * stood between two of them.
 */
class FoundObjects {
  readonly #store: Salvage;
  readonly #newest = new Map<string, Map<string, number>>();
  /** Of the newest record of all. */
  domain: RecordDomain = 'cluster.io';
  count = 0;

  constructor(store: Salvage) {
    this.#store = store;
    let newestRv = 0;
    store.visit((log, rv, record) => {
      const newest = this.#of(log);
      const key = recordKey(record);
      const known = newest.get(key) ?? 0;
      if (rv > Math.abs(known)) {
        newest.set(key, recordOperation(record) === OPERATION.deleted ? -rv : rv);
      }
      if (rv < newestRv) return;
      newestRv = rv;
      this.domain = recordDomain(record);
    });
    for (const newest of this.#newest.values()) {
      for (const rv of newest.values()) if (rv > 0) this.count++;
    }
  }

  #of({ log, isCustom }: LogOf): Map<string, number> {
    const name = `${isCustom} ${log}`;
    let newest = this.#newest.get(name);
    if (newest === undefined) this.#newest.set(name, (newest = new Map()));
    return newest;
  }

  /** The types that have records in the names of another dialect. */
  untranslated(): string[] {
    const others = new Set<string>();
    this.#store.visit(({ log }, _rv, record) => {
      if (recordDomain(record) !== this.domain) others.add(log);
    });
    return [...others];
  }

  /** One built-in type after the other is in memory, and then all custom ones. */
  *entries(): Generator<readonly [LogOf, readonly LogEntry[]]> {
    for (const log of this.#store.logs) {
      if (!log.isCustom) yield* this.#entriesOf({ builtIn: log.log });
    }
    yield* this.#entriesOf('custom');
  }

  #entriesOf(which: VisitedLogs): (readonly [LogOf, readonly LogEntry[]])[] {
    const found = new Map<Map<string, number>, [LogOf, LogEntry[]]>();
    this.#store.visit((log, rv, record) => {
      const newest = this.#of(log);
      if (newest.get(recordKey(record)) !== rv) return;
      const entries = found.get(newest) ?? [log, []];
      found.set(newest, entries);
      entries[1].push({ rv, value: Uint8Array.from(record) });
    }, which);
    for (const [, entries] of found.values()) entries.sort((a, b) => a.rv - b.rv);
    return [...found.values()];
  }
}

/** Those that go along; without the one that says it records tell in which names they are. */
function settingsOf(store: Salvage, found: FoundObjects): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const name of MOVED_SETTINGS) {
    const value = store.settings.get(name);
    if (value !== undefined) settings[name] = value;
  }
  const { domain } = found;
  settings['dialect'] ??= JSON.stringify({
    domain,
    untranslated: found.untranslated(),
    translated: 0,
  });
  return settings;
}
