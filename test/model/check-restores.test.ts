/** The rule of restores on histories made by hand: what is right passes, and what is not is found. */
import t from 'tap';
import { checkHistory } from './check-history.ts';
import type { HistoryRecord, WatchRecord } from './records.ts';
import { A100, A3, B4, event, EVENTS, story, write } from './story.ts';

const WINDOW_MS = 10_000;
const GONE = event('DELETED', A100, 102);
const BACK = [event('ADDED', A3, 103), event('ADDED', B4, 104)];

/** The story, and then a restore of the state at version 4, of which the scribe is sent this. */
function restored(...events: (typeof EVENTS)[number][]): HistoryRecord[] {
  const records = story();
  const scribe = { ...(records[1] as WatchRecord), events: [...EVENTS, ...events] };
  const restore = { version: 4, start: 95, end: 125, outcome: 'acknowledged' } as const;
  return [...records.with(1, scribe), { record: 'restore', ...restore }];
}

t.test('what a restore brings back passes, and ends again', async (t) => {
  const ends = event('DELETED', A3, 105);
  const deletes = write(130, 200, { verb: 'delete', endedUid: 'uid-a' });
  for (const records of [restored(GONE, ...BACK), [...restored(GONE, ...BACK, ends), deletes]]) {
    t.same(checkHistory(records, WINDOW_MS).violations, []);
  }
});

t.test('wrong restores are found', async (t) => {
  const other = event('ADDED', { ...A3, digest: 'other' }, 103);
  const cases: readonly (readonly [rule: string, what: string, HistoryRecord[]])[] = [
    ['restore-state', 'one is not back', restored(GONE, ...BACK.slice(0, 1))],
    ['restore-state', 'one has not gone', restored(...BACK.slice(1))],
    ['written-twice', 'one is other than it was', restored(GONE, other)],
    ['written-twice', 'without a restore', restored(GONE, ...BACK).slice(0, -1)],
  ];
  for (const [rule, what, records] of cases) {
    const { violations } = checkHistory(records, WINDOW_MS);
    t.ok(
      violations.some((one) => one.rule === rule),
      `${rule}: ${what}`,
    );
  }
});

t.end();
