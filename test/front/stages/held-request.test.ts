/** Requests that a stage lets wait: their lines and bodies are there when they go on. */
import t from 'tap';
import type { Arrival, ClientRequest, ClientResponse } from '../../../src/front/http.ts';
import { heldArrival } from '../../../src/front/transport/held-arrival.ts';

/** A request whose object dies with its turn, and a response that says when it is paused. */
function arrival() {
  let isOver = false;
  let onData: (chunk: ArrayBuffer, isLast: boolean) => void = () => undefined;
  const log: string[] = [];
  const inTurn = <T>(value: T): T => {
    if (isOver) throw new Error('the request has died');
    return value;
  };
  const request: ClientRequest = {
    getMethod: () => inTurn('post'),
    getUrl: () => inTurn('/a'),
    getQuery: () => inTurn('b=c'),
    getHeader: () => inTurn(''),
    forEach: (each) => inTurn([['host', 'h'] as const]).forEach((line) => each(...line)),
  };
  const response = {
    onData: (then: typeof onData) => (onData = then),
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    writeStatus: (status: string) => log.push(status),
  } as unknown as ClientResponse;
  return {
    arrival: { request, response } satisfies Arrival,
    log,
    endTurn: () => (isOver = true),
    send: (text: string, isLast = false) => {
      const bytes = new TextEncoder().encode(text);
      onData(bytes.buffer, isLast);
      // The library reuses the memory.
      bytes.fill(0);
    },
  };
}

function received({ response }: Arrival): string[] {
  const parts: string[] = [];
  response.onData((chunk, isLast) => {
    parts.push(Buffer.from(chunk).toString() + (isLast ? '.' : ''));
  });
  return parts;
}

t.test('what came while it waited comes first, then the rest', async (t) => {
  const { arrival: came, send, endTurn, log } = arrival();
  const held = heldArrival(came, true, () => t.fail('it was never paused'));
  endTurn();
  send('a');
  send('b');
  const parts = received(held);
  t.same(parts, ['a', 'b']);
  send('c', true);
  t.same(parts, ['a', 'b', 'c.']);
  const lines: string[][] = [];
  held.request.forEach((...line) => lines.push(line));
  t.same(lines, [['host', 'h']]);
  t.same(
    [held.request.getMethod(), held.request.getUrl(), held.request.getQuery()],
    ['post', '/a', 'b=c'],
  );
  t.equal(held.request.getHeader('host'), 'h');
  held.response.writeStatus('200 OK');
  t.same(log, ['200 OK'], 'all else is the response itself');
});

t.test('a body that was over before', async (t) => {
  const { arrival: came, send } = arrival();
  const held = heldArrival(came, true, () => undefined);
  send('', true);
  t.same(received(held), ['.']);
});

t.test('a request without a body', async (t) => {
  const { arrival: came, endTurn } = arrival();
  const held = heldArrival(came, false, () => undefined);
  endTurn();
  t.same(received(held), ['.']);
});

t.test('a client that sends much is paused until somebody takes it', async (t) => {
  const { arrival: came, send, log } = arrival();
  const held = heldArrival(came, true, () => log.push('closes'));
  const part = 'x'.repeat(40_000);
  send(part);
  t.same(log, []);
  send(part);
  send(part);
  t.same(log, ['pause'], 'once');
  const parts = received(held);
  t.same([parts.length, log], [3, ['pause', 'resume']]);
  send('', true);
  t.same(parts.at(-1), '.');
});

t.test('a body that ends on a paused connection ends the connection', async (t) => {
  const { arrival: came, send, log } = arrival();
  const held = heldArrival(came, true, () => log.push('closes'));
  send('x'.repeat(70_000));
  send('y', true);
  t.same(log, ['pause', 'closes']);
  t.equal(received(held).length, 2);
  t.same(log, ['pause', 'closes'], 'it is not resumed');
});
