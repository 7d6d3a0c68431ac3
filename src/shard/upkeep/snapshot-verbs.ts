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
import { isSameText, uidIn, withResourceVersion } from '../log/stored-text-edits.ts';
import { viewAt, type ReadView } from '../read/read-view.ts';
import type { Change } from '../state/change.ts';
import type { Shard } from '../state/shard.ts';
import { ALL_KEYS } from '../table/object-table.ts';
import { splitKey } from '../table/selection.ts';
import { runWrite } from '../write/driver.ts';
import { removal } from '../write/removal.ts';
import { NO_BODY, type Outcome, type Steps, type Write } from '../write/write.ts';
import { restoredKeys } from './restored-keys.ts';

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
    isChanged: ({ version }) => restores.isChanged(version),
    uids: ({ version }) => uidsAt(shard, version),
    restore: ({ version, dryRun }) => restores.restore(version, dryRun),
    restored: () => {
      restoredKeys(shard).end();
      return undefined;
    },
    diff: ({ from, to }) => differences(shard, from, to),
  };
}

/** What becomes of an object; `now` and `past` are absent where it is not there. */
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
    if (!this.isChanged(version)) return NOTHING;
    const since = this.#since(version);
    const view = await pastView(shard, version);
    // From here to the last write nobody else has a turn.
    const differences = changedSince(shard, since, view).filter((one) => !isSame(shard, one));
    const counts = countsOf(differences);
    if (dryRun) return counts;
    if (differences.length === 0) {
      const oldest = pipeline.oldest();
      if (oldest === undefined) this.#same.set(version, pipeline.appliedRv);
      return counts;
    }
    const last = this.#write(differences);
    await last.committed;
    this.#same.set(version, last.rv);
    shard.forgetAllocations();
    return counts;
  }

  #write(differences: readonly Difference[]): { rv: number; committed: Promise<void> } {
    const shard = this.#shard;
    const keys = restoredKeys(shard);
    let failure: unknown;
    const answer = {
      reply: () => undefined,
      fail: (error: unknown) => void (failure ??= error),
    };
    for (const difference of differences) {
      keys.add(difference.key);
      runWrite(shard, (write) => restored(write, difference), answer);
    }
    const rv = shard.clock.current();
    const committed = shard.pipeline.settled().then(() => {
      if (failure !== undefined) throw failure as Error;
    });
    return { rv, committed };
  }
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
    const past = view.versionOf(key);
    if (now !== past) differences.push({ key, now, past });
  }
  return differences;
}

/** An earlier restore may have brought it back. */
function isSame(shard: Shard, { key, now, past }: Difference): boolean {
  if (now === undefined || past === undefined) return false;
  // The bytes of one are gone when the other is read.
  const newest = decodeUtf8(wireBytes(newestRecord(shard, key, now)));
  return isSameText(newest, decodeUtf8(wireBytes(recordAt(shard, past))));
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
function* restored(write: Write, { key, past }: Difference): Steps<Outcome> {
  const { shard } = write;
  const now = shard.newestRv(key);
  write.restOn(key, now ?? 0);
  write.admitUnasked('the state of an earlier time comes back, as it was admitted then');
  const stored = now === undefined ? undefined : readFacts(newestRecord(shard, key, now));
  const back = past === undefined ? undefined : readFacts(recordAt(shard, past));
  const changes: Change[] = [];
  const isOther = stored?.object.metadata.uid !== back?.object.metadata.uid;
  if (stored !== undefined && now !== undefined && isOther) {
    const fields = fieldsOf(shard, key, now);
    changes.push({ ...removal(shard, key, { ...stored, rv: now }), fields, release: undefined });
  }
  if (back !== undefined && past !== undefined) {
    const rv = shard.clock.take();
    const previousRv = isOther ? 0 : (now ?? 0);
    changes.push({
      operation: previousRv === 0 ? OPERATION.added : OPERATION.modified,
      rv,
      key,
      previousRv,
      object: back.object,
      fields: shard.headers.at(past)?.fields,
      wire: withResourceVersion(back.wire, rv),
      writtenAs: back.writtenAs,
    });
  }
  return { changes, reply: { code: 200 }, body: NO_BODY };
}

function fieldsOf(shard: Shard, key: string, rv: number): readonly string[] | undefined {
  return shard.pipeline.uncommitted(key)?.fields ?? shard.headers.at(rv)?.fields;
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
  const versions = changedSince(shard, from, before).map(({ key, past }) => ({ key, past }));
  const after = to === undefined ? undefined : await pastView(shard, to);
  return versions.flatMap(({ key, past }) => {
    const now = after === undefined ? shard.table.get(key)?.rv : after.versionOf(key);
    if (now === past) return [];
    const [old, text] = [past, now].map((rv) => (rv === undefined ? '' : textAt(shard, rv)));
    if (old !== undefined && text !== undefined && old !== '' && text !== '') {
      if (isSameText(old, text)) return [];
    }
    const [namespace, name] = splitKey(key);
    return [{ namespace, name, before: parsed(old), after: parsed(text) }];
  });
}

function textAt(shard: Shard, rv: number): string {
  const wire = shard.historicWireAt(rv);
  return wire === undefined ? '' : decodeUtf8(unmarked(wire).members);
}

function parsed(text: string | undefined): unknown {
  return text === undefined || text === '' ? null : JSON.parse(`{${text}`);
}
