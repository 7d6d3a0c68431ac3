/** What snapshots ask of a shard: to keep the past, to write it, to tell what has changed. */
import { decodeUtf8 } from '../../codec/text-body.ts';
import type {
  ObjectDifference,
  RestoredCounts,
  SnapshotCalls,
} from '../../protocol/snapshot-protocol.ts';
import { StatusError } from '../../semantics/errors/status.ts';
import { decodeRecordHeader, encodeRecord, OPERATION, wireBytes } from '../../storage/record.ts';
import { unmarked } from '../../types/conversion.ts';
import { isSameWire, uidIn } from '../log/stored-text-edits.ts';
import { viewAt, type ReadView } from '../read/read-view.ts';
import type { Change } from '../state/change.ts';
import type { Shard } from '../state/shard.ts';
import { ALL_KEYS } from '../table/object-table.ts';
import { splitKey } from '../table/selection.ts';
import { runWrite } from '../write/driver.ts';
import type { Steps } from '../../proposals/steps.ts';
import { NO_BODY, type Outcome, type Write } from '../write/write.ts';

export type SnapshotVerbs = {
  readonly [V in keyof SnapshotCalls]: (
    request: SnapshotCalls[V]['request'],
  ) => SnapshotCalls[V]['reply'] | Promise<SnapshotCalls[V]['reply']>;
};

export function snapshotVerbs(shard: Shard): SnapshotVerbs {
  const restores = new Restores(shard);
  return {
    hold: ({ from }) => ({ horizon: shard.history.hold(from) }),
    held: () => ({ versions: shard.history.heldCount() }),
    uids: ({ version }) => uidsAt(shard, version),
    restore: ({ version, dryRun }) => restores.restore(version, dryRun),
    diff: ({ from, to }) => differences(shard, from, to),
  };
}

/** The versions of an object; absent where it is not there. */
interface Difference {
  readonly key: string;
  readonly now: number | undefined;
  readonly past: number | undefined;
}

class Restores {
  readonly #shard: Shard;
  /** By the version that was restored: the one up to which all is as it was then. */
  readonly #same = new Map<number, number>();

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  /** Whether anything was written since it was as at the version, committed or not. */
  #isChanged(version: number): boolean {
    const { pipeline } = this.#shard;
    return pipeline.appliedRv > this.#since(version) || pipeline.oldest() !== undefined;
  }

  #since(version: number): number {
    return this.#same.get(version) ?? version;
  }

  /** Resolves when all of it is committed. Rejects with StatusError. */
  async restore(version: number, dryRun: boolean): Promise<RestoredCounts> {
    const shard = this.#shard;
    const { pipeline } = shard;
    if (!this.#isChanged(version)) return NOTHING;
    const since = this.#since(version);
    // What empties namespaces is to see those that are back.
    await shard.namespaces?.whenCurrent();
    const view = await pastView(shard, version);
    // From here to the last write nobody else has a turn.
    const differences = changedSince(shard, since, view);
    if (dryRun) return countsOf(differences.filter((one) => !isSame(shard, one)));
    const written = this.#write(differences);
    if (written.differences.length === 0) {
      if (pipeline.oldest() === undefined) this.#same.set(version, pipeline.appliedRv);
      return NOTHING;
    }
    await written.committed;
    this.#same.set(version, written.rv);
    shard.forgetAllocations();
    return countsOf(written.differences);
  }

  /** Writes those that are not the same, and gives them. */
  #write(differences: readonly Difference[]): Written {
    const shard = this.#shard;
    let failure: unknown;
    const answer = {
      reply: () => undefined,
      fail: (error: unknown) => void (failure ??= error),
    };
    const written = differences.filter((difference) => {
      const stored = storedAt(shard, difference);
      if (stored.isSame) return false;
      runWrite(shard, (write) => restored(write, difference, stored), answer);
      return true;
    });
    shard.restores.written();
    const rv = shard.clock.current();
    const committed = shard.pipeline.settled().then(() => {
      if (failure !== undefined) throw failure as Error;
    });
    return { differences: written, rv, committed };
  }
}

interface Written {
  readonly differences: readonly Difference[];
  /** Nothing of it is above this version. */
  readonly rv: number;
  /** Rejects with StatusError. */
  readonly committed: Promise<void>;
}

const NOTHING: RestoredCounts = { created: 0, updated: 0, deleted: 0 };

function countsOf(differences: readonly Difference[]): RestoredCounts {
  const updated = differences.filter(({ now, past }) => now !== undefined && past !== undefined);
  const deleted = differences.filter(({ past }) => past === undefined).length;
  const created = differences.length - updated.length - deleted;
  return { created, updated: updated.length, deleted };
}

function pastView(shard: Shard, version: number): Promise<ReadView> {
  return new Promise((resolve, reject) => {
    viewAt(shard, version, (view) => {
      if (view !== undefined) resolve(view);
      else {
        const message = `version ${version} of ${shard.kind.key} is no longer known`;
        reject(new StatusError(410, 'Expired', message));
      }
    });
  });
}

/** The objects that were written after `since` and are not as in the view: few are looked at. */
function changedSince(shard: Shard, since: number, view: ReadView): Difference[] {
  const keys = shard.headers.keysAfter(since);
  shard.pipeline.uncommittedKeys('', (key) => keys.add(key));
  const differences: Difference[] = [];
  for (const key of keys) {
    const now = shard.newestRv(key);
    const past = view.objectOf(key);
    if (now !== past?.rv) differences.push({ key, now, past: past?.rv });
  }
  return differences;
}

/** The records of a difference, valid until the next call on the log. */
interface Stored {
  readonly now: Uint8Array | undefined;
  readonly past: Uint8Array | undefined;
  /** An earlier restore may have brought it back. */
  readonly isSame: boolean;
}

/** Where the one record of a difference is while the other one is read. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

function storedAt(shard: Shard, { key, now: nowRv, past: pastRv }: Difference): Stored {
  const past = pastRv === undefined ? undefined : inScratch(recordAt(shard, pastRv));
  const now = nowRv === undefined ? undefined : newestRecord(shard, key, nowRv);
  const isSame =
    now !== undefined && past !== undefined && isSameWire(wireBytes(now), wireBytes(past));
  return { now, past, isSame };
}

function inScratch(record: Uint8Array): Uint8Array {
  if (scratch.length < record.length) scratch = Buffer.allocUnsafeSlow(2 * record.length);
  scratch.set(record);
  return scratch.subarray(0, record.length);
}

function isSame(shard: Shard, difference: Difference): boolean {
  return storedAt(shard, difference).isSame;
}

function newestRecord(shard: Shard, key: string, rv: number): Uint8Array {
  return shard.uncommittedRecord(key) ?? recordAt(shard, rv);
}

function recordAt(shard: Shard, rv: number): Uint8Array {
  const record = shard.log.read(rv);
  if (record !== undefined) return record;
  const message = `version ${rv} of ${shard.kind.key} is no longer known`;
  throw new StatusError(410, 'Expired', message);
}

/**
 * What an object had allocated is counted anew afterwards. An object of another uid is another
 * object: who watches sees one go and the other come.
 */
function* restored(write: Write, { key, now }: Difference, stored: Stored): Steps<Outcome> {
  const { shard } = write;
  write.restOn(key, now ?? 0);
  write.admitUnasked('the state of an earlier time comes back, as it was admitted then');
  const changes: Change[] = [];
  const isOther = uidOf(stored.now) !== uidOf(stored.past);
  if (stored.now !== undefined && now !== undefined && isOther) {
    const rv = shard.clock.take();
    const repeated = asWritten(shard, stored.now);
    changes.push({ operation: OPERATION.deleted, rv, key, previousRv: now, repeated });
  }
  if (stored.past !== undefined) {
    const rv = shard.clock.take();
    const previousRv = isOther ? 0 : (now ?? 0);
    const operation = previousRv === 0 ? OPERATION.added : OPERATION.modified;
    changes.push({ operation, rv, key, previousRv, repeated: asWritten(shard, stored.past) });
  }
  return { changes, reply: { code: 200 }, body: NO_BODY };
}

function uidOf(record: Uint8Array | undefined): string {
  return record === undefined ? '' : uidIn(wireBytes(record));
}

/** A record that was read, as it is to be written: in the present form, or in one that it names. */
function asWritten({ kind }: Shard, record: Uint8Array): Uint8Array {
  const { storedShape } = kind;
  if (storedShape === undefined) return record;
  const header = decodeRecordHeader(record);
  if (header.writtenAs === storedShape.writtenAs) return record;
  const { apiVersion, members } = unmarked(wireBytes(record));
  const writtenAs = apiVersion === '' ? storedShape.writtenAs : header.writtenAs;
  return encodeRecord({ ...header, writtenAs }, decodeUtf8(members));
}

/** Of all objects at a version. */
async function uidsAt(shard: Shard, version: number): Promise<readonly string[]> {
  const view = await pastView(shard, version);
  const versions: number[] = [];
  view.scanTable(ALL_KEYS, (entry) => {
    if (view.holds(entry)) versions.push(entry.rv);
  });
  view.scanReplaced(ALL_KEYS, ({ rv }) => void versions.push(rv));
  return versions.map((rv) => uidIn(wireBytes(recordAt(shard, rv))));
}

/** What is not the same at two versions; `to` absent is now. */
async function differences(
  shard: Shard,
  from: number,
  to: number | undefined,
): Promise<ObjectDifference[]> {
  if (shard.pipeline.appliedRv <= from) return [];
  const before = await pastView(shard, from);
  const versions = changedSince(shard, from, before);
  const after = to === undefined ? undefined : await pastView(shard, to);
  return versions.flatMap(({ key, past }) => {
    const now = after === undefined ? shard.table.get(key)?.rv : after.objectOf(key)?.rv;
    if (now === past) return [];
    const [old, text] = [past, now].map((one) => wireAt(shard, one));
    if (old !== undefined && text !== undefined && isSameWire(old, text)) return [];
    const [namespace, name] = splitKey(key);
    return [{ namespace, name, before: parsed(old), after: parsed(text) }];
  });
}

/** A copy. */
function wireAt(shard: Shard, rv: number | undefined): Uint8Array | undefined {
  const wire = rv === undefined ? undefined : shard.historicWireAt(rv);
  return wire && Buffer.from(wire);
}

function parsed(wire: Uint8Array | undefined): unknown {
  return wire === undefined ? null : JSON.parse(`{${decodeUtf8(unmarked(wire).members)}`);
}
