/**
 * A write changes the content of an object, and an apply must not: the rules of content and owners.
 */
import { isGoverned } from './governed.ts';
import type { Observed, WriteRecord } from './records.ts';

type Content = Pick<Observed, 'app' | 'held' | 'notes' | 'admitted' | 'stampOwners' | 'appOwners'>;

/** The content as it must be after a write to what was there before it. */
export function expectedContent(write: WriteRecord, before: Observed | undefined): Content {
  const { verb, app, held, note, owner, key, stamp } = write;
  const isWhole = verb === 'create' || verb === 'update';
  const kept = isWhole ? {} : (before?.notes ?? {});
  return {
    app,
    held: held ?? before?.held ?? false,
    notes: note === undefined ? kept : withNote(kept, note),
    // Also of a patch that was applied anew, to what was there after the webhook had answered.
    admitted: isGoverned(key) ? stamp : '',
    // Every write has a stamp of its own, and so takes it from all others.
    stampOwners: [owner],
    appOwners: appOwnersAfter(write, before),
  };
}

export function contentOf(object: Observed): Content {
  const { app, held, notes, admitted, stampOwners, appOwners } = object;
  return { app, held, notes, admitted, stampOwners, appOwners: appOwners.toSorted() };
}

export function isSameContent(a: Content, b: Content): boolean {
  return textOf(a) === textOf(b);
}

function textOf({ app, held, notes, admitted, stampOwners, appOwners }: Content): string {
  const sorted = Object.entries(notes).toSorted(([x], [y]) => (x < y ? -1 : 1));
  return JSON.stringify([app, held, sorted, admitted, stampOwners, appOwners]);
}

function withNote(
  notes: Observed['notes'],
  [name, value]: NonNullable<WriteRecord['note']>,
): Observed['notes'] {
  const { [name]: _old, ...others } = notes;
  return value === null ? others : { ...others, [name]: value };
}

/** Who changes the label takes it from all others; who applies what is there owns it as well. */
function appOwnersAfter({ verb, app, owner }: WriteRecord, before: Observed | undefined): string[] {
  if (app === '') return [];
  if (before === undefined || before.app !== app) return [owner];
  const owners = new Set(before.appOwners);
  if (verb === 'apply') owners.add(owner);
  return [...owners].toSorted();
}

/** Whether an apply that is not forced must be refused, since it would change what others own. */
export function isConflict(write: WriteRecord, before: Observed | undefined): boolean {
  const { verb, app, owner, force } = write;
  if (verb !== 'apply' || force || before === undefined) return false;
  const isOfOthers = (owners: readonly string[]): boolean => owners.some((one) => one !== owner);
  return isOfOthers(before.stampOwners) || (before.app !== app && isOfOthers(before.appOwners));
}
