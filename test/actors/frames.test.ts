import fc from 'fast-check';
import t from 'tap';
import { FRAME_KIND, FrameWriter, readFrames } from '../../src/actors/frames.ts';
import type { FrameKind, FrameSink } from '../../src/actors/frames.ts';

interface Frame {
  readonly kind: FrameKind;
  readonly correlationId: number;
  readonly verb: number;
  readonly header: unknown;
  readonly body: readonly Uint8Array[];
}

function write(writer: FrameWriter, frames: readonly Frame[]): void {
  for (const { kind, correlationId, verb, header, body } of frames) {
    writer.append(kind, correlationId, verb, header, body);
  }
}

/** Frames as they are read, with copies of their bodies. */
function read(bytes: Uint8Array): Frame[] {
  const frames: Frame[] = [];
  readFrames(bytes, (kind, correlationId, verb, header, body) => {
    frames.push({ kind, correlationId, verb, header, body: [Buffer.from(body)] });
  });
  return frames;
}

/** As `read` gives them: the parts of a body are one. */
function joined(frames: readonly Frame[]): Frame[] {
  return frames.map((frame) => ({ ...frame, body: [Buffer.concat(frame.body)] }));
}

function frame(header: unknown, ...body: Uint8Array[]): Frame {
  return { kind: FRAME_KIND.ask, correlationId: 1, verb: 0, header, body };
}

t.test('frames come back in order, with kind, id, verb, header and body', async (t) => {
  const writer = new FrameWriter();
  const frames: Frame[] = [
    frame({ namespace: 'ns', name: 'a', dryRun: false }, Buffer.from('{}')),
    { kind: FRAME_KIND.tell, correlationId: 0, verb: 13, header: undefined, body: [] },
    { kind: FRAME_KIND.reply, correlationId: 0xffffffff, verb: 0, header: { code: 200 }, body: [] },
    { kind: FRAME_KIND.error, correlationId: 7, verb: 200, header: { name: 'é' }, body: [] },
    frame(undefined, Buffer.from('one,'), Buffer.alloc(0), Buffer.from('two')),
  ];
  write(writer, frames);
  t.same(read(writer.take()), joined(frames));
});

t.test('an empty turn has no frames', async (t) => {
  const writer = new FrameWriter();
  t.equal(writer.length, 0);
  t.same(read(writer.take()), []);
});

t.test('what was taken is no longer there, and not written over', async (t) => {
  const writer = new FrameWriter();
  write(writer, [frame({ n: 1 }, Buffer.from('first'))]);
  t.ok(writer.length > 0);
  const first = writer.take();
  t.equal(writer.length, 0);
  t.equal(first.byteOffset, 0, 'alone in its buffer');
  write(writer, [frame({ n: 2 }, Buffer.from('second'))]);
  const second = writer.take();
  t.not(first.buffer, second.buffer);
  t.same(read(first), [frame({ n: 1 }, Buffer.from('first'))]);
  t.same(read(second), [frame({ n: 2 }, Buffer.from('second'))]);
});

t.test('the buffer grows with what it is given', async (t) => {
  const writer = new FrameWriter();
  const sizes = [4000, 4096, 100_000, 3 * 1024 * 1024, 5, 4 * 1024 * 1024];
  const frames = sizes.map((size, at) => frame({ at }, Buffer.alloc(size, at + 1)));
  write(writer, frames);
  t.ok(writer.length > 7 * 1024 * 1024);
  t.same(read(writer.take()), frames);
  // The next turn begins with a buffer of another size.
  write(writer, frames.slice(0, 2));
  t.same(read(writer.take()), frames.slice(0, 2));
  const many = Array.from({ length: 5000 }, (_, at) => frame({ at }, Buffer.from(`body ${at}`)));
  write(writer, many);
  t.same(read(writer.take()), many);
});

t.test('bodies are views of the buffer, not copies', async (t) => {
  const writer = new FrameWriter();
  write(writer, [frame({}, Buffer.from('body'))]);
  const bytes = writer.take();
  readFrames(bytes, (_kind, _id, _verb, _header, body) => t.equal(body.buffer, bytes.buffer));
});

t.test('a body that is given is not copied, and comes in its place', async (t) => {
  const writer = new FrameWriter();
  const body = Buffer.from('given');
  writer.append(FRAME_KIND.ask, 1, 1, {}, [Buffer.from('packed')]);
  writer.appendGiven(FRAME_KIND.reply, 2, 1, { a: 1 }, body);
  writer.append(FRAME_KIND.tell, 3, 1, {}, []);
  const given = writer.takeGiven();
  t.same(writer.takeGiven(), []);
  const bodies: unknown[] = [];
  const sink: FrameSink = (kind, _id, verb, _header, read, isGiven) => {
    bodies.push([kind, verb, Buffer.from(read).toString(), isGiven]);
    if (isGiven) t.equal(read, body);
  };
  readFrames(writer.take(), sink, given);
  t.same(bodies, [
    [FRAME_KIND.ask, 1, 'packed', false],
    [FRAME_KIND.reply, 1, 'given', true],
    [FRAME_KIND.tell, 1, '', false],
  ]);
});

t.test('a range inside a larger buffer is read', async (t) => {
  const writer = new FrameWriter();
  write(writer, [frame({ a: 1 }, Buffer.from('x'))]);
  const bytes = writer.take();
  const larger = new Uint8Array(bytes.length + 13);
  larger.set(bytes, 5);
  t.same(read(larger.subarray(5, 5 + bytes.length)), [frame({ a: 1 }, Buffer.from('x'))]);
});

t.test('numbers, empty texts and absent members of a header survive', async (t) => {
  const writer = new FrameWriter();
  const header = {
    rv: Number.MAX_SAFE_INTEGER,
    above: 2 ** 32 + 1,
    negative: -1,
    empty: '',
    list: [1, 2 ** 40, 3],
    nested: { causes: [{ field: 'a' }], none: null },
    flag: false,
    fraction: 0.1,
  };
  write(writer, [frame(header), frame('text'), frame([]), frame(0), frame(null)]);
  t.strictSame(
    read(writer.take()).map(({ header }) => header),
    [header, 'text', [], 0, null],
  );
});

t.test('any frames come back', async (t) => {
  // Headers have fixed members: no protocol sends one of this name.
  const hasOddKey = (value: unknown): boolean => JSON.stringify(value).includes('__proto__');
  const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !hasOddKey(value));
  const arbitrary = fc.record<Frame>({
    kind: fc.constantFrom(...Object.values(FRAME_KIND)),
    correlationId: fc.nat({ max: 0xffffffff }),
    verb: fc.nat({ max: 1000 }),
    header: fc.record({ value: json, text: fc.string({ unit: 'binary' }), rv: fc.maxSafeNat() }),
    body: fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 3 }),
  });
  const writer = new FrameWriter();
  fc.assert(
    fc.property(fc.array(arbitrary, { maxLength: 8 }), (frames) => {
      write(writer, frames);
      t.same(read(writer.take()), joined(frames));
    }),
    { numRuns: 100 },
  );
});

t.end();
