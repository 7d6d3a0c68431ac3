import type { MessagePort } from 'node:worker_threads';
import type { Test } from 'tap';
import t from 'tap';
import { Link } from '../../src/actors/link.ts';
import type { Answer, Handlers, LinkOptions } from '../../src/actors/link.ts';
import type { Port } from '../../src/actors/port.ts';
import { portPair } from '../../src/actors/ports.ts';
import { TURN_END } from '../../src/base/turns/turn-end.ts';
import { conflict, expired, StatusError } from '../../src/semantics/errors/status.ts';
import { MemoryPort } from '../support/memory-port.ts';

interface EchoCalls {
  echo: { request: { n: number }; reply: { n: number } };
  later: { request: { n: number }; reply: { n: number } };
  note: { request: { n: number }; reply: undefined };
  fail: { request: { how: string }; reply: undefined };
  give: { request: { n: number }; reply: { n: number } };
}

interface EchoEvents {
  noted: { request: { n: number }; reply: undefined };
  probe: { request: undefined; reply: { pong: boolean } };
}

const ECHO_VERBS = ['echo', 'later', 'note', 'fail', 'give'] as const;
const ECHO_EVENTS = ['noted', 'probe'] as const;

type Near = Link<EchoCalls, EchoEvents>;
type Far = Link<EchoEvents, EchoCalls>;

interface Pair {
  readonly near: Near;
  readonly far: Far;
  readonly nearPort: AnyPort;
  readonly farPort: AnyPort;
  /** The events, in order. */
  readonly seen: string[];
  /** Answers that the far side has not given yet. */
  readonly held: Map<number, Answer<{ n: number }>>;
}

const FAILURES: Readonly<Record<string, () => unknown>> = {
  range: () => new RangeError('out of range'),
  text: () => 'only a text',
  conflict: () => conflict({ group: 'g', resource: 'r' }, 'x', 'why'),
  expired: () => {
    const error = expired('The provided continue parameter is too old');
    error.status.metadata = { continue: 'token' };
    return error;
  },
  details: () => new StatusError(404, 'NotFound', 'nothing', {}),
};

function farHandlers(far: () => Far, pair: Pick<Pair, 'seen' | 'held'>): Handlers<EchoCalls> {
  const { seen, held } = pair;
  return {
    echo: ({ n }, body, answer) => {
      seen.push(`echo ${n}`);
      answer.reply({ n }, body);
    },
    later: ({ n }, _body, answer) => void held.set(n, answer),
    note: ({ n }, body) => {
      seen.push(`note ${n}`);
      far().tell('noted', { n }, body);
    },
    fail: ({ how }, _body, answer) => answer.fail(FAILURES[how]?.()),
    give: ({ n }, body, answer) => answer.replyGiven({ n }, Buffer.allocUnsafeSlow(n).fill(body)),
  };
}

type AnyPort = MessagePort | MemoryPort;
type Connect = (limits?: Partial<LinkOptions<EchoCalls, EchoEvents>>) => Pair;
type Ends = readonly [AnyPort, AnyPort];

/** Between threads, and in memory: a link is the same over both. */
const PORTS: Readonly<Record<string, () => Ends>> = {
  'between threads': portPair,
  'in memory': () => MemoryPort.pair(),
};

/** A scenario over each kind of ports. */
function overEach(
  name: string,
  run: (t: Test, connect: Connect, ports: () => Ends) => Promise<void>,
): void {
  for (const [where, ports] of Object.entries(PORTS)) {
    const each = (t: Test) => run(t, (limits) => connectOver(t, ports(), limits), ports);
    t.test(`${name}, ${where}`, each);
  }
}

function connectOver(
  t: Test,
  [nearPort, farPort]: Ends,
  limits: Partial<LinkOptions<EchoCalls, EchoEvents>> = {},
): Pair {
  const seen: string[] = [];
  const held = new Map<number, Answer<{ n: number }>>();
  const far: Far = new Link<EchoEvents, EchoCalls>({
    peer: 'near',
    port: farPort,
    sends: ECHO_EVENTS,
    receives: ECHO_VERBS,
    handlers: farHandlers(() => far, { seen, held }),
    onTurnEnd: () => seen.push('turn end'),
    onPort: (given, port) => {
      seen.push(String(given));
      prober(port);
    },
  });
  const near = new Link<EchoCalls, EchoEvents>({
    peer: 'the echo',
    port: nearPort,
    sends: ECHO_VERBS,
    receives: ECHO_EVENTS,
    handlers: {
      noted: ({ n }, body) => void seen.push(`noted ${n} ${Buffer.from(body).toString()}`),
      probe: (_request, _body, answer) => answer.reply({ pong: true }),
    },
    ...limits,
  });
  t.teardown(() => {
    nearPort.close();
    farPort.close();
  });
  return { near, far, nearPort, farPort, seen, held };
}

/** One end of a link whose sides ask each other the same. */
function prober(port: Port): Link<EchoEvents, EchoEvents> {
  return new Link({
    peer: 'the other prober',
    port,
    sends: ECHO_EVENTS,
    receives: ECHO_EVENTS,
    handlers: {
      noted: () => undefined,
      probe: (_request, _body, answer) => answer.reply({ pong: true }),
    },
  });
}

function asks({ near, seen }: Pair, n: number, body?: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    near.ask('echo', { n }, body, (error, reply, bytes) => {
      seen.push(
        error ? `error ${error.message}` : `answer ${reply.n} ${Buffer.from(bytes).toString()}`,
      );
      resolve();
    });
  });
}

function countMessages(port: AnyPort): { count: number; bytes: number } {
  const counted = { count: 0, bytes: 0 };
  port.on('message', (message: Uint8Array) => {
    counted.count++;
    counted.bytes += message.length;
  });
  return counted;
}

overEach('an ask is answered with header and body', async (t, connect) => {
  const pair = connect();
  await asks(pair, 5, Buffer.from('body'));
  t.same(pair.seen, ['echo 5', 'turn end', 'answer 5 body']);
  t.same(await pair.near.call('echo', { n: 6 }), { n: 6 });
  t.same(await pair.far.call('probe', undefined), { pong: true }, 'both sides may ask');
  t.equal(pair.near.pendingCount, 0);
});

/** Asks with a body that is given away; says whether it came so, and frees it. */
function asksGiven({ near, seen }: Pair, n: number, body: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    near.ask('give', { n }, body, (_error, reply, bytes, isGiven) => {
      seen.push(`${isGiven ? 'given' : 'copied'} ${reply.n} ${Buffer.from(bytes).toString()}`);
      (bytes.buffer as ArrayBuffer).transfer(0);
      resolve();
    });
  });
}

overEach('bodies that are given come whole among others, and may be freed', async (t, connect) => {
  const pair = connect();
  await Promise.all([
    asks(pair, 1, Buffer.from('one')),
    asksGiven(pair, 2, Buffer.from('a')),
    asks(pair, 3, Buffer.from('three')),
    asksGiven(pair, 4, Buffer.from('b')),
    asks(pair, 5, Buffer.from('five')),
  ]);
  t.same(
    pair.seen.filter((line) => /^(answer|given|copied)/.test(line)),
    ['answer 1 one', 'given 2 aa', 'answer 3 three', 'given 4 bbbb', 'answer 5 five'],
  );
  await asksGiven(pair, 3, Buffer.from('c'));
  t.equal(pair.seen.at(-1), 'given 3 ccc', 'and alone in a turn');
});

overEach('asks, tells and answers keep their order', async (t, connect) => {
  const pair = connect();
  const last = [asks(pair, 1)];
  pair.near.tell('note', { n: 2 }, Buffer.from('b'), Buffer.from('ody'));
  last.push(asks(pair, 3));
  pair.near.tell('note', { n: 4 });
  last.push(asks(pair, 5));
  await Promise.all(last);
  t.same(pair.seen, [
    'echo 1',
    'note 2',
    'echo 3',
    'note 4',
    'echo 5',
    'turn end',
    'answer 1 ',
    'noted 2 body',
    'answer 3 ',
    'noted 4 ',
    'answer 5 ',
  ]);
});

overEach('what one turn sends travels as one buffer, both ways', async (t, connect) => {
  const pair = connect();
  const requests = countMessages(pair.farPort);
  const answers = countMessages(pair.nearPort);
  await Promise.all(Array.from({ length: 50 }, (_, n) => asks(pair, n)));
  t.equal(requests.count, 1);
  t.equal(answers.count, 1);
  await asks(pair, 50);
  t.equal(requests.count, 2);
  t.equal(answers.count, 2);
});

overEach('flush sends at once, and the rest of the turn follows', async (t, connect) => {
  const pair = connect();
  const requests = countMessages(pair.farPort);
  const first = asks(pair, 1);
  pair.near.flush();
  pair.near.flush();
  const second = asks(pair, 2);
  await Promise.all([first, second]);
  t.equal(requests.count, 2);
  t.same(
    pair.seen.filter((text) => text.startsWith('answer')),
    ['answer 1 ', 'answer 2 '],
  );
});

overEach('answers may come later and in another order', async (t, connect) => {
  const pair = connect();
  const order: number[] = [];
  const waits = [1, 2, 3].map(async (n) => order.push((await pair.near.call('later', { n })).n));
  await asks(pair, 0);
  t.equal(pair.near.pendingCount, 3);
  for (const n of [3, 1, 2]) pair.held.get(n)?.reply({ n });
  await Promise.all(waits);
  t.same(order, [3, 1, 2]);
  t.equal(pair.near.pendingCount, 0);
});

overEach('a failure keeps its type, message and stack, and names the actor', async (t, connect) => {
  const { near } = connect();
  const error = (await near.call('fail', { how: 'range' }).catch((caught) => caught)) as Error;
  t.equal(error.name, 'RangeError');
  t.equal(error.message, 'out of range');
  t.match(error.stack, /^RangeError: out of range\n.*link\.test\.ts/);
  t.match(error.stack, /in actor the echo, asked by:/);
  await t.rejects(near.call('fail', { how: 'text' }), { name: 'Error', message: 'only a text' });
});

overEach('a Status crosses whole', async (t, connect) => {
  const { near } = connect();
  for (const how of ['conflict', 'expired', 'details']) {
    const sent = FAILURES[how]?.() as StatusError;
    const got = (await near.call('fail', { how }).catch((caught: unknown) => caught)) as Error;
    t.ok(got instanceof StatusError, how);
    t.strictSame((got as StatusError).status, sent.status);
    t.equal(got.message, sent.message);
    t.equal((got as StatusError).code, sent.code);
  }
});

overEach('a mailbox that is full refuses, and sends nothing of it', async (t, connect) => {
  const pair = connect({ requestsMax: 2 });
  const waits = [pair.near.call('later', { n: 1 }), pair.near.call('later', { n: 2 })];
  const full = { name: 'MailboxFullError', message: 'the mailbox of the echo is full' };
  t.throws(() => pair.near.ask('echo', { n: 3 }, undefined, () => t.fail('not sent')), full);
  await t.rejects(pair.near.call('echo', { n: 4 }), full);
  t.equal(pair.near.pendingCount, 2);
  pair.near.tell('note', { n: 5 });
  await new Promise((resolve) => pair.farPort.once('message', resolve));
  t.same(
    pair.seen.slice(0, 2),
    ['note 5', 'turn end'],
    'tells go on, what was refused is not sent',
  );
  pair.held.get(1)?.reply({ n: 1 });
  await waits[0];
  t.same(await pair.near.call('echo', { n: 6 }), { n: 6 }, 'an answer makes room');
  pair.held.get(2)?.reply({ n: 2 });
  await waits[1];
});

overEach('a mailbox is also full by bytes', async (t, connect) => {
  const pair = connect({ bytesMax: 100 });
  const first = asks(pair, 1, Buffer.alloc(60));
  const refused = () => pair.near.ask('echo', { n: 2 }, Buffer.alloc(41), () => t.fail('not sent'));
  t.throws(refused, { name: 'MailboxFullError' });
  const second = asks(pair, 3, Buffer.alloc(40));
  t.throws(() => pair.near.ask('echo', { n: 4 }, Buffer.alloc(1), () => t.fail('not sent')));
  await Promise.all([first, second]);
  await asks(pair, 5, Buffer.alloc(100));
  t.ok(true, 'answers make room for as many bytes');
});

overEach('a failed answer makes room too', async (t, connect) => {
  const { near } = connect({ requestsMax: 1 });
  await t.rejects(near.call('fail', { how: 'range' }));
  await t.rejects(near.call('fail', { how: 'range' }), { name: 'RangeError' });
});

overEach('close delivers what was sent before, then ends both ports', async (t, connect) => {
  const pair = connect();
  const closed = new Promise((resolve) => pair.farPort.once('close', resolve));
  pair.near.tell('note', { n: 1 });
  pair.near.close();
  await closed;
  t.same(pair.seen, ['note 1', 'turn end']);
  pair.near.tell('note', { n: 2 });
  await new Promise((resolve) => setImmediate(resolve));
  t.same(pair.seen, ['note 1', 'turn end'], 'and nothing after it');
});

overEach(
  'a port to a third actor goes in order, and works from there',
  async (t, connect, ports) => {
    const [third, its] = ports();
    const { near, seen } = connect();
    const given = near.call('echo', { n: 1 });
    near.givePort('for the third', its);
    near.tell('note', { n: 2 });
    await given;
    await near.call('echo', { n: 3 });
    t.same(seen.slice(0, 4), ['echo 1', 'turn end', 'for the third', 'note 2']);
    const link = prober(third);
    t.same(await link.call('probe', undefined), { pong: true });
    link.close();
  },
);

t.end();

/** So much of a turn that it is a long one. */
function passLongTime(): void {
  const startMs = performance.now();
  while (performance.now() < startMs + 20);
  TURN_END.passed(true);
}

t.test('in the midst of a long turn answers are taken, but in the midst of no other', async (t) => {
  const { near, seen, held } = connectOver(t, portPair());
  const asked = [1, 2].map(
    (n) =>
      new Promise<void>((resolve) => {
        near.ask('later', { n }, undefined, () => {
          seen.push(`answer ${n}`);
          if (n === 1) {
            held.get(2)?.reply({ n: 2 });
            passLongTime();
            passLongTime();
          }
          seen.push(`over ${n}`);
          resolve();
        });
      }),
  );
  while (held.size < 2) await new Promise(setImmediate);
  seen.length = 0;
  held.get(1)?.reply({ n: 1 });
  passLongTime();
  t.same(seen, [], 'the answer has been sent now');
  passLongTime();
  t.same(seen, ['answer 1', 'over 1', 'answer 2', 'over 2']);
  await Promise.all(asked);
});

t.test('where answers cannot be taken in the midst of a turn they come after it', async (t) => {
  const { near, seen, held } = connectOver(t, MemoryPort.pair());
  const asked = near.call('later', { n: 1 }).then(() => seen.push('answer'));
  while (held.size < 1) await new Promise(setImmediate);
  seen.length = 0;
  held.get(1)?.reply({ n: 1 });
  passLongTime();
  passLongTime();
  t.same(seen, []);
  await asked;
  t.same(seen, ['answer']);
});
