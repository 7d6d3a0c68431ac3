/**
 * The log of a shard as its readers get it: what is stored, and all that is laid over it. From
 * below: commits are counted, records of the other dialect translated, and all of them shown as
 * what is written now.
 */
import type { RecordDomain } from '../../storage/record.ts';
import type { TypeLog } from '../../storage/store.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { CountedLog } from './counted-log.ts';
import type { CommitMetrics } from './counted-log.ts';
import { ShapedLog } from './shaped-log.ts';
import { translateRecord } from './translate-record.ts';
import { TranslatingLog } from './translating-log.ts';

export interface ShardLogOptions {
  readonly kind: ResourceType;
  /** The server's own dialect. */
  readonly domain: RecordDomain;
  /** The log may hold records of the other one. */
  readonly isUntranslated?: boolean | undefined;
  /** Absent where nobody counts commits. */
  readonly metrics?: CommitMetrics | undefined;
}

export interface ShardLog {
  /** With all that is laid over it. */
  readonly log: TypeLog;
  /** While records of the other dialect are translated. */
  readonly translation: TranslatingLog | undefined;
  /** Where how objects are written may change. */
  readonly shaped: ShapedLog | undefined;
}

export function shardLog(
  stored: TypeLog,
  { kind, domain, isUntranslated, metrics }: ShardLogOptions,
): ShardLog {
  const counted = metrics === undefined ? stored : new CountedLog(stored, metrics);
  const translation =
    isUntranslated === true
      ? new TranslatingLog(counted, domain, (record) => translateRecord(kind, record))
      : undefined;
  const translated = translation ?? counted;
  const shaped = kind.storedShape && new ShapedLog(translated, kind.storedShape);
  return { log: shaped ?? translated, translation, shaped };
}

/** Why no record of so many bytes should be appended now: see `TypeLog.checkRoom`. */
export function roomRefusal(log: TypeLog, bytes: number): Error | undefined {
  try {
    log.checkRoom(bytes);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
