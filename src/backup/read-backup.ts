/** Reads backup files: all of them is checked before anything is used. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BackupError } from './backup-error.ts';
import { bodyOf, decodeFrame, entriesIn, frameLength, FRAME_START_BYTES } from './frames.ts';
import type { BackupSecrets, BeginHead, EndHead, Frame, LogName, LogSummary } from './frames.ts';
import type { LogEntry } from '../storage/store.ts';
import { LiveVersions } from './live-versions.ts';
import { BACKUP_FORMAT } from './write-backup.ts';

/** A file that is whole. */
export interface Backup extends Omit<BeginHead, 'is' | 'format'>, BackupSecrets {
  readonly logs: readonly LogSummary[];
  readonly bytes: number;
}

/** Part of a file. */
interface Place {
  readonly at: number;
  readonly bytes: number;
}

/** The frames of a file, one after the other; ends where they end or are damaged. */
class BackupFile {
  readonly name: string;
  readonly bytes: number;
  readonly #descriptor: number;

  constructor(file: string) {
    this.name = file;
    try {
      this.#descriptor = openSync(file, 'r');
    } catch (error) {
      throw new BackupError(`cannot read the backup: ${(error as Error).message}`);
    }
    this.bytes = fstatSync(this.#descriptor).size;
  }

  *frames(): Generator<{ readonly frame: Frame; readonly raw: Buffer }> {
    let before = 'its beginning';
    for (let at = 0, number = 1; at < this.bytes; number++) {
      const start = this.#read({ at, bytes: FRAME_START_BYTES });
      const bytes = frameLength(start);
      if (number === 1 && bytes === undefined) {
        throw new BackupError(
          `${this.name} is no backup of this program, or its beginning is gone`,
        );
      }
      if (bytes !== undefined && at + bytes > this.bytes) throw this.#cutOff(before);
      const raw = bytes === undefined ? undefined : this.#read({ at, bytes });
      const frame = raw && decodeFrame(raw);
      if (raw === undefined || frame === undefined) {
        throw new BackupError(
          `${this.name} is damaged: chunk ${number}, at byte ${at}, after ${before}, is not what ` +
            'was written. Take another backup',
        );
      }
      yield { frame, raw };
      before = frameName(frame);
      at += raw.length;
    }
    if (this.bytes === 0 || before !== END_NAME) throw this.#cutOff(before);
  }

  #cutOff(before: string): BackupError {
    return new BackupError(
      `${this.name} is cut off after ${this.bytes} bytes: what comes after ${before} is missing. ` +
        'Take another backup',
    );
  }

  #read({ at, bytes }: Place): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    return buffer.subarray(0, readSync(this.#descriptor, buffer, 0, bytes, at));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const END_NAME = 'its end';

function frameName({ head }: Frame): string {
  if (head.is === 'records') return `version ${head.last} of ${head.log}`;
  return head.is === 'end' ? END_NAME : 'its beginning';
}

/** Is told of each part of a backup, in order, while it is checked. */
export interface BackupVisitor {
  /** How many bytes of how many have been read. */
  readonly onProgress?: (bytes: number, of: number) => void;
  readonly onEntries?: (log: LogName, entries: Iterable<LogEntry>) => void;
}

/** Reads all of a file. Throws BackupError that says what is damaged and where. */
export function readBackup(file: string, visitor: BackupVisitor = {}): Backup {
  const opened = new BackupFile(file);
  try {
    return read(opened, visitor);
  } finally {
    opened.close();
  }
}

function read(file: BackupFile, { onProgress, onEntries }: BackupVisitor): Backup {
  const hash = createHash('sha256');
  let begin: BeginHead | undefined;
  let secrets: BackupSecrets | undefined;
  let end: EndHead | undefined;
  let frames = 0;
  let bytes = 0;
  const records = new Map<string, number>();
  for (const { frame, raw } of file.frames()) {
    const { head } = frame;
    bytes += raw.length;
    if (end !== undefined) throw damaged(file, 'there is more after its end');
    if (head.is === 'end') {
      end = head;
      continue;
    }
    frames++;
    hash.update(raw);
    if (head.is === 'begin') {
      if (head.format !== BACKUP_FORMAT) throw unknownFormat(file, head);
      begin = head;
      secrets = JSON.parse(bodyOf(frame).toString()) as BackupSecrets;
    } else {
      const entries = [...entriesIn(bodyOf(frame))];
      records.set(keyOf(head), (records.get(keyOf(head)) ?? 0) + entries.length);
      onEntries?.(head, entries);
    }
    onProgress?.(bytes, file.bytes);
  }
  if (begin === undefined || secrets === undefined || end === undefined) {
    throw damaged(file, 'it has no beginning');
  }
  if (end.frames !== frames || end.sha256 !== hash.digest('hex')) {
    throw damaged(file, 'its checksum is not that of what is in it');
  }
  const short = end.logs.find((log) => (records.get(keyOf(log)) ?? 0) !== log.records);
  if (short !== undefined) throw damaged(file, `records of ${short.log} are missing`);
  const { program, version, madeMs } = begin;
  return { program, version, madeMs, ...secrets, logs: end.logs, bytes };
}

function damaged({ name }: BackupFile, what: string): BackupError {
  return new BackupError(`${name} is damaged: ${what}. Take another backup`);
}

function unknownFormat({ name }: BackupFile, { format, program }: BeginHead): BackupError {
  return new BackupError(
    `${name} has format ${format}, this version knows format ${BACKUP_FORMAT}: use the version ` +
      `that has made it, ${program}`,
  );
}

/** A log in a map. */
export function keyOf({ log, isCustom }: LogName): string {
  return `${isCustom ? 'custom' : 'built-in'} ${log}`;
}

/**
 * Reads all of a file, and finds the records of the objects that there were at a version. Throws
 * BackupError where the backup does not go back so far.
 */
export function objectsAt(
  file: string,
  asked: number | undefined,
  onProgress?: BackupVisitor['onProgress'],
): { readonly backup: Backup; readonly version: number; readonly live: LiveInLogs } {
  const live = new Map<string, LiveVersions>();
  const backup = readBackup(file, {
    ...(onProgress && { onProgress }),
    onEntries: (log, entries) => {
      const key = keyOf(log);
      const versions = live.get(key) ?? new LiveVersions();
      live.set(key, versions);
      for (const { rv, value } of entries) {
        if (asked === undefined || rv <= asked) versions.add(rv, value);
      }
    },
  });
  const version = asked ?? backup.version;
  const oldest = Math.max(...backup.logs.map(({ horizon }) => horizon));
  if (version < oldest || version > backup.version) {
    throw new BackupError(
      `${file} has the versions from ${oldest} to ${backup.version}, and not ${version}`,
    );
  }
  return { backup, version, live };
}

/** The records of those objects, of one log after the other, of a file that was read before. */
export function* liveEntries(
  file: string,
  live: LiveInLogs,
): Generator<readonly [LogName, readonly LogEntry[]]> {
  const opened = new BackupFile(file);
  try {
    for (const { frame } of opened.frames()) {
      const { head } = frame;
      if (head.is !== 'records') continue;
      const versions = live.get(keyOf(head));
      yield [head, [...entriesIn(bodyOf(frame))].filter(({ rv }) => versions?.has(rv) === true)];
    }
  } finally {
    opened.close();
  }
}

/** By the keys of logs. */
export type LiveInLogs = ReadonlyMap<string, LiveVersions>;
