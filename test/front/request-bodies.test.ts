import t from 'tap';
import { RequestBodies } from '../../src/front/request-bodies.ts';
import type { ClientResponse } from '../../src/front/http.ts';
import {
  RECEIVED_BYTES_PER_SECOND_MIN,
  RECEIVED_MS_MAX,
  RECEIVED_MS_MIN,
  REQUEST_BODY_BYTES_MAX,
} from '../../src/limits.ts';

const CHUNK = 64 * 1024;

/** Bodies of which 1 MiB may be held, and a clock. */
function newBodies() {
  const clock = { nowMs: 0 };
  const bodies = new RequestBodies<string>({ nowMs: () => clock.nowMs, bytesMax: 1024 * 1024 });
  /** What a request comes to: the length of its body, or the code that refuses it. */
  const ends: Record<string, unknown> = {};
  const begin = (name: string) => {
    let onData: (chunk: ArrayBuffer, isLast: boolean) => void = () => undefined;
    const response = { onData: (then: typeof onData) => (onData = then) };
    bodies.receive(
      name,
      response as unknown as ClientResponse,
      (body) => (ends[name] = body === undefined ? 'too long' : body.length),
      ({ code }) => (ends[name] = code),
    );
    return (bytes: number, isLast = false) => onData(new ArrayBuffer(bytes), isLast);
  };
  return { bodies, clock, ends, begin };
}

t.test('bodies in one chunk and in many', async (t) => {
  const { bodies, ends, begin } = newBodies();
  begin('one')(10, true);
  const many = begin('many');
  for (let sent = 0; sent < 10; sent++) many(7);
  t.equal(bodies.size, 1);
  many(0, true);
  const long = begin('long');
  for (let sent = 0; sent < REQUEST_BODY_BYTES_MAX && ends['long'] === undefined; sent += CHUNK) {
    long(CHUNK);
  }
  t.same(ends, { one: 10, many: 70, long: 429 });
  const huge = begin('huge');
  huge(REQUEST_BODY_BYTES_MAX + 1, true);
  huge(5, true);
  t.equal(ends['huge'], 'too long');
  t.same([bodies.size, bodies.bytes], [0, 0], 'nothing is held');
});

t.test('what is held has a bound; who is slow makes room, who is not keeps its own', async (t) => {
  const { bodies, clock, ends, begin } = newBodies();
  const requests = Array.from({ length: 16 }, (_, index) => begin(`r${index}`));
  for (const send of requests) send(CHUNK);
  t.equal(bodies.bytes, 1024 * 1024);
  const late = begin('late');
  late(1);
  t.equal(ends['late'], 429, 'all have just begun');

  clock.nowMs = RECEIVED_MS_MIN;
  const next = begin('next');
  next(CHUNK);
  t.same([ends['r0'], ends['next']], [504, undefined], 'the oldest one has been slow');
  next(0, true);
  t.equal(ends['next'], CHUNK);

  bodies.end('r1');
  const fast = begin('fast');
  fast(RECEIVED_BYTES_PER_SECOND_MIN / 4);
  t.equal(ends['fast'], undefined, 'the room of one that is gone is free');
});

t.test('no body takes longer than a minute', async (t) => {
  const { bodies, clock, ends, begin } = newBodies();
  begin('old')(1);
  clock.nowMs = RECEIVED_MS_MAX;
  begin('young')(1);
  bodies.refuseLate();
  t.same(ends, { old: 504 });
  t.equal(bodies.size, 1);
});
