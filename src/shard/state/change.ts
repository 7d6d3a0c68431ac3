import { recordFactsOf } from '../../proposals/record-facts.ts';
import type { ApiObject } from '../../resources/kind.ts';
import {
  decodeRecordHeader,
  encodeRecord,
  finishedRecord,
  OPERATION,
  repeatedRecord,
  wireBytes,
  type Operation,
  type RecordDomain,
  type RecordHeader,
} from '../../storage/record.ts';
import { uidIn } from '../log/stored-text-edits.ts';
import type { StagedWrite } from './write-pipeline.ts';

/** One object that is written, in the version of its record. */
interface AnyChange {
  readonly operation: Operation;
  readonly rv: number;
  readonly key: string;
  /** The version that it supersedes; 0 for none. */
  readonly previousRv: number;
  /** Who follows the type need not know of it to be current (src/replicas/README.md#replicas). */
  readonly isQuiet?: boolean;
  /**
   * Gives back what the former state had for itself alone, once this is committed; where it takes
   * time, the answer waits for it.
   */
  readonly release?: (() => Promise<void> | undefined) | undefined;
}

/** A change whose record is written here. */
export interface ObjectChange extends AnyChange {
  /**
   * The object whose labels and fields are recorded: the state after, or the last one of a
   * deletion.
   */
  readonly object: ApiObject;
  /** The values of its fields, where they are recorded and the object is not read for them. */
  readonly fields?: readonly string[] | undefined;
  readonly wire: string;
  /** The form of the text, where it is not the present one. */
  readonly writtenAs?: string | undefined;
}

/** A change whose record was written in another thread, but for its version. */
export interface DraftChange extends AnyChange {
  readonly draft: Uint8Array;
  /** Where its version goes. */
  readonly versionAt: number;
  readonly header: RecordHeader;
  readonly uid: string;
}

/** An earlier version of an object, once more: as its state, or as its last one. */
export interface RepeatedChange extends AnyChange {
  /** Copied when the change is staged. */
  readonly repeated: Uint8Array;
}

export type Change = ObjectChange | DraftChange | RepeatedChange;

/** The members of a staged write that its record says, too. */
export interface Recorded extends Pick<
  StagedWrite,
  'labels' | 'fields' | 'owners' | 'uid' | 'record'
> {
  readonly awaits: number;
  /** The object is gone with it, or is about to go. */
  readonly isEnding: boolean;
}

export function recordedDraft(change: DraftChange, timeMs: number): Recorded {
  const { draft, versionAt, header, uid, rv } = change;
  const { labels, fields, owners, awaits = 0 } = header;
  const record = finishedRecord(draft, versionAt, rv, timeMs);
  return { labels, fields, owners, awaits, uid, record, isEnding: false };
}

export function recordedAgain(change: RepeatedChange, timeMs: number): Recorded {
  const { operation, rv, previousRv, repeated } = change;
  const { labels, fields, owners, awaits = 0 } = decodeRecordHeader(repeated);
  const record = repeatedRecord(repeated, { operation, rv, previousRv, timeMs });
  const uid = uidIn(wireBytes(repeated));
  const isEnding = operation === OPERATION.deleted;
  return { labels, fields, owners, awaits, uid, record, isEnding };
}

/** How all records of a shard are written, and the values of the fields of this one. */
export interface RecordForm {
  readonly timeMs: number;
  readonly domain: RecordDomain;
  readonly writtenAs: string | undefined;
  readonly fields: readonly string[];
}

export function recordedObject(change: ObjectChange, form: RecordForm): Recorded {
  const { operation, key, previousRv, object, wire } = change;
  const { metadata } = object;
  const facts = recordFactsOf(metadata);
  const { labels, owners, awaits = 0 } = facts;
  const record = encodeRecord({ operation, key, previousRv, ...facts, ...form }, wire);
  const isEnding = operation === OPERATION.deleted || metadata.deletionTimestamp !== undefined;
  return { labels, fields: form.fields, owners, awaits, uid: metadata.uid, record, isEnding };
}

/** Gives back first, where there is anything to. */
export function afterRelease(release: Change['release'], then: () => void): void {
  const released = release?.();
  if (released === undefined) then();
  else void released.then(then);
}
