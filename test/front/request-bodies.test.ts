import t from 'tap';
import { RequestBodies } from '../../src/front/requests/request-bodies.ts';
import type { ClientResponse } from '../../src/front/http.ts';
import { REQUEST_BODY_BYTES_MAX } from '../../src/limits.ts';
import {
  RECEIVED_BYTES_PER_SECOND_MIN,
  RECEIVED_MS_MAX,
  RECEIVED_MS_MIN,
  RECEIVED_TURN_BYTES,
} from '../../src/front/limits.ts';

const CHUNK = 64 * 1024;

/** Bodies of which 1 MiB may be held, or more, and a clock. */
function newBodies(bytesMax = 1024 * 1024) {
  const clock = { nowMs: 0 };
  const turnEnds: (() => void)[] = [];
  const bodies = new RequestBodies<string>({
    nowMs: () => clock.nowMs,
    bytesMax,
    later: (then) => turnEnds.push(then),
  });
  const endTurn = () => {
    for (const then of turnEnds.splice(0)) then();
  };
  /** Requests of which nothing is read. */
  const paused = new Set<string>();
  /** The end of each request: the length of its body, or the code that refuses it. */
  const ends: Record<string, unknown> = {};
  const begin = (name: string) => {
    let onData: (chunk: ArrayBuffer, isLast: boolean) => void = () => undefined;
    const response = {
      onData: (then: typeof onData) => (onData = then),
      pause: () => paused.add(name),
      resume: () => paused.delete(name),
    };
    bodies.receive(
      name,
      response as unknown as ClientResponse,
      (body) => (ends[name] = body === undefined ? 'too long' : body.length),
      ({ code }) => (ends[name] = code),
    );
    return (bytes: number, isLast = false) => onData(new ArrayBuffer(bytes), isLast);
  };
  return { bodies, clock, ends, begin, paused, endTurn };
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

t.test('what is read in a turn has a bound; all others have their turn first', async (t) => {
  const { bodies, ends, begin, paused, endTurn } = newBodies(2 * RECEIVED_TURN_BYTES);
  const many = RECEIVED_TURN_BYTES / CHUNK;
  const names = Array.from({ length: many + 20 }, (_, index) => `r${index}`);
  const requests = names.map((name) => begin(name));
  for (const send of requests) send(CHUNK);
  requests.at(-1)?.(CHUNK);
  t.equal(paused.size, 0, 'the library may have more at hand');
  endTurn();
  const late = names.slice(many);
  t.same([...paused], late.slice(8), 'the first of those that came late go on');

  bodies.end('r0');
  bodies.end(late[8] ?? '');
  requests[many]?.(CHUNK);
  endTurn();
  t.same([...paused], [late[8], ...late.slice(17)], 'each has its turn');
  t.ok(paused.has(late[8] ?? ''), 'nothing is done with a request that is over');
  endTurn();
  endTurn();
  t.same([...paused], [late[8]], 'all go on');
  for (const send of requests) send(0, true);
  t.equal(ends['r1'], CHUNK);
  t.equal(ends[late[0] ?? ''], 2 * CHUNK);
});

t.test('a body that is alone is not paused', async (t) => {
  const { ends, begin, paused, endTurn } = newBodies(8 * REQUEST_BODY_BYTES_MAX);
  const send = begin('alone');
  for (let sent = 0; sent < REQUEST_BODY_BYTES_MAX; sent += CHUNK) send(CHUNK);
  endTurn();
  t.equal(paused.size, 0);
  send(0, true);
  t.equal(ends['alone'], REQUEST_BODY_BYTES_MAX);
});
