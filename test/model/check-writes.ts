/**
 * The rules of writes: each change is one write of a client, once, with a version above all that
 * was seen before it began; acknowledged writes are there for good; refusals had their reason.
 */
import { matches } from './records.ts';
import { countGoverned, hardOf, isDenied } from './governed.ts';
import { contentOf, expectedContent, isConflict, isSameContent } from './expected-content.ts';
import type { CollectionDeleteRecord, HistoryRecord, Observed, WriteRecord } from './records.ts';
import type { History, Report } from './history.ts';
import type { Change } from './object-history.ts';

type Deleting = WriteRecord | CollectionDeleteRecord;

/** Statuses that say nothing of the objects: the server is busy or about to end. */
const BUSY = [429, 503];

export function checkChanges(history: History, report: Report): void {
  const deletes = history.records.filter(isDeleting);
  for (const [type, { segments }] of history.types) {
    const used = new Set<string>();
    for (const { base, changes } of segments) {
      for (const { stamp } of base.values()) used.add(stamp);
      for (const change of changes) {
        const { before, after, shown } = change;
        if (history.isRestored(type, change)) {
          used.add(shown.stamp);
          continue;
        }
        checkOrder(history, change, report);
        if (after === undefined) checkDeletion(history, type, change, deletes, report);
        else if (shown.stamp !== before?.stamp) checkWritten(history, type, change, used, report);
        else if (isStoredAnew(history, type, change)) continue;
        else if (!isMark(before, after)) {
          report(
            'written-twice',
            `${change.version} repeats the write of ${before.version}`,
            change,
          );
        } else if (!deletes.some((one) => canHaveDeleted(history, one, type, change))) {
          report('deleted-by-nobody', `nobody asked for what ${change.version} is`, change);
        }
        used.add(shown.stamp);
      }
    }
  }
}

/** The version is above all that was seen before the write began, also before a crash. */
function checkOrder(history: History, change: Change, report: Report): void {
  const { version, before, after, shown } = change;
  // An object that a delete only marked has the stamp of the write before it.
  if (after !== undefined && shown.stamp === before?.stamp) return;
  const write = history.writerOf({ object: shown, deleted: after === undefined });
  const seen = write === undefined ? 0 : history.seenBefore(write.start);
  if (version <= seen) {
    const message = `version ${version} was begun after ${seen} was seen`;
    report('version-order', message, history.whoSaw(seen), write, change);
  }
}

/** Who writes what is there already has it stored in the version that is stored now. */
function isStoredAnew(history: History, type: string, { before, shown }: Change): boolean {
  if (before?.digest !== shown.digest) return false;
  return history.records.some((one) => one.record === 'redefinition' && one.type === type);
}

/** A delete that finalizers hold back only marks the object. */
function isMark(before: Observed, after: Observed): boolean {
  return !before.terminating && after.terminating && before.uid === after.uid;
}

/** A change whose content is new: it is that of one request, which found what it demanded. */
function checkWritten(
  history: History,
  type: string,
  change: Change,
  used: ReadonlySet<string>,
  report: Report,
): void {
  const { version, key, before, shown } = change;
  const write = history.byStamp.get(shown.stamp);
  if (write === undefined || write.key !== key || write.type !== type) {
    report('written-by-nobody', `nobody wrote what version ${version} is`, change, write);
    return;
  }
  if (used.has(shown.stamp)) {
    report('written-twice', `the write of version ${version} was there before`, change, write);
  }
  if (isDenied(write)) {
    report('refused-but-written', `version ${version} is what a webhook denied`, change, write);
  }
  if (write.outcome === 'refused') {
    report('refused-but-written', `version ${version} is a refused write`, change, write);
  }
  const creates = write.verb === 'create' || write.code === 201;
  const isOfWhatIsThere = write.verb === 'merge' || write.verb === 'json';
  const updates = isOfWhatIsThere || (write.verb !== 'create' && write.code === 200);
  // PUT may create objects of some types: a version is then no condition while there is no object.
  const foundOther = write.expects !== 0 && before && before.version !== write.expects;
  if ((creates && before !== undefined) || (updates && before === undefined) || foundOther) {
    report('precondition', `version ${version} was written on ${before?.version}`, change, write);
  }
  if (before !== undefined && before.uid !== shown.uid) {
    report('precondition', `version ${version} has another uid`, change, write);
  }
  if (isConflict(write, before)) {
    report('conflict-missed', `version ${version} takes what others own`, change, write);
  }
  const expected = expectedContent(write, before);
  if (!isSameContent(contentOf(shown), expected)) {
    report('content', `version ${version} is not what the write makes`, change, write, expected);
  }
}

/** A deletion shows the last state; what finalizers held was released by an update. */
function checkDeletion(
  history: History,
  type: string,
  change: Change,
  deletes: readonly Deleting[],
  report: Report,
): void {
  const { version, before, shown } = change;
  if (before === undefined) report('deleted-twice', `${version} deletes what is not there`, shown);
  else if (shown.digest !== before.digest) {
    report('watch-content', `deletion ${version} does not show the last state`, before, shown);
  } else if (before.held) {
    const isReleased = history.records.some((one) => canHaveReleased(history, one, type, before));
    if (!isReleased) report('deleted-by-nobody', `${version} deletes what is held`, change);
  } else if (!deletes.some((one) => canHaveDeleted(history, one, type, change))) {
    report('deleted-by-nobody', `nobody asked for what ${version} is`, change);
  }
}

/**
 * An update, or a merge patch, without finalizers of what is terminating; it is not written, but
 * ends the object.
 */
function canHaveReleased(
  history: History,
  one: HistoryRecord,
  type: string,
  { key, uid, version, terminating }: Observed,
): boolean {
  if (one.record !== 'write' || one.held !== false || !terminating) return false;
  if (one.verb !== 'update' && one.verb !== 'merge') return false;
  if (one.type !== type || one.key !== key || one.outcome === 'refused') return false;
  if (one.outcome === 'unknown') return one.expects === 0 || one.expects === version;
  return one.endedUid === uid && one.end >= history.earliest(version);
}

function isDeleting(record: HistoryRecord): record is Deleting {
  if (record.record === 'deletecollection') return record.outcome !== 'refused';
  return record.record === 'write' && record.verb === 'delete' && record.outcome !== 'refused';
}

/** A deletecollection goes through what it found: that may match no more when its turn comes. */
function canHaveDeleted(
  history: History,
  one: Deleting,
  type: string,
  { version, before }: Change,
): boolean {
  if (before === undefined) return false;
  // One whose connection broke may still have been on its way.
  const end = one.outcome === 'unknown' ? Infinity : one.end;
  if (one.type !== type || end < history.earliest(before.version)) return false;
  const { key, uid } = before;
  if (one.record === 'write') return one.key === key && (one.endedUid ?? uid) === uid;
  const low = Math.min(history.seenOfTypeBefore(type, one.start), before.version);
  const found = history.of(type).statesOf(key, low, version - 1) ?? [before];
  return found.some((object) => object !== undefined && matches(one.scope, object));
}

export function checkAnswers(history: History, report: Report): void {
  const ended = new Map<string, WriteRecord>();
  for (const write of history.records) {
    if (write.record !== 'write') continue;
    if (write.code === 500) report('unexpected-answer', 'the server failed', write);
    if (write.outcome === 'acknowledged') checkAcknowledged(history, write, ended, report);
    else if (write.outcome === 'refused') checkRefusal(history, write, report);
  }
}

function checkAcknowledged(
  history: History,
  write: WriteRecord,
  ended: Map<string, WriteRecord>,
  report: Report,
): void {
  const { answer, endedUid, type, stamp } = write;
  const objects = history.of(type);
  if (endedUid !== undefined) {
    const other = ended.get(endedUid);
    if (other !== undefined && !hasRestoreBetween(history, other, write)) {
      report('deleted-twice', 'two ended one object', write, other);
    }
    ended.set(endedUid, write);
    const [segment] = objects.segments;
    const isGone = segment?.changes.some((one) => !one.after && one.before?.uid === endedUid);
    if (segment?.to !== Infinity) history.unchecked++;
    else if (!isGone) report('acknowledged-lost', 'the deletion did not happen', write);
  }
  if (answer === undefined) return;
  if (stamp !== '' && answer.stamp !== stamp) {
    report('unexpected-answer', 'the answer shows the write of another', write);
  }
  const segment = objects.covering(answer.version);
  if (segment === undefined) history.unchecked++;
  else if (answer.version > segment.from && !objects.scribed.has(answer.version)) {
    const message = `version ${answer.version} was acknowledged and is not in the history`;
    report('acknowledged-lost', message, write);
  }
}

/** An object that was ended may have come back. */
function hasRestoreBetween({ restores }: History, one: WriteRecord, other: WriteRecord): boolean {
  const start = Math.min(one.start, other.start);
  const end = Math.max(one.end, other.end);
  return restores.some((restore) => restore.start < end && restore.end > start);
}

/**
 * A refusal had its reason at some moment of the request. One write may refuse another before it
 * is itself on the disk, so that a crash can take the reason away.
 */
function checkRefusal(history: History, write: WriteRecord, report: Report): void {
  const { type, key, code, start, end } = write;
  if (BUSY.includes(code) || hasUnknownRival(history, write)) return;
  const low = history.seenOfTypeBefore(type, start);
  const states = history.of(type).statesOf(key, low, history.highestAt(end));
  if (states === undefined) {
    history.unchecked++;
    return;
  }
  if (states.some((state) => isReason(write, state))) return;
  report('refusal', `nothing explains the ${code}`, write, ...states);
}

function isReason(write: WriteRecord, state: Observed | undefined): boolean {
  const { verb, code, expects, refusedBy } = write;
  // Which of several refusals comes first depends on how far the write has got.
  if (code === 403 && refusedBy === 'webhook') return isDenied(write);
  if (code === 403) return refusedBy === 'quota' && verb !== 'merge' && verb !== 'json';
  const isStale = expects !== 0 && state !== undefined && state.version !== expects;
  // The version that a JSON patch demands is one that it tests.
  if (verb === 'json' && code !== 404) return code === 422 && isStale;
  if (code === 404) return verb !== 'create' && verb !== 'apply' && state === undefined;
  if (code !== 409) return false;
  if (verb === 'apply') return isConflict(write, state);
  return verb === 'create' ? state !== undefined : isStale;
}

function hasUnknownRival(history: History, { type, key, start, end }: WriteRecord): boolean {
  const isCutOff = history.restores.some((one) => {
    return one.outcome === 'unknown' && one.start < end && one.end > start;
  });
  if (isCutOff) return true;
  return history.unknowns.some((one) => {
    if (one.type !== type) return false;
    const isNear = one.record === 'deletecollection' || one.key === key;
    return isNear && one.start < end && one.end > start;
  });
}

/** An object that matched all the while does not outlive a deletecollection unchanged. */
export function checkCollectionDeletes(history: History, report: Report): void {
  for (const one of history.records) {
    if (one.record !== 'deletecollection' || one.outcome !== 'acknowledged') continue;
    const objects = history.of(one.type);
    const before = objects.stateAt(history.seenOfTypeBefore(one.type, one.start));
    const after = objects.stateAt(history.highestAt(one.end));
    if (before === undefined || after === undefined) {
      history.unchecked++;
      continue;
    }
    for (const object of before.values()) {
      if (!matches(one.scope, object) || object.terminating) continue;
      if (after.get(object.key)?.version !== object.version) continue;
      report('collection-survivor', `${object.key} is still there, unchanged`, one, object);
    }
  }
}

/** There is never more than a quota allows. */
export function checkQuota(history: History, report: Report): void {
  for (const [type, { segments }] of history.types) {
    for (const { base, changes } of segments) {
      let count = countGoverned(base.values());
      for (const change of changes) {
        const { before, after } = change;
        count += countGoverned(after ? [after] : []) - countGoverned(before ? [before] : []);
        const isOver = count > hardOf(type) && before === undefined;
        // The end of a restore is the state of before, whatever is between.
        if (isOver && !history.isRestored(type, change)) {
          report('quota-exceeded', `version ${change.version} is the ${count}th ${type}`, change);
        }
      }
    }
  }
}
