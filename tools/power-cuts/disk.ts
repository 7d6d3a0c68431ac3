/**
 * A folder on a disk that may lose its power, as a recording fills it. What was flushed is there
 * for sure: a file by a flush of the file, a name by one of the folder that it is in. Of all else
 * anything may be there: each piece of a file as it was at any time since; of the names what was
 * done first, as file systems with a journal keep it.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../test/support/random.ts';
import { DiskFile, SECTOR_BYTES } from './disk-file.ts';
import type { Loss } from './disk-file.ts';
import { EVENT } from './recording.ts';
import type { DiskEvent } from './recording.ts';

/** The pages of the system, and of the store. */
const PAGES_BYTES = [4_096, 16_384] as const;
const FOLDER = 'folder';
/** How much of what was not flushed is as it was written last. */
const KEPT = [0, 0.1, 0.5, 0.9, 1] as const;
/** A commit is about six. */
const LAST_EVENTS_MAX = 24;

/** An event that changes names. */
interface Naming {
  readonly index: number;
  readonly folder: string;
  readonly apply: (names: Names) => void;
}

type Names = Map<string, DiskFile | typeof FOLDER>;

/** The content of a folder; files have one, too. */
export type Snapshot = readonly {
  readonly inode: number;
  readonly name: string;
  readonly content: Buffer | undefined;
}[];

export function snapshotOf(root: string): Snapshot {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const found = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isDirectory() ? undefined : readFileSync(path);
    return { inode: statSync(path).ino, name: path.slice(root.length + 1), content };
  });
  return [{ inode: statSync(root).ino, name: '.', content: undefined }, ...found];
}

/** Maps that processes write into are seen by nobody: only who makes such a file anew may. */
const MAPPED = 'store/lock.mdb';

export class Disk {
  readonly #root: string;
  /** Names that are there for sure. */
  #names: Names = new Map();
  #namings: Naming[] = [];
  readonly #files = new Map<number, DiskFile>();
  readonly #folders = new Map<number, string>();
  readonly #flushes = new Map<string, number>();
  /** The index of the last event. */
  #index = 0;

  /** At first all of it is on the disk. */
  constructor(root: string, snapshot: Snapshot) {
    this.#root = root;
    for (const { inode, name, content } of snapshot) {
      if (content === undefined) {
        this.#folders.set(inode, name);
        if (name !== '.') this.#names.set(name, FOLDER);
        continue;
      }
      const file = new DiskFile(Buffer.from(content));
      this.#files.set(inode, file);
      this.#names.set(name, file);
    }
  }

  apply(event: DiskEvent): void {
    this.#index = event.index;
    const { kind, index, file, offset, length, ticket, path, newPath, data } = event;
    switch (kind) {
      case EVENT.opened:
        return this.#opened(index, file, path);
      case EVENT.written:
        return this.#file(file).write(index, offset, data);
      case EVENT.cut:
        return this.#file(file).cut(index, length);
      case EVENT.flushBegan:
        this.#flushes.set(`${file} ${ticket}`, index);
        return undefined;
      case EVENT.flushEnded:
        return this.#flushed(file, this.#flushes.get(`${file} ${ticket}`) ?? 0, offset, length);
      case EVENT.renamed:
        return this.#name(index, path, (names) => {
          const moved = names.get(path);
          names.delete(path);
          if (moved !== undefined) names.set(newPath, moved);
        });
      case EVENT.removed:
      case EVENT.folderRemoved:
        return this.#name(index, path, (names) => names.delete(path));
      case EVENT.folderMade:
        this.#folders.set(file, path);
        return this.#name(index, path, (names) => names.set(path, FOLDER));
      case EVENT.mapped:
        if (this.#current().get(MAPPED) === this.#files.get(file)) return undefined;
        throw new Error('a file is written through a map, which the recorder does not see');
      default:
        throw new Error(`the recorder cannot follow: ${path}`);
    }
  }

  #opened(index: number, file: number, path: string): void {
    if (this.#current().get(path) === FOLDER) return;
    const content = new DiskFile();
    this.#files.set(file, content);
    this.#name(index, path, (names) => names.set(path, content));
  }

  #file(file: number): DiskFile {
    const found = this.#files.get(file);
    if (found === undefined) throw new Error(`no file was opened that is ${file}`);
    return found;
  }

  #name(index: number, path: string, apply: (names: Names) => void): void {
    this.#namings.push({ index, folder: dirname(path), apply });
  }

  #flushed(file: number, began: number, offset: number, length: number): void {
    const folder = this.#folders.get(file);
    if (folder === undefined) {
      if (length === 0) this.#file(file).flush(began);
      else this.#file(file).flushPart(began, offset, length);
      return;
    }
    const last = this.#namings.findLastIndex((one) => one.index < began && one.folder === folder);
    for (const { apply } of this.#namings.splice(0, last + 1)) apply(this.#names);
  }

  /** Names as processes see them. */
  #current(): Names {
    const names = new Map(this.#names);
    for (const { apply } of this.#namings) apply(names);
    return names;
  }

  /** Where the folder is not as it was recorded: names of files, and none where it is. */
  differences(): readonly string[] {
    return [...this.#current()].flatMap(([name, content]) => {
      if (content === FOLDER || name === MAPPED) return [];
      return readFileSync(join(this.#root, name)).equals(content.current()) ? [] : [name];
    });
  }

  /** Writes into `folder` what may be on the disk when the power comes back. */
  writeAfterLoss(folder: string, random: Random): string {
    const kept = random.pick(KEPT);
    const loss: Loss = {
      unitBytes: random.pick([SECTOR_BYTES, ...PAGES_BYTES]),
      kept,
      keptLast: random.fraction() < 0.5 ? kept : random.pick(KEPT),
      last: this.#index - random.below(LAST_EVENTS_MAX),
    };
    const namings = random.fraction() < 0.5 ? this.#namings.length : undefined;
    const count = namings ?? random.below(this.#namings.length + 1);
    const names = new Map(this.#names);
    for (const { apply } of this.#namings.slice(0, count)) apply(names);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, content] of names) {
      const path = join(folder, name);
      if (content === FOLDER) mkdirSync(path, { recursive: true, mode: 0o700 });
      else {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, content.afterLoss(loss, random), { mode: 0o600 });
      }
    }
    const { unitBytes, keptLast } = loss;
    return `pieces of ${unitBytes} bytes, kept ${kept * 100} %, the last ${keptLast * 100} %`;
  }
}
