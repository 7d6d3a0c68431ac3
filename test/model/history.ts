/** A recorded run in the form in which the rules look at it. */
import { factsOf, ObjectHistory } from './object-history.ts';
import type { Change, Fact } from './object-history.ts';
import type {
  CollectionDeleteRecord,
  HistoryRecord,
  RestoreRecord,
  WriteRecord,
} from './records.ts';
import { Begun, marksOf, Seen } from './timeline.ts';

export interface Violation {
  /** The name of the rule that is broken. */
  readonly rule: string;
  readonly message: string;
  /** Records and events that show it. */
  readonly involved: readonly unknown[];
}

export type Report = (rule: string, message: string, ...involved: readonly unknown[]) => void;

export class History {
  readonly records: readonly HistoryRecord[];
  /** How long the server keeps old versions at least. */
  readonly windowMs: number;
  readonly types = new Map<string, ObjectHistory>();
  /** The facts of each version, whatever its type. */
  readonly facts: ReadonlyMap<number, Fact>;
  readonly byStamp = new Map<string, WriteRecord>();
  /** By the uid of the object that they were told to have ended. */
  readonly #endings = new Map<string, WriteRecord>();
  readonly restores: readonly RestoreRecord[];
  /** The uids of objects that a restore has brought back, and that ended again. */
  readonly #endedTwice: ReadonlySet<string>;
  /** Writes that may have happened or not. */
  readonly unknowns: readonly (WriteRecord | CollectionDeleteRecord)[];
  readonly begun: Begun;
  readonly #seen: Seen;
  readonly #seenOfType = new Map<string, Seen>();
  /** Checks that could not be made, since a part of the history is not known. */
  unchecked = 0;

  constructor(records: readonly HistoryRecord[], windowMs: number, report: Report) {
    this.records = records;
    this.windowMs = windowMs;
    for (const record of records) {
      if (record.record !== 'write') continue;
      if (record.stamp !== '') this.byStamp.set(record.stamp, record);
      if (record.endedUid !== undefined) this.#endings.set(record.endedUid, record);
    }
    this.restores = records.filter((one) => one.record === 'restore');
    this.unknowns = records
      .filter((one) => one.record === 'write' || one.record === 'deletecollection')
      .filter(({ outcome }) => outcome === 'unknown');
    this.facts = collectFacts(records, report);
    this.#endedTwice = endedTwice(this.facts.values());
    this.#seen = new Seen(records.flatMap(marksOf));
    this.begun = new Begun(this.#startsOfVersions());
    for (const type of new Set(records.flatMap((one) => ('type' in one ? [one.type] : [])))) {
      const own = records.filter((one) => 'type' in one && one.type === type);
      this.#seenOfType.set(type, new Seen(own.flatMap(marksOf)));
      const facts = new Map([...this.facts].filter(([, fact]) => fact.type === type));
      this.types.set(type, new ObjectHistory(own, facts));
    }
  }

  /** The highest version, of any type, that a client had seen before this moment. */
  seenBefore(time: number): number {
    return this.#seen.before(time);
  }

  /** The newest version of one type that was seen by then: its state was at least as new. */
  seenOfTypeBefore(type: string, time: number): number {
    return this.#seenOfType.get(type)?.before(time) ?? 0;
  }

  /** One of those that saw a version, for a reader to look at. */
  whoSaw(version: number): unknown {
    const found = this.records.find((one) => marksOf(one).some((mark) => mark.version === version));
    if (found === undefined) return undefined;
    const time = marksOf(found).find((mark) => mark.version === version)?.time;
    return { seen: version, by: found.record, type: 'type' in found ? found.type : '', time };
  }

  /** The highest version that can have existed at this moment. */
  highestAt(time: number): number {
    return this.begun.after(time) - 1;
  }

  of(type: string): ObjectHistory {
    const history = this.types.get(type);
    if (history === undefined) throw new Error(`no records of ${type}`);
    return history;
  }

  /**
   * The earliest moment at which a version can have been written: when the request for its
   * content began. Of a deletion that is what it deleted, which is earlier than need be.
   */
  earliest(version: number): number {
    const stamp = this.facts.get(version)?.object.stamp ?? '';
    return this.byStamp.get(stamp)?.start ?? -Infinity;
  }

  /** Whether the server may have dropped what was valid at `version`, and after it. */
  mayHaveExpired(type: string, version: number, time: number): boolean {
    const segment = this.of(type).covering(version);
    if (segment === undefined) return true;
    const next = segment.changes.find((change) => change.version > version);
    // No scribe saw what came after the end of a segment: it began later than the change before.
    const isUnseen = next === undefined && segment.to < Infinity;
    const bound = isUnseen ? segment.changes.at(-1) : next;
    if (bound === undefined) return isUnseen;
    return this.earliest(bound.version) <= time - this.windowMs;
  }

  /** Whether a change is what a restore makes of an object. */
  isRestored(type: string, { version, key, after, shown }: Change): boolean {
    return this.restores.some((one) => {
      // One that was cut off was written before the end of the server.
      if (version <= this.seenBefore(one.start) || version > this.highestAt(one.end)) return false;
      const state = this.of(type).stateAt(one.version);
      const past = state?.get(key);
      if (after === undefined) return past?.uid !== shown.uid;
      return past?.uid === after.uid && past.digest === after.digest;
    });
  }

  /** The request that made this version, as far as that can be told. */
  writerOf({ object, deleted }: Pick<Fact, 'object' | 'deleted'>): WriteRecord | undefined {
    if (!deleted) return this.byStamp.get(object.stamp);
    // Which end was whose is not told.
    return this.#endedTwice.has(object.uid) ? undefined : this.#endings.get(object.uid);
  }

  *#startsOfVersions(): Generator<{ time: number; version: number }> {
    const taken = new Set<string>();
    const facts = [...this.facts.values()].toSorted((a, b) => a.object.version - b.object.version);
    for (const fact of facts) {
      const { version, stamp } = fact.object;
      const write = this.writerOf(fact);
      // A later live version with the same stamp was marked by a delete.
      const isFirst = fact.deleted || !taken.has(stamp);
      if (write !== undefined && isFirst) yield { time: write.start, version };
      taken.add(stamp);
    }
  }
}

/** Collects the facts of versions. Two that differ about one version break the first rule. */
function collectFacts(records: readonly HistoryRecord[], report: Report): Map<number, Fact> {
  const facts = new Map<number, Fact>();
  for (const fact of records.flatMap(factsOf)) {
    const { version } = fact.object;
    const known = facts.get(version);
    if (known === undefined) facts.set(version, fact);
    else if (!isSame(known, fact)) {
      const brief = [known, fact].map(({ object, deleted, source }) => {
        const { record, type } = source as HistoryRecord & { type: string };
        return { object, deleted, source: `${record} of ${type}` };
      });
      report('version-reused', `version ${version} stands for two contents`, ...brief);
    }
  }
  return facts;
}

function endedTwice(facts: Iterable<Fact>): Set<string> {
  const ended = new Set<string>();
  const again = new Set<string>();
  for (const { object, deleted } of facts) {
    if (!deleted) continue;
    if (ended.has(object.uid)) again.add(object.uid);
    ended.add(object.uid);
  }
  return again;
}

function isSame(a: Fact, b: Fact): boolean {
  const [x, y] = [a.object, b.object];
  const sameObject = a.type === b.type && x.key === y.key && x.uid === y.uid;
  return sameObject && a.deleted === b.deleted && x.digest === y.digest;
}
