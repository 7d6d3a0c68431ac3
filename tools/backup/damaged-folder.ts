/** What can be read of the data folder of a server, and what cannot. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDataFolder } from '../../src/data-folder.ts';
import { salvage } from '../../src/storage/salvage/salvage.ts';
import type { LogOf, RecordVisitor, Salvage } from '../../src/storage/salvage/salvage.ts';
import { StoreError } from '../../src/storage/store.ts';
import { folderFiles, type FolderFiles } from './folder-files.ts';
import { ToolError } from './tool-error.ts';

export interface ReadFolder extends FolderFiles {
  readonly store: Salvage;
  /** Undefined where it says no key of an object; the names of custom types by their logs. */
  readonly nameOf: (log: LogOf) => string;
}

/**
 * Runs `use` with what can be read of a folder, which no server has meanwhile. Throws ToolError and
 * StoreError.
 */
export async function withFolder<T>(
  folder: string,
  use: (read: ReadFolder) => T | Promise<T>,
): Promise<T> {
  const file = join(folder, 'store', 'data.mdb');
  if (!existsSync(file)) throw new ToolError(`there is no store in ${folder}`);
  const lock = openDataFolder(folder, false);
  try {
    const store = opened(file);
    try {
      const names = definitionNames(store);
      const nameOf = ({ log, isCustom }: LogOf): string =>
        isCustom ? (names.get(log) ?? `the custom type ${log}`) : log;
      return await use({ store, nameOf, ...folderFiles(folder) });
    } finally {
      store.close();
    }
  } finally {
    lock.release();
  }
}

function opened(file: string): Salvage {
  try {
    return salvage(file);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(`${file}: ${error.message}. Restore the data folder from a backup`);
  }
}

/** The names of custom types, by the uids of their definitions. */
function definitionNames(store: Salvage): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const note: RecordVisitor = (_log, _rv, record) => {
    const wire = record.subarray(record.readUInt32LE(4)).toString();
    const { metadata } = JSON.parse(`{${wire}`) as { metadata: { name: string; uid: string } };
    names.set(metadata.uid, metadata.name);
  };
  const definitions = store.logs.find(({ log }) => log.startsWith('customresourcedefinitions.'));
  if (definitions !== undefined) store.visit(note, { builtIn: definitions.log });
  return names;
}

/** A line for everything that is wrong: what is damaged, and which records are lost. */
export function damageLines({ store, damage, nameOf }: ReadFolder): string[] {
  const lines = [...damage, ...store.damage.map((what) => `store: ${what}`)].map(
    (what) => `damaged: ${what}`,
  );
  for (const log of store.logs) {
    for (const { after, before, what } of log.losses) {
      lines.push(`lost: ${nameOf(log)}: ${what} (${between(after, before)})`);
    }
  }
  return lines;
}

function between(after: number, before: number): string {
  if (after === 0) return before === Infinity ? 'of any version' : `before version ${before}`;
  return before === Infinity ? `after version ${after}` : `between versions ${after} and ${before}`;
}
