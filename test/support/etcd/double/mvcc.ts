/** Keys, each with its versions, and the history of revisions: what etcd calls MVCC. */
import type { KeyValue, Keys } from '../../../../src/etcd/etcd.ts';
import { COMPACTED, FUTURE_REVISION, StatusError } from './status-error.ts';

export interface StoredEvent {
  readonly type: 'put' | 'delete';
  readonly kv: KeyValue;
}

export interface Revision {
  readonly revision: number;
  readonly events: readonly StoredEvent[];
}

interface Version {
  readonly revision: number;
  /** Undefined where the key was deleted. */
  readonly kv: KeyValue | undefined;
}

const NO_BYTES = new Uint8Array();

export class Mvcc {
  readonly #versions = new Map<string, Version[]>();
  /** All keys of which something is remembered, in their order. */
  #sorted: string[] = [];
  #history: Revision[] = [];
  #revision = 1;
  #compacted = -1;
  readonly #onRevision: (revision: Revision) => void;
  /** Whether the lease is shown with keys alone: etcd 3.7 reads these from its index. */
  readonly showsLeasesOfKeys: boolean;

  constructor(onRevision: (revision: Revision) => void, showsLeasesOfKeys: boolean) {
    this.#onRevision = onRevision;
    this.showsLeasesOfKeys = showsLeasesOfKeys;
  }

  get revision(): number {
    return this.#revision;
  }

  get compacted(): number {
    return this.#compacted;
  }

  /** Throws a StatusError for a revision that is not there. */
  checkRevision(revision: number): void {
    if (revision > this.#revision) throw new StatusError(FUTURE_REVISION);
    if (revision !== 0 && revision < this.#compacted) throw new StatusError(COMPACTED);
  }

  /** What is there of a range, in the order of keys. */
  read(keys: Keys, revision: number): KeyValue[] {
    return this.#keysIn(keys).flatMap((key) => this.#at(key, revision) ?? []);
  }

  /** What an event has replaced; undefined where that is not known any more. */
  before({ type, kv }: StoredEvent): KeyValue | undefined {
    if (type === 'put' && kv.version === 1) return undefined;
    const revision = kv.modRevision - 1;
    return revision < this.#compacted ? undefined : this.#at(textOf(kv.key), revision);
  }

  /** Revisions from `from` on that are remembered. */
  since(from: number): readonly Revision[] {
    return this.#history.slice(this.#history.findIndex(({ revision }) => revision >= from));
  }

  /** Writes what `write` writes as one revision; none where that is nothing. */
  commit<Result>(write: (writing: Writing) => Result): Result {
    const events: StoredEvent[] = [];
    const revision = this.#revision + 1;
    const result = write({
      revision: () => (events.length === 0 ? this.#revision : revision),
      put: (key, value, lease) => {
        const before = this.#at(textOf(key), revision);
        const { createRevision, version } = before ?? { createRevision: revision, version: 0 };
        const modRevision = revision;
        const kv = { key, value, createRevision, modRevision, version: version + 1, lease };
        this.#store(textOf(key), { revision, kv });
        events.push({ type: 'put', kv });
        return before;
      },
      delete: (keys) => {
        const deleted = this.read(keys, revision);
        for (const { key } of deleted) {
          this.#store(textOf(key), { revision, kv: undefined });
          events.push({ type: 'delete', kv: { ...NOTHING, key, modRevision: revision } });
        }
        return deleted;
      },
    });
    if (events.length > 0) {
      this.#revision = revision;
      this.#history.push({ revision, events });
      this.#onRevision({ revision, events });
    }
    return result;
  }

  compact(revision: number): void {
    if (revision <= this.#compacted) throw new StatusError(COMPACTED);
    if (revision > this.#revision) throw new StatusError(FUTURE_REVISION);
    this.#compacted = revision;
    this.#history = this.#history.filter((one) => one.revision >= revision);
    for (const [key, versions] of this.#versions) {
      const last = versions.findLastIndex((version) => version.revision <= revision);
      const kept = versions.slice(Math.max(0, last));
      if (kept[0]?.kv === undefined && last >= 0) kept.shift();
      if (kept.length === 0) this.#versions.delete(key);
      else this.#versions.set(key, kept);
    }
    this.#sorted = this.#sorted.filter((key) => this.#versions.has(key));
  }

  #store(key: string, version: Version): void {
    const versions = this.#versions.get(key);
    if (versions !== undefined) {
      // A key may be deleted and in the same revision put, if never put twice.
      if (versions.at(-1)?.revision === version.revision) versions.pop();
      versions.push(version);
      return;
    }
    this.#versions.set(key, [version]);
    this.#sorted.splice(this.#placeOf(key), 0, key);
  }

  #at(key: string, revision: number): KeyValue | undefined {
    return this.#versions.get(key)?.findLast((version) => version.revision <= revision)?.kv;
  }

  #keysIn({ key, rangeEnd = NO_BYTES }: Keys): readonly string[] {
    const from = textOf(key);
    if (rangeEnd.length === 0) return this.#versions.has(from) ? [from] : [];
    const end = hasNoEnd({ key, rangeEnd }) ? this.#sorted.length : this.#placeOf(textOf(rangeEnd));
    return this.#sorted.slice(this.#placeOf(from), end);
  }

  /** The place of the first key that is not before `key`. */
  #placeOf(key: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface Writing {
  /** The newest, with what was written so far. */
  revision(): number;
  /** Gives what was replaced. */
  put(key: Uint8Array, value: Uint8Array, lease: bigint): KeyValue | undefined;
  /** Gives what was deleted. */
  delete(keys: Keys): readonly KeyValue[];
}

/** A deletion has a key and a revision alone. */
const NOTHING = { value: NO_BYTES, createRevision: 0, version: 0, lease: 0n };

/** A key as a text; texts are in the order of their keys. */
export function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}

/** Whether a range has a key. */
export function isIn({ key, rangeEnd = NO_BYTES }: Keys, one: Uint8Array): boolean {
  if (rangeEnd.length === 0) return Buffer.compare(key, one) === 0;
  if (Buffer.compare(key, one) > 0) return false;
  return hasNoEnd({ key, rangeEnd }) || Buffer.compare(one, rangeEnd) < 0;
}

/** Whether a range has all keys from its first on. */
export function hasNoEnd({ rangeEnd = NO_BYTES }: Keys): boolean {
  return rangeEnd.length === 1 && rangeEnd[0] === 0;
}
