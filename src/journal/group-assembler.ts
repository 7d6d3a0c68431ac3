/**
 * Puts groups together from two watches: what is written to the objects of a type, and to the key
 * of its group. Both bring their events in the order of revisions, each at its own pace.
 */
import type { WatchEvent } from '../etcd/etcd.ts';
import type { LogEntry } from '../storage/store.ts';
import { changedKeys, groupEntries, groupHeader } from './group.ts';

/** A group as a view takes it. */
export interface Group {
  /** Its revision in etcd. */
  readonly revision: number;
  readonly entries: readonly LogEntry[];
  readonly safeRv: number;
  readonly lastRv: number;
}

type Header = ReturnType<typeof groupHeader>;

interface Waiting {
  readonly revision: number;
  readonly value: Uint8Array;
  readonly header: Header;
  /** Of how many objects etcd tells that they have changed with it. */
  readonly objects: number;
}

export class GroupAssembler {
  readonly #objectsPrefixLength: number;
  readonly #onGroup: (group: Group) => void;
  readonly #waiting: Waiting[] = [];
  /** Events of objects by revision, of groups that are not there yet. */
  readonly #objects = new Map<number, Map<string, Uint8Array>>();

  /** `objectsPrefix` is what keys of objects begin with, before namespace and name. */
  constructor(objectsPrefix: Uint8Array, onGroup: (group: Group) => void) {
    this.#objectsPrefixLength = objectsPrefix.length;
    this.#onGroup = onGroup;
  }

  objects(events: readonly WatchEvent[]): void {
    for (const { type, kv } of events) {
      let changed = this.#objects.get(kv.modRevision);
      if (changed === undefined) this.#objects.set(kv.modRevision, (changed = new Map()));
      const key = Buffer.from(kv.key.subarray(this.#objectsPrefixLength)).toString();
      changed.set(key, type === 'put' ? kv.value : DELETED);
    }
    this.#give();
  }

  groups(events: readonly WatchEvent[]): void {
    for (const { type, kv } of events) {
      // The type has gone; what follows it is of another of the same name.
      if (type === 'delete') continue;
      const { value, modRevision: revision } = kv;
      const header = groupHeader(value);
      this.#waiting.push({ revision, value, header, objects: changedKeys(value, header).size });
    }
    this.#give();
  }

  /** The revision of the oldest group that is not whole; undefined for none. */
  get oldestWaiting(): number | undefined {
    return this.#waiting[0]?.revision;
  }

  #give(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const { revision, value, header } = next;
      const objects = this.#objects.get(revision) ?? NONE;
      if (objects.size < next.objects) return;
      this.#waiting.shift();
      this.#forget(revision);
      const entries = groupEntries(value, header, objects);
      const { safeRv, lastRv } = header;
      this.#onGroup({ revision, entries, safeRv, lastRv });
    }
  }

  /** Objects of a type that is dropped change without a group. */
  #forget(revision: number): void {
    for (const earlier of this.#objects.keys()) {
      if (earlier > revision) return;
      this.#objects.delete(earlier);
    }
  }
}

const NONE: ReadonlyMap<string, Uint8Array> = new Map();
const DELETED = new Uint8Array(0);
