/**
 * In which dialect a data folder is written. One that was written in the other is translated when
 * it is opened (src/shard/README.md#the-other-dialect): which types are still to be done stands in
 * the store until there are none.
 */
import { hasVersions } from './sequencer/sequencer-actor.ts';
import type { RecordDomain } from './storage/record.ts';
import type { Settings } from './storage/store.ts';

const DIALECT = 'dialect';

interface FolderDialect {
  /** In which new records are written. */
  readonly domain: RecordDomain;
  /** Types whose logs may hold records in the other one. */
  readonly untranslated: readonly string[];
  /** Records that were translated since the dialect changed. */
  readonly translated: number;
}

function storedDialect(shared: Settings): FolderDialect | undefined {
  const text = shared.get(DIALECT);
  if (text !== undefined) return JSON.parse(text) as FolderDialect;
  // Before it was written down there was one.
  return hasVersions(shared)
    ? { domain: 'cluster.io', untranslated: [], translated: 0 }
    : undefined;
}

/** In which dialect records are written; undefined where nothing was stored. */
export function storedDomain(shared: Settings): RecordDomain | undefined {
  return storedDialect(shared)?.domain;
}

/**
 * Must be called before a server of that dialect opens a log: it writes down that new records are
 * in it. Gives the types, of all that there are, with records that are to be translated. Custom
 * types are named by their logs.
 */
export function openInDialect(
  shared: Settings,
  domain: RecordDomain,
  types: readonly string[],
): readonly string[] {
  const stored = storedDialect(shared);
  if (stored?.domain === domain) {
    const untranslated = stored.untranslated.filter((type) => types.includes(type));
    // A custom type may have gone when the server ended.
    if (untranslated.length < stored.untranslated.length) {
      shared.swap(DIALECT, () => JSON.stringify({ ...stored, untranslated }));
    }
    return untranslated;
  }
  const untranslated = stored === undefined ? [] : types;
  const folder: FolderDialect = { domain, untranslated, translated: 0 };
  shared.swap(DIALECT, () => JSON.stringify(folder));
  return untranslated;
}

/**
 * Writes down that so many records of a type were translated and none is left, or that its log has
 * gone; gives those of all types when it was the last one. Throws when that cannot be stored.
 */
export function noteTranslated(
  shared: Settings,
  type: string,
  records: number,
): number | undefined {
  let all: number | undefined;
  shared.swap(DIALECT, (text = '') => {
    const folder = JSON.parse(text) as FolderDialect;
    if (!folder.untranslated.includes(type)) return text;
    const untranslated = folder.untranslated.filter((other) => other !== type);
    const translated = folder.translated + records;
    if (untranslated.length === 0) all = translated;
    return JSON.stringify({ ...folder, untranslated, translated });
  });
  return all;
}

/** The log line at the end of a translation. */
export function translatedLine(domain: RecordDomain, records: number): string {
  return `translated the data folder to the names of ${domain}: ${records} records`;
}
