/**
 * A file of lines that gets a new one when it is full (README.md#rotation). Several threads may
 * write into it: who writes has its lock, and what all know of it is in shared memory.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RotationSettings } from './settings.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const PACKED = '.gz';
/** The ending of a file that is being packed, or was when a process ended. */
const HALF = `${PACKED}.part`;
/** A pipe that nobody reads is waited for so long. */
const FULL_PIPE_MS_MAX = 1_000;

/** Cells: the lock, how often the file was replaced, whether old files are looked through. */
const LOCK = 0;
const GENERATION = 1;
const TIDYING = 2;
const CELLS = 4;

export interface LogFileOptions {
  readonly path: string;
  readonly rotation: RotationSettings;
  /** From `LogFile.shared`. */
  readonly shared: SharedArrayBuffer;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class LogFile {
  /** Makes the state that the threads that write into one file share. */
  static shared(): SharedArrayBuffer {
    return new SharedArrayBuffer(CELLS * 4 + 8);
  }

  readonly #options: LogFileOptions;
  readonly #cells: Int32Array;
  readonly #length: Float64Array;
  #generation = -1;
  #file: number | undefined;
  #isRegular = false;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#cells = new Int32Array(options.shared, 0, CELLS);
    this.#length = new Float64Array(options.shared, CELLS * 4, 1);
  }

  /** Appends whole lines, or nothing of them. Throws what the file system says. */
  append(lines: string): void {
    const bytes = Buffer.from(lines);
    this.#locked(() => {
      let file = this.#opened();
      const { bytesMax } = this.#options.rotation;
      const length = this.#length[0] ?? 0;
      const isFull = bytesMax > 0 && length > 0 && length + bytes.length > bytesMax;
      if (isFull && this.#isRegular) {
        this.#rotate();
        file = this.#opened();
      }
      this.#write(file, bytes);
    });
  }

  /**
   * Opens it, so that what is wrong with it is known, and goes on with the old files that the last
   * process has left. Throws what the file system says.
   */
  open(): void {
    this.#locked(() => this.#opened());
    void this.tidy();
  }

  close(): void {
    if (this.#file !== undefined && this.#options.path !== '-') closeSync(this.#file);
    this.#file = undefined;
  }

  #locked(work: () => void): void {
    const cells = this.#cells;
    while (Atomics.compareExchange(cells, LOCK, 0, 1) !== 0) Atomics.wait(cells, LOCK, 1, 100);
    try {
      work();
    } finally {
      Atomics.store(cells, LOCK, 0);
      Atomics.notify(cells, LOCK, 1);
    }
  }

  #opened(): number {
    const generation = this.#replaced();
    if (this.#file !== undefined && this.#generation === generation) return this.#file;
    this.close();
    const { path } = this.#options;
    if (path === '-') {
      this.#file = 1;
    } else {
      mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
      this.#file = openSync(path, 'a', FILE_MODE);
      const stats = fstatSync(this.#file);
      this.#isRegular = stats.isFile();
      this.#length[0] = stats.size;
    }
    this.#generation = generation;
    return this.#file;
  }

  #write(file: number, bytes: Uint8Array): void {
    const length = this.#length[0] ?? 0;
    let done = 0;
    try {
      while (done < bytes.length) done += writeWaiting(file, bytes.subarray(done));
    } catch (error) {
      // Half a line would spoil the next one.
      if (done > 0 && this.#isRegular) ftruncateSync(file, length);
      throw error;
    }
    this.#length[0] = length + bytes.length;
  }

  #rotate(): void {
    const { path } = this.#options;
    this.close();
    renameSync(path, this.#backupPath());
    Atomics.add(this.#cells, GENERATION, 1);
    void this.tidy();
  }

  /** Named by the time, as those of the reference are; no two have the same. */
  #backupPath(): string {
    const { path, nowMs } = this.#options;
    const [start, end] = partsOf(path);
    for (let ms = nowMs(); ; ms++) {
      const time = new Date(ms).toISOString().slice(0, -1).replaceAll(':', '-');
      const backup = join(dirname(path), `${start}${time}${end}`);
      if (!existsSync(backup) && !existsSync(backup + PACKED)) return backup;
    }
  }

  /** Removes old files that are too many or too old, and packs those that stay. */
  async tidy(): Promise<void> {
    const { path, rotation, logError } = this.#options;
    if (path === '-' || Atomics.compareExchange(this.#cells, TIDYING, 0, 1) !== 0) return;
    try {
      for (let seen = -1; seen !== this.#replaced();) {
        seen = this.#replaced();
        for (const backup of this.#removeOld()) {
          if (!rotation.isCompressed || backup.endsWith(PACKED)) continue;
          await packed(backup);
        }
      }
    } catch (error) {
      logError(`audit: old files of ${path}: ${(error as Error).message}`);
    } finally {
      Atomics.store(this.#cells, TIDYING, 0);
    }
  }

  /** The number of times that the file was replaced. */
  #replaced(): number {
    return Atomics.load(this.#cells, GENERATION);
  }

  /** Those that stay, the newest first. */
  #removeOld(): string[] {
    const { path, rotation, nowMs } = this.#options;
    const { backupsMax, ageMsMax } = rotation;
    const kept: string[] = [];
    for (const { file, timeMs } of backupsOf(path)) {
      const isLate = ageMsMax > 0 && timeMs < nowMs() - ageMsMax;
      const isOver = backupsMax > 0 && kept.length >= backupsMax;
      if (!isLate && !isOver) kept.push(file);
      else for (const gone of [file, file + HALF]) rmSync(gone, { force: true });
    }
    return kept;
  }
}

/** Nobody wakes who waits for it. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/** Stdout may be a pipe that takes nothing for a moment. */
function writeWaiting(file: number, bytes: Uint8Array): number {
  for (let waitedMs = 0; ; waitedMs++) {
    try {
      return writeSync(file, bytes);
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isFull || waitedMs >= FULL_PIPE_MS_MAX) throw error;
      Atomics.wait(NEVER, 0, 0, 1);
    }
  }
}

async function packed(file: string): Promise<void> {
  // Not imported: most servers never need it.
  const { createGzip } = process.getBuiltinModule('node:zlib');
  const half = file + HALF;
  const target = createWriteStream(half, { mode: FILE_MODE });
  await pipeline(createReadStream(file), createGzip(), target).catch((error: unknown) => {
    // A full disk has no room for it.
    rmSync(half, { force: true });
    throw error;
  });
  renameSync(half, file + PACKED);
  rmSync(file);
}

/** The texts before and after the time in the names of old files. */
function partsOf(path: string): readonly [start: string, end: string] {
  const end = extname(path);
  return [`${basename(path, end)}-`, end];
}

const TIME = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/;

/** The newest first. */
function backupsOf(path: string): readonly { readonly file: string; readonly timeMs: number }[] {
  const [start, end] = partsOf(path);
  return readdirSync(dirname(path))
    .flatMap((name) => {
      const plain = name.endsWith(PACKED) ? name.slice(0, -PACKED.length) : name;
      if (!plain.startsWith(start) || !plain.endsWith(end)) return [];
      const time = plain.slice(start.length, plain.length - end.length);
      if (!TIME.test(time)) return [];
      const timeMs = Date.parse(`${time.replace(TIME, '$1$2:$3:$4')}Z`);
      return [{ file: join(dirname(path), name), timeMs }];
    })
    .toSorted((a, b) => b.timeMs - a.timeMs);
}
