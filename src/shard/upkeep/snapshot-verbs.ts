/** What snapshots ask of a shard: to keep the past, to write it, to tell what has changed. */
import { decodeUtf8 } from '../../codec/text-body.ts';
import type {
  ObjectDifference,
  RestoredCounts,
  SnapshotCalls,
} from '../../protocol/snapshot-protocol.ts';
import { StatusError } from '../../semantics/errors/status.ts';
import { OPERATION, wireBytes } from '../../storage/record.ts';
import { unmarked } from '../../types/conversion.ts';
import { readFacts } from '../log/latest.ts';
import { isSameWire, uidIn, withResourceVersion } from '../log/stored-text-edits.ts';
import type { PastObject } from '../log/past-states.ts';
import { viewAt, type ReadView } from '../read/read-view.ts';
import type { Change } from '../state/change.ts';
import type { Shard } from '../state/shard.ts';
import { ALL_KEYS } from '../table/object-table.ts';
import { splitKey } from '../table/selection.ts';
import { runWrite } from '../write/driver.ts';
import { removal } from '../write/removal.ts';
import type { Steps } from '../../proposals/steps.ts';
import { NO_BODY, type Outcome, type Write } from '../write/write.ts';
import { restoreState } from './restore-state.ts';

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
    beginRestore: ({ version, dryRun }) => {
      if (!dryRun) restoreState(shard).begin();
      return restores.isChanged(version);
    },
    uids: ({ version }) => uidsAt(shard, version),
    restore: ({ version, dryRun }) => restores.restore(version, dryRun),
    endRestore: ({ number }) => {
      restoreState(shard).end(number);
      return undefined;
    },
    diff: ({ from, to }) => differences(shard, from, to),
  };
}

/** What becomes of an object; `now` and `past` are absent where it is not there. */
interface Difference {
  readonly key: string;
  readonly now: number | undefined;
  readonly past: PastObject | undefined;
}

class Restores {
  readonly #shard: Shard;
  /** By the version that was restored: the one up to which all is as it was then. */
  readonly #same = new Map<number, number>();

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  /** Whether anything was written since it was as at the version, committed or not. */
  isChanged(version: number): boolean {
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
    // A type that came meanwhile was not told of the beginning.
    if (!dryRun) restoreState(shard).begin();
    if (!this.isChanged(version)) return NOTHING;
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
    restoreState(shard).written();
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
  const keys = new Set<string>();
  shard.headers.scan(since, (_rv, { key }) => {
    keys.add(key);
    return true;
  });
  shard.pipeline.uncommittedKeys('', (key) => keys.add(key));
  const differences: Difference[] = [];
  for (const key of keys) {
    const now = shard.newestRv(key);
    const past = view.objectOf(key);
    if (now !== past?.rv) differences.push({ key, now, past });
  }
  return differences;
}

/** The records of a difference. */
interface Stored {
  readonly now: Uint8Array | undefined;
  readonly past: Uint8Array | undefined;
  /** An earlier restore may have brought it back. */
  readonly isSame: boolean;
}

function storedAt(shard: Shard, { key, now, past }: Difference): Stored {
  // The bytes of one are gone when the other is read.
  const newest = now === undefined ? undefined : Buffer.from(newestRecord(shard, key, now));
  const old = past && recordAt(shard, past.rv);
  const isSame =
    newest !== undefined && old !== undefined && isSameWire(wireBytes(newest), wireBytes(old));
  return { now: newest, past: old, isSame };
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
function* restored(write: Write, { key, now, past }: Difference, stored: Stored): Steps<Outcome> {
  const { shard } = write;
  write.restOn(key, now ?? 0);
  write.admitUnasked('the state of an earlier time comes back, as it was admitted then');
  const changes: Change[] = [];
  const isOther = uidOf(stored.now) !== uidOf(stored.past);
  if (stored.now !== undefined && now !== undefined && isOther) {
    const { fields } = shard.pipeline.uncommitted(key) ?? shard.table.get(key) ?? {};
    const removed = removal(shard, key, { ...readFacts(stored.now), rv: now });
    changes.push({ ...removed, fields, release: undefined });
  }
  if (stored.past !== undefined && past !== undefined) {
    const { object, wire, writtenAs } = readFacts(stored.past);
    const rv = shard.clock.take();
    const previousRv = isOther ? 0 : (now ?? 0);
    const operation = previousRv === 0 ? OPERATION.added : OPERATION.modified;
    const text = withResourceVersion(wire, rv);
    const { fields } = past;
    changes.push({ operation, rv, key, previousRv, object, fields, wire: text, writtenAs });
  }
  return { changes, reply: { code: 200 }, body: NO_BODY };
}

function uidOf(record: Uint8Array | undefined): string {
  return record === undefined ? '' : uidIn(wireBytes(record));
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
  const versions = changedSince(shard, from, before).map(({ key, past }) => ({
    key,
    past: past?.rv,
  }));
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
