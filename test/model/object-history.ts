/**
 * The history of one resource type, put together from all that was seen of it: its changes by
 * version, each with the state before and after. It is known to be whole where a scribe, a watch
 * of everything, was following; what lies between two such segments is not judged.
 */
import { matches } from './records.ts';
import type { HistoryRecord, ListRecord, Observed, Scope, WatchRecord } from './records.ts';
import { countWhile } from './timeline.ts';

export interface Change {
  readonly version: number;
  readonly key: string;
  readonly before: Observed | undefined;
  /** Absent when it was deleted. */
  readonly after: Observed | undefined;
  /** The object as the event of the change shows it, also of a deletion. */
  readonly shown: Observed;
}

export interface Segment {
  /** The state at `from` and the changes after it up to `to` are known. */
  readonly from: number;
  readonly to: number;
  readonly base: ReadonlyMap<string, Observed>;
  readonly changes: readonly Change[];
}

/** That a version is this content, or with `deleted` the end of this object. */
export interface Fact {
  readonly type: string;
  readonly object: Observed;
  readonly deleted: boolean;
  /** Who says so. */
  readonly source: HistoryRecord;
}

export type State = ReadonlyMap<string, Observed>;

const CHECKPOINT_CHANGES = 64;

/** All that a record says of versions. What leaves a selector tells nothing of its version. */
export function factsOf(source: HistoryRecord): Fact[] {
  const live = (type: string, object: Observed): Fact => ({ type, object, deleted: false, source });
  switch (source.record) {
    case 'write':
    case 'get':
      return source.answer === undefined ? [] : [live(source.type, source.answer)];
    case 'list':
      return source.pages.flatMap(({ items }) => items.map((item) => live(source.type, item)));
    case 'watch':
      return source.events.flatMap(({ type, object }) => {
        if (object === undefined) return [];
        if (type !== 'DELETED') return [live(source.type, object)];
        if (source.scope.app !== undefined) return [];
        return [{ type: source.type, object, deleted: true, source }];
      });
    case 'deletecollection':
    case 'redefinition':
    case 'restore':
    case 'server':
      return [];
  }
}

export class ObjectHistory {
  readonly segments: readonly Segment[];
  /** Versions that were sent to the scribes. */
  readonly scribed: ReadonlySet<number>;
  readonly #checkpoints = new Map<Segment, State[]>();
  readonly #byKey = new Map<string, Change[]>();

  constructor(records: readonly HistoryRecord[], facts: ReadonlyMap<number, Fact>) {
    const scribes = records
      .filter((record) => record.record === 'watch')
      .filter((watch) => watch.scribe && watch.code === 200)
      .toSorted((a, b) => a.start - b.start);
    const lists = records.filter((record) => record.record === 'list');
    const sorted = [...facts.values()].toSorted((a, b) => a.object.version - b.object.version);
    this.scribed = new Set(scribes.flatMap(({ events }) => events.map(({ version }) => version)));
    this.segments = rangesOf(scribes).map(([from, to]) => {
      const base = baseOf(lists, from);
      const within = sorted.filter(({ object }) => object.version > from && object.version <= to);
      return { from, to, base, changes: changesOf(base, within) };
    });
    for (const segment of this.segments) this.#index(segment);
  }

  #index(segment: Segment): void {
    const state = new Map(segment.base);
    const checkpoints: State[] = [];
    segment.changes.forEach((change, at) => {
      if (at % CHECKPOINT_CHANGES === 0) checkpoints.push(new Map(state));
      apply(state, change);
      const ofKey = this.#byKey.get(change.key);
      if (ofKey === undefined) this.#byKey.set(change.key, [change]);
      else ofKey.push(change);
    });
    this.#checkpoints.set(segment, checkpoints);
  }

  /** The segment that knows all of these versions. */
  covering(low: number, high = low): Segment | undefined {
    return this.segments.find(({ from, to }) => from <= low && high <= to);
  }

  /** The objects at a version; undefined where it is not known. */
  stateAt(version: number): State | undefined {
    const segment = this.covering(version);
    if (segment === undefined) return undefined;
    const count = countWhile(segment.changes, (change) => change.version <= version);
    const checkpoint = Math.max(0, Math.ceil(count / CHECKPOINT_CHANGES) - 1);
    const state = new Map(this.#checkpoints.get(segment)?.[checkpoint] ?? segment.base);
    for (let at = checkpoint * CHECKPOINT_CHANGES; at < count; at++) {
      apply(state, segment.changes[at] as Change);
    }
    return state;
  }

  /** The states that an object went through between two versions, both included. */
  statesOf(key: string, low: number, high: number): (Observed | undefined)[] | undefined {
    const first = this.segments[0]?.from ?? 0;
    const start = Math.max(low, first);
    const segment = this.covering(start, high);
    if (segment === undefined) return undefined;
    const changes = (this.#byKey.get(key) ?? []).filter(({ version }) => version > segment.from);
    const begun = countWhile(changes, ({ version }) => version <= start);
    const before = begun === 0 ? segment.base.get(key) : changes[begun - 1]?.after;
    const during = changes.slice(begun).filter(({ version }) => version <= high);
    return [before, ...during.map(({ after }) => after)];
  }
}

export function apply(state: Map<string, Observed>, { key, after }: Change): void {
  if (after === undefined) state.delete(key);
  else state.set(key, after);
}

/** The objects of a state that a scope asks for, in the order of lists. */
export function selected(state: State, scope: Scope): Observed[] {
  return [...state.values()]
    .filter((object) => matches(scope, object))
    .toSorted((a, b) => compareKeys(a.key, b.key));
}

/** Lists are ordered by namespace, then by name. */
export function compareKeys(a: string, b: string): number {
  const [x, y] = [a.replace('/', '\0'), b.replace('/', '\0')];
  return x < y ? -1 : Number(x > y);
}

/**
 * Gives the ranges that scribes followed without a break: one goes on where the one before ended.
 */
function rangesOf(scribes: readonly WatchRecord[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const { asked, events, settled } of scribes) {
    const from = Number(asked);
    const to = settled ? Infinity : Math.max(from, ...events.map(({ version }) => version));
    const last = ranges.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  return ranges;
}

function baseOf(lists: readonly ListRecord[], version: number): State {
  const found = lists.find(({ scope, after, pages }) => {
    // Pages that go on behind an expired token lack what came before.
    const isEnd = after !== '' || pages.at(-1)?.more !== false;
    const isWhole = !isEnd && pages[0]?.version === version;
    return isWhole && Object.keys(scope).length === 1 && scope.namespace === '';
  });
  if (found === undefined) throw new Error(`no list at ${version}, where a scribe began`);
  const items = found.pages.flatMap((page) => page.items);
  return new Map(items.map((item) => [item.key, item]));
}

function changesOf(base: State, facts: readonly Fact[]): Change[] {
  const state = new Map(base);
  return facts.map(({ object, deleted }) => {
    const { version, key } = object;
    const before = state.get(key);
    const change = { version, key, before, after: deleted ? undefined : object, shown: object };
    apply(state, change);
    return change;
  });
}
