import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import t from 'tap';
import { ActorPool } from '../../src/actors/actor-pool.ts';
import { portPair } from '../../src/actors/ports.ts';
import { Link } from '../../src/actors/link.ts';
import { PROBE_VERBS } from '../support/actor-worker.ts';
import type { ProbeCalls } from '../support/actor-worker.ts';

const ENTRY = fileURLToPath(new URL('../support/actor-worker.ts', import.meta.url));

type Probe = Link<ProbeCalls, Record<never, never>>;

interface Crash {
  readonly actor: string;
  readonly error: Error;
}

interface PoolUnderTest {
  readonly pool: ActorPool;
  readonly crashes: Crash[];
  /** Resolves once so many crashes were told. */
  crashed(count: number): Promise<void>;
  start(name: string, init?: object): Probe;
}

function newPool(t: Test, threads: number): PoolUnderTest {
  const crashes: Crash[] = [];
  let onCrash: () => void = () => undefined;
  const pool = new ActorPool({
    youngGenerationMb: 12,
    entry: ENTRY,
    threads,
    shared: { pool: 'tests' },
    onCrash: (actor, error) => {
      crashes.push({ actor, error });
      onCrash();
    },
  });
  const probes: Probe[] = [];
  t.teardown(async () => {
    pool.expectStop();
    for (const probe of probes) {
      probe.tell('end', { how: 'stop' });
      probe.close();
    }
    await pool.stopped();
  });
  return {
    pool,
    crashes,
    crashed: (count) =>
      new Promise((resolve) => {
        onCrash = () => {
          if (crashes.length >= count) resolve();
        };
        onCrash();
      }),
    start: (name, init = {}) => {
      const [here, there] = portPair();
      const probe: Probe = new Link<ProbeCalls, Record<never, never>>({
        peer: name,
        port: here,
        sends: PROBE_VERBS,
        receives: [],
        handlers: {},
      });
      probes.push(probe);
      pool.start(name, { actor: 'probe', init, ports: { main: there } });
      return probe;
    },
  };
}

t.test('actors share threads evenly, each with its init value and that of all', async (t) => {
  const { start, crashes } = newPool(t, 2);
  const probes = ['a', 'b', 'c', 'd'].map((name) => start(name, { name }));
  const answers = await Promise.all(probes.map((probe) => probe.call('thread', undefined)));
  t.same(
    answers.map(({ init }) => init),
    [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
  );
  for (const { shared } of answers) t.same(shared, { pool: 'tests' });
  const perThread = new Map<number, number>();
  for (const { threadId } of answers) perThread.set(threadId, (perThread.get(threadId) ?? 0) + 1);
  t.same([...perThread.values()], [2, 2]);
  t.notOk(perThread.has(0), 'none on the main thread');
  t.same(crashes, []);
});

t.test('an actor that ends when it is told to is no crash', async (t) => {
  const { pool, start, crashes } = newPool(t, 1);
  const probe = start('a');
  await probe.call('thread', undefined);
  pool.expectStop();
  probe.tell('end', { how: 'stop' });
  await pool.stopped();
  t.same(crashes, []);
});

t.test('an actor that ends by itself is a crash, others go on', async (t) => {
  const { start, crashes, crashed } = newPool(t, 1);
  const [first, second] = [start('first'), start('second')];
  await Promise.all([first, second].map((probe) => probe.call('thread', undefined)));
  first.tell('end', { how: 'stop' });
  await crashed(1);
  t.equal(crashes[0]?.actor, 'first');
  t.equal(crashes[0]?.error.message, 'it stopped by itself');
  await second.call('thread', undefined);
  second.tell('end', { how: 'reject' });
  await crashed(2);
  t.equal(crashes[1]?.actor, 'second');
  t.equal(crashes[1]?.error.message, 'the actor gave up');
  t.equal(crashes[1]?.error.name, 'RangeError');
});

for (const [how, message] of [
  ['throw', /thrown in a handler/],
  ['exit', /exit/],
] as const) {
  t.test(`a worker that ends (${how}) is a crash of each of its actors`, async (t) => {
    const { start, crashes, crashed } = newPool(t, 1);
    const [first, second] = [start('first'), start('second')];
    await Promise.all([first, second].map((probe) => probe.call('thread', undefined)));
    first.tell('end', { how });
    await crashed(2);
    t.same(crashes.map(({ actor }) => actor).sort(), ['first', 'second']);
    for (const { error } of crashes) t.match(error.message, message);
  });
}

t.test('an actor that cannot start is a crash', async (t) => {
  const { pool, crashes, crashed } = newPool(t, 1);
  pool.start('portless', { actor: 'probe', init: {}, ports: {} });
  await crashed(1);
  t.equal(crashes[0]?.error.message, 'a probe needs a port');
});

t.end();
