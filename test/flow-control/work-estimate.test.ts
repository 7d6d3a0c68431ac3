/** The seats of requests, as the reference estimates them. */
import t from 'tap';
import {
  widthMaxOf,
  workOfList,
  workOfWrite,
  type EstimateRules,
  type ListedBy,
} from '../../src/flow-control/work-estimate.ts';

const OLD: EstimateRules = { bySize: false, countsWatches: false, readsFromCache: false };
const NEW: EstimateRules = { bySize: true, countsWatches: true, readsFromCache: true };
const ALL: ListedBy = {
  resourceVersion: '',
  resourceVersionMatch: '',
  continueToken: '',
  limit: 0,
  hasSelector: false,
  isOfOne: false,
  isWatch: false,
};

t.test('lists by the number of objects', async (t) => {
  const rows: readonly [what: string, objects: number, by: Partial<ListedBy>, seats: number][] = [
    ['nothing', 0, {}, 1],
    ['a few', 50, {}, 1],
    ['consistent: from the store, twice', 150, {}, 3],
    ['many: the most', 10_000, {}, 10],
    ['a page', 10_000, { limit: 100 }, 2],
    ['a page of what is selected', 300, { limit: 100, hasSelector: true }, 4],
    ['from memory', 150, { resourceVersion: '0' }, 2],
    ['from memory, whatever the limit', 450, { resourceVersion: '0', limit: 10 }, 5],
    ['a page not older than', 450, { resourceVersion: '7', limit: 10 }, 1],
    ['exactly', 150, { resourceVersion: '7', resourceVersionMatch: 'Exact' }, 3],
    ['the next page', 10_000, { continueToken: 'x', limit: 150 }, 3],
    ['one', 10_000, { isOfOne: true }, 1],
    ['a watch from the present', 450, { isWatch: true }, 5],
    ['a watch from a version', 450, { isWatch: true, resourceVersion: '7' }, 1],
  ];
  for (const [what, objects, by, seats] of rows) {
    const work = workOfList({ objects, bytes: 0 }, { ...ALL, ...by }, 0, OLD);
    t.same(work, { seats, finalSeats: 0, finalMs: 0 }, what);
  }
  t.equal(workOfList({ objects: 10_000, bytes: 0 }, ALL, 4, OLD).seats, 4, 'the level bounds it');
});

t.test('lists by the bytes of objects', async (t) => {
  const rows: readonly [what: string, objects: number, by: Partial<ListedBy>, seats: number][] = [
    ['a few', 50, {}, 1],
    ['many: what is sent is made by and by', 10_000, {}, 10],
    ['exactly', 2_000, { resourceVersion: '7', resourceVersionMatch: 'Exact' }, 20],
    ['all of them', 20_000, { resourceVersion: '7', resourceVersionMatch: 'Exact' }, 100],
    ['a selected page', 2_000, { continueToken: 'x', limit: 5, hasSelector: true }, 10],
  ];
  for (const [what, objects, by, seats] of rows) {
    const stored = { objects, bytes: objects * 1_000 };
    t.equal(workOfList(stored, { ...ALL, ...by }, 0, NEW).seats, seats, what);
  }
});

t.test('writes by the watches that see them', async (t) => {
  t.equal(workOfWrite(1_000, 0, OLD).finalSeats, 0, 'not in all releases');
  t.same(workOfWrite(9, 0, NEW), { seats: 1, finalSeats: 0, finalMs: 0 });
  t.same(workOfWrite(25, 0, NEW), { seats: 1, finalSeats: 3, finalMs: 5 });
  t.same(workOfWrite(1_000, 0, NEW), { seats: 1, finalSeats: 10, finalMs: 50 });
  t.same(workOfWrite(1_000, 5, NEW), { seats: 1, finalSeats: 5, finalMs: 100 });
});

t.test('the most seats of one request', async (t) => {
  t.equal(widthMaxOf(245, 6), 37);
  t.equal(widthMaxOf(49, 6), 8);
  t.equal(widthMaxOf(4, 6), 1);
});
