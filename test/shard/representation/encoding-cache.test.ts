/** The cache keeps encodings under the loads that clients make. */
import t from 'tap';
import { EncodingCache } from '../../../src/shard/representation/encoding-cache.ts';
import { CacheBudget } from '../../../src/shard/representation/cache-budget.ts';

const bytes = (length: number): Uint8Array => new Uint8Array(length);
/** With what it takes beside its bytes: a thousand fit into a million. */
const ITEM_BYTES = 300;
const ROOM_BYTES = 1_000_000;
const ITEMS_KEPT = 1_000;
const MINUTE_MS = 60_000;

const versions = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => from + at);

/** A cache whose clock stands still unless it is moved. */
class Simulated {
  nowMs = 0;
  readonly cache: EncodingCache;
  readonly room: CacheBudget;

  constructor(room = new CacheBudget(undefined, ROOM_BYTES)) {
    this.room = room;
    this.cache = new EncodingCache(room, () => this.nowMs);
  }

  /** Asks for each in turn as a list does; the share of them that was kept. */
  read(rvs: readonly number[], form = 'a/'): number {
    let hits = 0;
    for (const rv of rvs) {
      this.nowMs += 0.01;
      if (this.cache.get(form, rv) !== undefined) hits++;
      else this.cache.set(form, rv, bytes(ITEM_BYTES));
    }
    return hits / rvs.length;
  }

  /** Reads the same again and again; gives the shares, a minute apart. */
  readTimes(times: number, rvs: readonly number[]): number[] {
    return Array.from({ length: times }, () => {
      this.nowMs += MINUTE_MS;
      return this.read(rvs);
    });
  }
}

t.test('what was encoded is kept for whoever asks next', async (t) => {
  const { cache, room } = new Simulated();
  t.equal(cache.get('a/', 1), undefined);
  const form = bytes(10);
  cache.set('a/', 1, form);
  t.equal(cache.get('a/', 1), form);
  t.equal(cache.get('b/', 1), undefined, 'another way to write the same version is another form');
  const { taken } = room;
  cache.set('a/', 1, bytes(50));
  t.equal(cache.get('a/', 1), form, 'a version never changes');
  cache.set('a/', 0, bytes(10));
  t.equal(cache.get('a/', 0), undefined, 'what is no version is not kept');
  t.equal(room.taken, taken);
});

t.test('of a part of a buffer only the part is kept', async (t) => {
  const { cache } = new Simulated();
  const shared = Buffer.from('abcdef');
  cache.set('a/', 1, shared.subarray(2, 4));
  shared.fill('x');
  const kept = cache.get('a/', 1);
  t.same([Buffer.from(kept ?? []).toString(), kept?.buffer.byteLength], ['cd', 2]);
});

t.test('text is kept as well, and takes room by its widest character', async (t) => {
  const { cache, room } = new Simulated();
  const sizeOf = (rv: number, text: string): number => {
    const { taken } = room;
    cache.set('a/', rv, text);
    t.equal(cache.text('a/', rv), text);
    t.equal(cache.get('a/', rv), undefined, 'it is no bytes');
    return room.taken - taken;
  };
  const [short, long, wide] = [
    sizeOf(1, 'a'),
    sizeOf(2, 'a'.repeat(100)),
    sizeOf(3, '\u20ac'.repeat(100)),
  ];
  t.equal(long - short, 99);
  t.equal(wide - long, 100);
  t.equal(cache.text('a/', 4), undefined);
  for (const rv of [1, 2, 3]) cache.forget(rv);
  t.equal(room.taken, 0);
});

t.test('a version that was replaced is forgotten in all forms, and leaves room', async (t) => {
  const { cache, room } = new Simulated();
  for (const form of ['a/', 'b/', 'c/']) {
    for (const rv of [1, 2]) cache.set(form, rv, bytes(10));
  }
  const { taken } = room;
  cache.forget(1);
  cache.forget(3);
  for (const form of ['a/', 'b/', 'c/']) {
    t.equal(cache.get(form, 1), undefined);
    t.ok(cache.get(form, 2));
  }
  t.equal(room.taken, taken / 2);
  cache.forget(2);
  t.equal(room.taken, 0);
});

t.test('a list that fits is kept as a whole', async (t) => {
  t.same(new Simulated().readTimes(3, versions(1, ITEMS_KEPT)), [0, 1, 1]);
});

t.test('of a larger one the part that fits, however often it is read', async (t) => {
  const simulated = new Simulated();
  const shares = simulated.readTimes(30, versions(1, 2 * ITEMS_KEPT));
  t.same(
    shares.slice(1).filter((share) => share < 0.48),
    [],
  );
  const taken = simulated.room.taken;
  t.ok(taken > ROOM_BYTES * 0.95 && taken <= ROOM_BYTES, `${taken} bytes`);
});

t.test('pages are kept as whole lists are', async (t) => {
  const simulated = new Simulated();
  const all = versions(1, 2 * ITEMS_KEPT);
  for (let round = 0; round < 10; round += 1) {
    let hits = 0;
    for (let at = 0; at < all.length; at += 100) {
      simulated.nowMs += 100;
      hits += simulated.read(all.slice(at, at + 100)) / 20;
    }
    t.ok(round === 0 || hits > 0.48, `round ${round}: ${hits}`);
  }
});

t.test(
  'what is asked for often stays beside long lists that are read once or for ever',
  async (t) => {
    const simulated = new Simulated();
    const hot = versions(1, 100);
    simulated.read(hot);
    for (let round = 0; round < 20; round += 1) {
      simulated.nowMs += MINUTE_MS;
      simulated.read(versions(10_000 * (round + 1), 5 * ITEMS_KEPT), 'once/');
      t.equal(simulated.read(hot), 1);
      simulated.nowMs += MINUTE_MS;
      simulated.read(versions(1_000, 5 * ITEMS_KEPT), 'for ever/');
      t.equal(simulated.read(hot), 1);
    }
  },
);

t.test('one reader that asks twice at once displaces nothing', async (t) => {
  const simulated = new Simulated();
  const kept = versions(1, ITEMS_KEPT);
  simulated.read(kept);
  simulated.nowMs += MINUTE_MS;
  const other = versions(10_000, ITEMS_KEPT);
  simulated.read(other);
  simulated.read(other);
  t.equal(simulated.read(kept), 1);
});

t.test('when others are asked for they take the place', async (t) => {
  const simulated = new Simulated();
  simulated.readTimes(5, versions(1, ITEMS_KEPT));
  const shares = simulated.readTimes(4, versions(10_000, ITEMS_KEPT));
  t.same(shares.slice(0, 2), [0, 0], 'the second time it is known that it is asked for again');
  t.ok((shares[3] ?? 0) > 0.95, shares.join());
});

t.test('also a list of far more than is known to have been asked for', async (t) => {
  const simulated = new Simulated();
  simulated.readTimes(2, versions(1, ITEMS_KEPT));
  simulated.readTimes(3, versions(10_000, 400_000));
  t.ok(simulated.read(versions(1, ITEMS_KEPT)) < 0.05, 'nothing is kept that nobody asks for');
});

t.test('what is larger than all that may be kept is not, and displaces nothing', async (t) => {
  const simulated = new Simulated();
  simulated.read([1]);
  for (let round = 0; round < 3; round += 1) {
    simulated.nowMs += MINUTE_MS;
    simulated.cache.set('a/', 2, bytes(ROOM_BYTES + 1));
  }
  t.equal(simulated.cache.get('a/', 2), undefined);
  t.ok(simulated.cache.get('a/', 1));
});

for (const first of ['idle', 'busy'] as const) {
  t.test(
    `what a thread no longer needs another gets, if the ${first} one looks first`,
    async (t) => {
      const idle = new Simulated();
      const busy = new Simulated(new CacheBudget(idle.room.shared, ROOM_BYTES));
      const inTurn = first === 'idle' ? [idle, busy] : [busy, idle];
      idle.read(versions(1, ITEMS_KEPT));
      const list = versions(10_000, ITEMS_KEPT / 2);
      for (let round = 0; round < 4; round += 1) {
        busy.nowMs += MINUTE_MS;
        idle.nowMs = busy.nowMs;
        t.equal(busy.read(list), round < 3 ? 0 : 1, `round ${round}`);
        for (let looks = 0; looks < 5; looks += 1) inTurn.forEach(({ cache }) => cache.yieldRoom());
        t.ok(idle.room.taken <= ROOM_BYTES);
      }
      t.ok(idle.read(versions(1, ITEMS_KEPT)) > 0.45, 'no more than was asked for is given up');
    },
  );
}

t.test('what both ask for stays where it is', async (t) => {
  const one = new Simulated();
  const other = new Simulated(new CacheBudget(one.room.shared, ROOM_BYTES));
  for (let round = 0; round < 10; round += 1) {
    one.nowMs += MINUTE_MS;
    other.nowMs = one.nowMs;
    const share = one.read(versions(1, ITEMS_KEPT));
    t.equal(share, round === 0 ? 0 : 1, `round ${round}`);
    other.read(versions(10_000, ITEMS_KEPT));
    one.cache.yieldRoom();
    other.cache.yieldRoom();
  }
});
