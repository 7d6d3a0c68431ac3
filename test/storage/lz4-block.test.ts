/** Blocks of LZ4 that are written here are read by the library of the store. */
import { open } from 'lmdb';
import fc from 'fast-check';
import type { Test } from 'tap';
import t from 'tap';
import { blockBytesMax, Lz4Dictionary } from '../../src/storage/lz4-block.ts';
import { temporaryFolder } from '../support/server-process.ts';

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

interface Case {
  readonly dictionary: Buffer;
  readonly sources: readonly Buffer[];
}

/** The spare bytes of each block. */
const TAIL = Buffer.from('tail');

function blockOf(source: Buffer, dictionary: Lz4Dictionary): Buffer {
  const bytes = source.length + TAIL.length;
  const target = Buffer.alloc(4 + blockBytesMax(bytes) + 1, 0xee);
  target[0] = 254;
  target.writeUIntBE(bytes, 1, 3);
  const end = dictionary.encode(source, TAIL.length, target, 4);
  target.set(TAIL, end - TAIL.length);
  if (target[target.length - 1] !== 0xee) throw new Error('written beyond its room');
  return target.subarray(0, end);
}

/** Gives what the library reads of the blocks of each case. */
async function readBack(cases: readonly Case[]): Promise<Buffer[][]> {
  const root = open<Buffer, Buffer>({ path: temporaryFolder(), cache: false, ...BINARY });
  const keyOf = (at: number, index: number) => Buffer.from([1, at >> 8, at & 0xff, index]);
  const plain = root.openDB<Buffer, Buffer>({ name: 'blocks', ...BINARY });
  await plain.batch(() => {
    for (const [at, { dictionary, sources }] of cases.entries()) {
      const written = new Lz4Dictionary(dictionary);
      for (const [index, source] of sources.entries()) {
        void plain.put(keyOf(at, index), blockOf(source, written));
      }
    }
  });
  const read = cases.map(({ dictionary, sources }, at) => {
    const compression = { dictionary };
    const blocks = root.openDB<Buffer, Buffer>({ name: 'blocks', compression, ...BINARY });
    return sources.map((_, index) => blocks.getBinary(keyOf(at, index)) ?? Buffer.alloc(0));
  });
  await root.close();
  return read;
}

async function expectSame(t: Test, cases: readonly Case[]): Promise<void> {
  const read = await readBack(cases);
  for (const [at, { dictionary, sources }] of cases.entries()) {
    const isSame = sources.every((source, index) =>
      Buffer.concat([source, TAIL]).equals(read[at]?.[index] ?? source),
    );
    if (isSame && read[at]?.length === sources.length) continue;
    const [first] = sources.map((source) => source.toString('hex'));
    t.fail(`${dictionary.toString('hex')}: ${first}`);
  }
  t.equal(read.length, cases.length);
}

/** Pieces of a few kinds one after another: most come again, in the dictionary or before. */
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom('"name":"', '"containers":[{', 'x', 'abcd', 'abcdabcd', '0'.repeat(300)),
    fc.string({ maxLength: 40 }),
    fc.integer({ min: 1, max: 70_000 }).map((length) => 'z'.repeat(length % 700)),
  ),
  { maxLength: 60 },
);
const bytes = pieces.map((parts) => Buffer.from(parts.join('')));
const words = bytes.map((buffer) => buffer.subarray(0, buffer.length - (buffer.length % 8)));

t.test('any bytes, with any dictionary', async (t) => {
  const anyCase = fc.record({
    dictionary: words,
    sources: fc.array(fc.oneof(bytes, fc.uint8Array({ maxLength: 200 }).map(Buffer.from)), {
      minLength: 1,
      maxLength: 6,
    }),
  });
  await expectSame(t, fc.sample(anyCase, 300));
});

t.test('what stands at the edges of the format', async (t) => {
  const dictionary = Buffer.from('abcdefghijklmnopqrstuvwxyz012345');
  const anything = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * at * 31) >> 7));
  const sources = [
    ...Array.from({ length: 40 }, (_, length) => Buffer.alloc(length, 'a')),
    ...[14, 15, 16, 269, 270, 271, 524, 525].flatMap((length) => [
      Buffer.from(`${anything.toString('hex', 0, length)}${'q'.repeat(length + 4)}end..`),
      Buffer.concat([anything.subarray(0, length), dictionary, anything.subarray(0, length)]),
    ]),
    dictionary,
    Buffer.concat([dictionary, dictionary]),
    Buffer.concat([dictionary.subarray(0, 16), Buffer.alloc(65_519, 1), dictionary]),
    Buffer.concat([anything, dictionary, anything]),
  ];
  await expectSame(t, [
    { dictionary, sources },
    { dictionary: Buffer.alloc(0), sources },
  ]);
});

t.test('what is like the dictionary takes little', (t) => {
  const text = (name: string) =>
    Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ [`name-${at}`]: name }))));
  const dictionary = new Lz4Dictionary(text('one'));
  const block = blockOf(text('two'), dictionary);
  t.ok(block.length < text('two').length / 2, `${block.length} of ${text('two').length} bytes`);
  t.ok(blockOf(text('one'), dictionary).length < 40);
  t.end();
});
