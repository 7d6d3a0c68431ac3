/**
 * The rules of gets and lists: what they show is the state at one version, which is not older
 * than what was asked for, and for the newest not older than what anybody had seen before.
 */
import type { History, Report } from './history.ts';
import { compareKeys, selected } from './object-history.ts';
import type { GetRecord, ListRecord, Observed, Page } from './records.ts';

export function checkGets(history: History, report: Report): void {
  for (const get of history.records) {
    if (get.record === 'get' && get.code !== 0) checkGet(history, get, report);
  }
}

function checkGet(history: History, get: GetRecord, report: Report): void {
  const { type, key, asked, code, answer, start, end } = get;
  if (code !== 200 && code !== 404) {
    checkRefusal(history, get, code, end, report);
    return;
  }
  const low = asked === '' ? history.seenOfTypeBefore(type, start) : Number(asked);
  const states = history.of(type).statesOf(key, low, history.highestAt(end));
  if (states === undefined) history.unchecked++;
  else if (!states.some((state) => state?.version === answer?.version)) {
    report('get-state', `${key} was not like that at ${low} or later`, get, ...states);
  }
}

export function checkLists(history: History, report: Report): void {
  for (const list of history.records) {
    if (list.record !== 'list') continue;
    const { refusal, pages } = list;
    if (refusal !== undefined) checkRefusal(history, list, refusal.code, refusal.end, report);
    const [first] = pages;
    if (first === undefined) continue;
    if (refusal?.code === 410 && !refusal.hasToken) {
      report('expired-token', 'an expired token was refused without a fresh one', brief(list));
    }
    checkVersion(history, list, first.version, report);
    if (pages.some(({ version }) => version !== first.version)) {
      const versions = pages.map(({ version }) => version).join(', ');
      report('page-version', `the pages of a list are of versions ${versions}`, brief(list));
    } else checkItems(history, list, pages, report);
  }
}

/** The version is one that was asked for. */
function checkVersion(history: History, list: ListRecord, version: number, report: Report): void {
  const { type, asked, match, limit, start, end } = list;
  const isExact = match === 'Exact' || (limit > 0 && match === '' && Number(asked) > 0);
  if (isExact && version !== Number(asked)) {
    report('list-version', `the list is at ${version}, not at ${asked}`, brief(list));
  }
  const low = asked === '' ? history.seenOfTypeBefore(type, start) : Number(asked);
  if (version < low) report('list-stale', `${version} is older than ${low}`, brief(list));
  if (version > history.highestAt(end)) {
    report('version-order', `the list's ${version} was written later again`, brief(list));
  }
}

function checkItems(
  history: History,
  list: ListRecord,
  pages: readonly Page[],
  report: Report,
): void {
  const { scope, limit, after } = list;
  const state = history.of(list.type).stateAt(pages[0]?.version ?? 0);
  if (state === undefined) {
    history.unchecked++;
    return;
  }
  const expected = selected(state, scope).filter(
    ({ key }) => after === '' || compareKeys(key, after) > 0,
  );
  const isPlain = scope.app === undefined && !scope.name && !scope.secretType;
  let position = 0;
  for (const [at, { items, more, remaining }] of pages.entries()) {
    const wrong = differs(items, expected.slice(position, position + items.length));
    position += items.length;
    if (wrong !== '') {
      const message = `page ${at + 1} is not the state at ${pages[0]?.version}: ${wrong}`;
      report('list-state', message, brief(list), ...stateOf(expected));
      return;
    }
    const left = expected.length - position;
    if (more ? left === 0 || limit === 0 : left > 0) {
      const message = `after page ${at + 1} ${left} are left, and there is ${more ? 'a' : 'no'} token`;
      report('list-state', message, brief(list), ...stateOf(expected));
      return;
    }
    if (more ? items.length !== limit : limit > 0 && items.length > limit) {
      report('page-size', `page ${at + 1} has ${items.length} of ${limit} items`, brief(list));
    }
    if (remaining !== (more && isPlain ? left : undefined)) {
      report('remaining-count', `page ${at + 1} says ${remaining}, ${left} are left`, brief(list));
    }
  }
}

function differs(items: readonly Observed[], expected: readonly Observed[]): string {
  for (const [at, { key, version }] of items.entries()) {
    const other = expected[at];
    if (other?.key === key && other.version === version) continue;
    const wanted = other === undefined ? 'nothing' : `${other.key} at ${other.version}`;
    return `${key} at ${version} instead of ${wanted}`;
  }
  return '';
}

type Read = GetRecord | ListRecord;

/** A version that is gone was old enough; one that a client has seen is never too large. */
function checkRefusal(
  history: History,
  read: Read,
  code: number,
  end: number,
  report: Report,
): void {
  const version = read.record === 'list' ? read.pages[0]?.version : undefined;
  const asked = version ?? Number(read.asked);
  // A token lives no longer than the window, even where nothing has changed.
  const isOldToken = version !== undefined && end - read.start >= history.windowMs;
  if (code === 410) {
    if (!isOldToken && !history.mayHaveExpired(read.type, asked, end)) {
      report('expired-early', `version ${asked} is refused inside the window`, shorten(read));
    }
  } else if (code === 504 && asked <= history.seenBefore(read.start)) {
    report('too-large', `version ${asked}, seen before, is refused`, shorten(read));
  } else if (code !== 429 && code !== 503 && code !== 504) {
    report('unexpected-answer', `a read was answered ${code}`, shorten(read));
  }
}

function shorten(read: Read): unknown {
  return read.record === 'list' ? brief(read) : read;
}

/** A list with its items as short texts. */
function brief(list: ListRecord): unknown {
  const pages = list.pages.map(({ items, ...page }) => ({ ...page, items: stateOf(items) }));
  return { ...list, pages };
}

function stateOf(items: readonly Observed[]): string[] {
  return items.map(
    ({ key, version, app }) => `${key}@${version}${app === '' ? '' : ` app=${app}`}`,
  );
}
