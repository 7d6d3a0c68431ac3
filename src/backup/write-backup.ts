/** Makes a backup of the moment of a store, frame by frame. */
import { createHash } from 'node:crypto';
import { OPERATION, recordOperation } from '../storage/record.ts';
import type { Moment, TypeLog } from '../storage/store.ts';
import { BackupError } from './backup-error.ts';
import { encodeFrame, EntryCollector } from './frames.ts';
import type { BackupSecrets, FrameHead, LogName, LogSummary } from './frames.ts';
import { LiveVersions } from './live-versions.ts';

export const BACKUP_FORMAT = 1;
/** Of records, before they are compressed. */
const FRAME_BYTES_TARGET = 1024 * 1024;
const DEFINITIONS = /^customresourcedefinitions\./;

/** All that a backup says beside the objects. */
export interface BackupFacts extends BackupSecrets {
  /** The version of the program. */
  readonly program: string;
  readonly madeMs: number;
}

/** The newest version of all logs. */
export function newestVersion({ logs, customLogs }: Moment): number {
  let newest = 0;
  for (const log of [...logs.values(), ...customLogs.values()]) {
    log.scan(newest, (rv) => {
      newest = rv;
      return true;
    });
  }
  return newest;
}

/**
 * The frames of a backup of all types as of `version`, one after the other: nothing that the moment
 * reads from may change meanwhile. There are no more once `isEnded`. Throws BackupError where the
 * moment no longer has all that was there at that version, StoreError where a record is damaged.
 */
export function* backupFrames(
  moment: Moment,
  version: number,
  { program, madeMs, settings, files }: BackupFacts,
  isEnded: () => boolean = () => false,
): Generator<Buffer> {
  const hash = createHash('sha256');
  let frames = 0;
  const counted = (head: FrameHead, body: Uint8Array): Buffer => {
    const frame = encodeFrame(head, body);
    hash.update(frame);
    frames++;
    return frame;
  };
  const begin = { is: 'begin', format: BACKUP_FORMAT, program, version, madeMs } as const;
  yield counted(begin, Buffer.from(JSON.stringify({ settings, files })));
  const logs: LogSummary[] = [];
  for (const [name, log] of logsOf(moment)) {
    const summary = yield* logFrames(name, log, { version, encode: counted, isEnded });
    if (summary === undefined) return;
    logs.push(summary);
  }
  yield encodeFrame({ is: 'end', logs, frames, sha256: hash.digest('hex') });
}

function* logsOf({ logs, customLogs }: Moment): Generator<readonly [LogName, TypeLog]> {
  for (const [log, stored] of logs) yield [{ log, isCustom: false }, stored];
  for (const [log, stored] of customLogs) yield [{ log, isCustom: true }, stored];
}

interface LogFrames {
  readonly version: number;
  readonly encode: (head: FrameHead, body: Uint8Array) => Buffer;
  readonly isEnded: () => boolean;
}

/** Gives undefined where it has ended before. */
function* logFrames(
  name: LogName,
  log: TypeLog,
  { version, encode, isEnded }: LogFrames,
): Generator<Buffer, LogSummary | undefined> {
  if (log.horizon() > version) throw tooNew(name.log);
  const live = new LiveVersions();
  const entries = new EntryCollector();
  let all = 0;
  for (let after = 0; ;) {
    let isEnd = true;
    log.scan(after, (rv, record) => {
      if (isEnded()) return false;
      if (rv > version) {
        // The log of a type that has gone since may have gone as well.
        if (!DEFINITIONS.test(name.log)) return false;
        if (recordOperation(record) === OPERATION.deleted) throw tooNew(name.log);
        return true;
      }
      entries.add(rv, record);
      live.add(rv, record);
      isEnd = entries.bytes < FRAME_BYTES_TARGET;
      return isEnd;
    });
    if (isEnded()) return undefined;
    if (entries.bytes > 0) {
      const { first, last, records } = entries;
      yield encode({ is: 'records', ...name, first, last, records }, entries.take());
      all += records;
      after = last;
    }
    if (isEnd) return { ...name, horizon: log.horizon(), records: all, objects: live.size };
  }
}

function tooNew(log: string): BackupError {
  return new BackupError(
    `the history of ${log} has moved on while the backup began: try again, or start the server ` +
      'with a longer --watch-history',
  );
}
