/**
 * The rules of watches: every matching change after the start exactly once, in order, with the
 * type that src/shard/README.md#watches gives it and the content of its version, and nothing else.
 */
import type { History, Report, Violation } from './history.ts';
import { apply, selected } from './object-history.ts';
import type { Change, ObjectHistory } from './object-history.ts';
import { matches } from './records.ts';
import type { Observed, Scope, SeenEvent, WatchRecord } from './records.ts';

interface Expected {
  readonly type: string;
  readonly version: number;
  readonly digest: string;
}

export function checkWatches(history: History, report: Report): void {
  for (const watch of history.records) {
    if (watch.record !== 'watch' || watch.code === 0) continue;
    checkRefusal(history, watch, report);
    if (watch.code !== 200) continue;
    const asksState = watch.asked === '' || watch.asked === '0' || watch.streamsList;
    if (asksState) checkFromState(history, watch, report);
    else {
      checkOrder(watch, watch.events, report);
      checkChanges(history, watch, Number(watch.asked), watch.events, report);
    }
  }
}

/** Tells the event that one change is to a scope; undefined where it is none. */
export function eventOf(scope: Scope, change: Change): Expected | undefined {
  const { version, before, after, shown } = change;
  const matched = before !== undefined && matches(scope, before);
  const isMatch = after !== undefined && matches(scope, after);
  if (isMatch) return { type: matched ? 'MODIFIED' : 'ADDED', version, digest: shown.digest };
  if (!matched) return undefined;
  return { type: 'DELETED', version, digest: after === undefined ? shown.digest : before.digest };
}

/** Compares the events after version `from` with the changes after it. */
function checkChanges(
  history: History,
  watch: WatchRecord,
  from: number,
  events: readonly SeenEvent[],
  report: Report,
): void {
  const objects = history.of(watch.type);
  const last = Math.max(from, ...events.map(({ version }) => version));
  const to = watch.settled ? Infinity : last;
  if (objects.covering(from, to) === undefined) history.unchecked++;
  const expected = new Map<number, Expected>();
  for (const { changes } of objects.segments) {
    for (const change of changes) {
      const event = eventOf(watch.scope, change);
      const isAsked = change.version > from && change.version <= to;
      if (isAsked && event !== undefined) expected.set(change.version, event);
    }
  }
  for (const event of events) {
    if (event.type === 'BOOKMARK') {
      const [missed] = expected.keys();
      if (missed !== undefined && missed <= event.version) {
        const message = `the bookmark ${event.version} came before the change ${missed}`;
        report('bookmark', message, event, ...around(watch, missed));
      }
    } else if (event.type !== 'ERROR' && objects.covering(event.version) !== undefined) {
      checkEvent(watch, event, expected.get(event.version), report);
      expected.delete(event.version);
    }
  }
  for (const missed of expected.values()) {
    const message = `the ${missed.type} of version ${missed.version} was not sent`;
    report('watch-missed', message, ...around(watch, missed.version));
    return;
  }
}

function checkEvent(
  watch: WatchRecord,
  event: SeenEvent,
  expected: Expected | undefined,
  report: Report,
): void {
  const { type, version, object } = event;
  const message = `${type} of ${object?.key} at ${version}`;
  const involved = [event, ...around(watch, version)];
  if (expected === undefined) report('watch-extra', `${message} is not asked for`, ...involved);
  else if (type !== expected.type) {
    report('watch-type', `${message} should be ${expected.type}`, ...involved);
  } else if (object?.digest !== expected.digest) {
    report('watch-content', `${message} shows another content`, ...involved);
  }
}

/** Versions rise strictly; behind a bookmark nothing is at or below it. */
function checkOrder(watch: WatchRecord, events: readonly SeenEvent[], report: Report): void {
  let [last, lastType] = [0, ''];
  for (const event of events) {
    if (event.type === 'ERROR') continue;
    const { version, type } = event;
    const isBookmark = type === 'BOOKMARK';
    if (version < last || (version === last && !isBookmark)) {
      const message = `${type} ${version} came after ${lastType} ${last}`;
      report('watch-order', message, ...around(watch, version));
    }
    [last, lastType] = [version, type];
  }
}

/**
 * A watch that begins with the state does not say of which version: there must be one, not older
 * than asked for, whose state the first events are, so that the rest are the changes after it.
 */
function checkFromState(history: History, watch: WatchRecord, report: Report): void {
  const { asked, type, start, opened } = watch;
  const events = watch.events.filter((event) => event.type !== 'ERROR');
  const objects = history.of(type);
  const low = asked === '' ? history.seenOfTypeBefore(type, start) : Number(asked);
  const high = history.highestAt(opened);
  if (objects.covering(Math.max(low, objects.segments[0]?.from ?? 0), high) === undefined) {
    history.unchecked++;
    return;
  }
  let best: Violation[] | undefined;
  for (const [version, state] of startsBetween(objects, watch.scope, low, high)) {
    const count = Math.min(state.size, events.length);
    if (!areState(events.slice(0, count), state)) continue;
    if (count < state.size && watch.settled) continue;
    const found: Violation[] = [];
    const note: Report = (rule, message, ...involved) => found.push({ rule, message, involved });
    const rest = events.slice(count);
    checkInitialEnd(watch, rest, note);
    checkOrder(watch, rest, note);
    checkChanges(history, watch, version, count < state.size ? [] : rest, note);
    if (best === undefined || found.length < best.length) best = found;
    if (found.length === 0) return;
  }
  if (best === undefined) {
    const message = `the first events are no state between ${low} and ${high}`;
    report('watch-initial', message, ...around(watch, 0));
    return;
  }
  for (const { rule, message, involved } of best) report(rule, message, ...involved);
}

/** The states of a scope at the versions at which they changed. */
function* startsBetween(
  objects: ObjectHistory,
  scope: Scope,
  low: number,
  high: number,
): Generator<[version: number, state: ReadonlyMap<string, Observed>]> {
  const start = Math.max(low, objects.segments[0]?.from ?? 0);
  const segment = objects.covering(start);
  const initial = selected(objects.stateAt(start) ?? new Map(), scope);
  const state = new Map(initial.map((object) => [object.key, object]));
  yield [start, state];
  for (const change of segment?.changes ?? []) {
    if (change.version <= start || eventOf(scope, change) === undefined) continue;
    if (change.version > high) return;
    const isMatch = change.after !== undefined && matches(scope, change.after);
    apply(state, isMatch ? change : { ...change, after: undefined });
    yield [change.version, state];
  }
}

function areState(events: readonly SeenEvent[], state: ReadonlyMap<string, Observed>): boolean {
  const keys = new Set(events.map(({ object }) => object?.key));
  return (
    keys.size === events.length &&
    events.every(({ type, object }) => {
      const isThere = state.get(object?.key ?? '')?.version === object?.version;
      return type === 'ADDED' && isThere;
    })
  );
}

/** A streamed list says once that it is complete, right behind its last item. */
function checkInitialEnd(watch: WatchRecord, rest: readonly SeenEvent[], report: Report): void {
  const ends = rest.flatMap(({ initialEnd }, at) => (initialEnd === true ? [at] : []));
  const isRight = watch.streamsList
    ? ends.length === Math.min(1, rest.length) && ends.every((at) => at === 0)
    : ends.length === 0;
  if (!isRight) {
    report('initial-end', `initial events end at ${ends.join(', ')}`, ...around(watch, 0));
  }
}

function checkRefusal(history: History, watch: WatchRecord, report: Report): void {
  const last = watch.events.at(-1);
  if (watch.events.some(({ type }) => type === 'MALFORMED')) {
    report('unexpected-answer', 'an event was no JSON', ...around(watch, 0));
  }
  const code = watch.code === 200 ? last?.code : watch.code;
  if (code === undefined || code === 429 || code === 503) return;
  const from = watch.events.findLast(({ version }) => version > 0)?.version ?? watch.asked;
  if (code !== 410) {
    report('unexpected-answer', `a watch was answered ${code}`, ...around(watch, 0));
  } else if (!history.mayHaveExpired(watch.type, Number(from), last?.time ?? watch.end)) {
    report('expired-early', `${from} is refused inside the window`, ...around(watch, 0));
  }
}

/** The watch without its events, and those next to a version. */
function around(watch: WatchRecord, version: number): unknown[] {
  const { events, ...asked } = watch;
  const found = events.findIndex((event) => event.version >= version);
  const at = found < 0 ? events.length : found;
  const near = events
    .slice(Math.max(0, at - 3), at + 3)
    .map(({ type, version, object }) => `${type} ${version} ${object?.key ?? ''}`.trim());
  return [asked, { eventsAround: near }];
}
