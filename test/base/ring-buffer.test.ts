import fc from 'fast-check';
import t from 'tap';
import { AssertionError } from '../../src/base/assert.ts';
import { RingBuffer } from '../../src/base/ring-buffer.ts';

function frame(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

function ringOf(countMax: number, bytesMax: number, ...frames: string[]): RingBuffer {
  const ring = new RingBuffer(countMax, bytesMax);
  for (const one of frames) ring.push(frame(one));
  return ring;
}

t.test('an empty ring', async (t) => {
  const ring = new RingBuffer(2, 10);
  t.same([ring.firstSeq, ring.nextSeq, ring.totalBytes], [0, 0, 0]);
  t.equal(ring.get(0), undefined);
  t.same(ring.concat(0, 0, 10), { bytes: new Uint8Array(0), nextSeq: 0 });
  t.throws(() => new RingBuffer(0, 10), AssertionError);
});

t.test('the oldest entries go when there are too many', async (t) => {
  const ring = ringOf(2, 100, 'a', 'b');
  t.equal(ring.push(frame('c')), 2);
  t.same([ring.firstSeq, ring.nextSeq, ring.totalBytes], [1, 3, 2]);
  t.equal(ring.get(0), undefined);
  t.equal(text(ring.get(1)), 'b');
  t.equal(text(ring.get(2)), 'c');
  t.equal(ring.get(3), undefined);
});

t.test('the oldest entries go when they are too large together', async (t) => {
  const ring = ringOf(10, 5, 'aa', 'bb', 'cc');
  t.same([ring.firstSeq, ring.totalBytes], [1, 4]);
  ring.push(frame('123456789'));
  t.same([ring.firstSeq, ring.nextSeq, ring.totalBytes], [3, 4, 9], 'the newest one stays');
  ring.push(frame('d'));
  t.same([ring.firstSeq, ring.totalBytes], [4, 1]);
});

t.test('slices stop at the range or at the size, and hold one entry at least', async (t) => {
  const ring = ringOf(10, 100, 'aa', 'bb', 'cc', 'dddddd');
  const slice = (from: number, to: number, bytesMax: number) => {
    const { bytes, nextSeq } = ring.concat(from, to, bytesMax);
    return [text(bytes), nextSeq];
  };
  t.same(slice(0, 4, 100), ['aabbccdddddd', 4]);
  t.same(slice(1, 3, 100), ['bbcc', 3]);
  t.same(slice(0, 4, 5), ['aabb', 2]);
  t.same(slice(0, 4, 1), ['aa', 1]);
  t.same(slice(3, 4, 1), ['dddddd', 4]);
  t.same(slice(4, 4, 1), ['', 4]);
});

t.test('readers at one cursor share the bytes of a slice', async (t) => {
  const ring = ringOf(3, 100, 'a', 'b', 'c');
  const first = ring.concat(1, 3, 100);
  t.equal(ring.concat(1, 3, 100), first);
  t.not(ring.concat(1, 3, 1), first, 'another size is another slice');
  t.equal(text(ring.concat(0, 3, 100).bytes), 'abc');
  ring.push(frame('d'));
  t.equal(text(ring.concat(1, 4, 100).bytes), 'bcd');
});

t.test('a cursor outside the ring is a bug of the caller', async (t) => {
  const ring = ringOf(2, 100, 'a', 'b');
  t.equal(text(ring.concat(0, 2, 100).bytes), 'ab');
  ring.push(frame('c'));
  t.throws(() => ring.concat(0, 2, 100), AssertionError, 'a kept slice does not hide the fall');
  t.throws(() => ring.concat(1, 4, 100), AssertionError);
});

t.test('any pushes leave the newest entries within the limits', async (t) => {
  const pushes = fc.array(fc.nat({ max: 12 }), { maxLength: 60 });
  const limit = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(pushes, limit, limit, (lengths, countMax, bytesMax) => {
      const ring = new RingBuffer(countMax, bytesMax);
      lengths.forEach((length, seq) => {
        t.equal(ring.push(new Uint8Array(length).fill(seq)), seq);
        let first = seq;
        let total = length;
        while (
          first > 0 &&
          seq - first + 1 < countMax &&
          total + lengths[first - 1]! <= bytesMax &&
          first > ring.firstSeq
        ) {
          total += lengths[--first]!;
        }
        t.same([ring.firstSeq, ring.nextSeq, ring.totalBytes], [first, seq + 1, total]);
        t.equal(ring.concat(first, seq + 1, Infinity).bytes.length, total);
        t.equal(ring.get(first)?.length, lengths[first]);
      });
    }),
    { numRuns: 50 },
  );
});
