/** Reads what `recorder.c` writes down of a process, and starts processes under it. */
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { compilePreload } from '../compile-preload.ts';

/** `recorder.c` has the same numbers. */
export const EVENT = {
  opened: 1,
  written: 2,
  cut: 3,
  flushBegan: 4,
  flushEnded: 5,
  renamed: 6,
  removed: 7,
  folderMade: 8,
  folderRemoved: 9,
  mapped: 10,
  unknown: 11,
} as const;

const HEAD_BYTES = 56;

/** One call on a file in the folder. */
export interface DiskEvent {
  readonly kind: number;
  /** Where it is in the recording. */
  readonly index: number;
  /** The time of the clock that `process.hrtime` tells. */
  readonly timeNs: bigint;
  /** The inode, of a folder too; 0 where it is not known. */
  readonly file: number;
  readonly offset: number;
  /** A flush has the length of a part of the file, or 0; a cut has what is left. */
  readonly length: number;
  /** The begin and the end of a flush have one ticket, within a process. */
  readonly ticket: number;
  /** Within the folder. */
  readonly path: string;
  /** The name that it has afterwards. */
  readonly newPath: string;
  readonly data: Buffer;
}

/** Compiles the recorder into `folder`, and gives the library. Throws PreloadError. */
export function compileRecorder(folder: string): string {
  return compilePreload(join(import.meta.dirname, 'recorder.c'), folder);
}

/** Gives the environment in which a process is recorded. */
export function recorded(
  library: string,
  { folder, log, flushMs }: { folder: string; log: string; flushMs: number },
): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    RECORDER_FOLDER: folder,
    RECORDER_LOG: log,
    RECORDER_SYNC_MS: String(flushMs),
    // The recorder does not see what the runtime has the system do by itself.
    UV_USE_IO_URING: '0',
  };
}

/**
 * All events of a log, in the order in which the system saw them. When the process was killed while
 * it wrote one down that part is cut off, so that another process can go on.
 */
export function readRecording(log: string): readonly DiskEvent[] {
  const bytes = readFileSync(log);
  const events: DiskEvent[] = [];
  const number = (at: number): number => Number(bytes.readBigUInt64LE(at));
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const pathsAt = at + HEAD_BYTES;
    const dataAt = pathsAt + bytes.readUInt32LE(at + 4);
    const end = dataAt + number(at + 8);
    if (end > bytes.length) break;
    const [path = '', newPath = ''] = bytes.toString('utf8', pathsAt, dataAt).split('\0');
    events.push({
      kind: bytes.readUInt32LE(at),
      index: events.length,
      timeNs: bytes.readBigUInt64LE(at + 16),
      file: number(at + 24),
      offset: number(at + 32),
      length: number(at + 40),
      ticket: number(at + 48),
      path,
      newPath,
      data: bytes.subarray(dataAt, end),
    });
    at = end;
  }
  truncateSync(log, at);
  return events;
}
