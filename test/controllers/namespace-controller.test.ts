/** The controller over in-process ports, with shards that say what the test wants. */
import { mock } from 'node:test';
import t from 'tap';
import { Link } from '../../src/actors/link.ts';
import type { Answer } from '../../src/actors/link.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from '../../src/controllers/controller-protocol.ts';
import type {
  ControllerCalls,
  ControllerEvents,
} from '../../src/controllers/controller-protocol.ts';
import { NamespaceController } from '../../src/controllers/namespaces/namespace-controller.ts';
import { NAMESPACE_RETRY_MS } from '../../src/limits.ts';
import {
  NAMESPACE_UPKEEP_EVENTS,
  NAMESPACE_UPKEEP_VERBS,
} from '../../src/protocol/upkeep-protocol.ts';
import type {
  NamespaceCondition,
  NamespaceContent,
  NamespaceState,
  NamespaceUpkeepCalls,
  NamespaceUpkeepEvents,
} from '../../src/protocol/upkeep-protocol.ts';
import { newGate, turns } from '../support/gate.ts';
import { MemoryPort } from '../support/memory-port.ts';

mock.timers.enable({ apis: ['setTimeout'] });

type Emptying = Answer<NamespaceContent>;
type Shard = Link<NamespaceUpkeepEvents, NamespaceUpkeepCalls>;

class Cluster {
  /** The requests to the shards, in order. */
  readonly seen: string[] = [];
  readonly logged: string[] = [];
  /** The conditions that a namespace was given last. */
  readonly conditions = new Map<string, NamespaceCondition[]>();
  /** Orders that were not answered yet. */
  readonly emptying: { readonly shard: string; readonly answer: Emptying }[] = [];
  readonly #ports: MemoryPort[] = [];
  readonly #shardPorts = new Map<string, MemoryPort>();
  readonly #states: NamespaceState[];
  readonly #podsFirst: boolean;
  #namespaces: Shard | undefined;
  #control: Link<ControllerCalls, ControllerEvents> | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(states: NamespaceState[] = [], podsFirst = false) {
    this.#states = states;
    this.#podsFirst = podsFirst;
  }

  async start(): Promise<void> {
    const ports: Record<string, MemoryPort> = {};
    const pods = this.#podsFirst ? ['shard:pods'] : [];
    for (const name of ['shard:namespaces', 'shard:configmaps', 'shard:secrets', ...pods]) {
      const [port1, port2] = MemoryPort.pair();
      this.#shardPorts.set(name, port1);
      const link = this.#shard(name, port1);
      if (name === 'shard:namespaces') this.#namespaces = link;
      ports[name] = port2;
    }
    const [port1, port2] = MemoryPort.pair();
    this.#ports.push(port1);
    const started = newGate();
    this.#control = new Link<ControllerCalls, ControllerEvents>({
      peer: 'controller',
      port: port1,
      sends: CONTROLLER_VERBS,
      receives: CONTROLLER_EVENTS,
      handlers: { started: () => started.open() },
    });
    const logError = (text: string): void => void this.logged.push(text);
    const settings = { podsFirst: this.#podsFirst, logError };
    this.#ended = new NamespaceController({ ...ports, control: port2 }, settings).run();
    await started.promise;
    await turns(10);
  }

  async terminating(name: string): Promise<void> {
    this.#namespaces?.tell('namespaceTerminating', { name });
    await turns(10);
  }

  /** Answers all orders that wait. */
  async answerAll(
    remaining: number,
    { terminating = true, finalizers = {} }: Partial<NamespaceContent> = {},
  ): Promise<void> {
    for (const { answer } of this.emptying.splice(0)) {
      answer.reply({ remaining, terminating, finalizers });
    }
    await turns(10);
  }

  /** The type of a shard is served no more. */
  async remove(name: string): Promise<void> {
    this.#shardPorts.get(name)?.close();
    await turns(10);
  }

  async stop(): Promise<void> {
    await this.#control?.call('stop', undefined);
    await this.#ended;
    for (const port of this.#ports) port.close();
  }

  #shard(name: string, port: MemoryPort): Shard {
    this.#ports.push(port);
    return new Link<NamespaceUpkeepEvents, NamespaceUpkeepCalls>({
      peer: 'controller',
      port,
      sends: NAMESPACE_UPKEEP_EVENTS,
      receives: NAMESPACE_UPKEEP_VERBS,
      handlers: {
        namespaceStates: (_request, _body, answer) => answer.reply(this.#states),
        emptyNamespace: ({ namespace }, _body, answer) => {
          this.seen.push(`${name} empties ${namespace}`);
          this.emptying.push({ shard: name, answer });
        },
        finalizeNamespace: (request, _body, answer) => {
          this.seen.push(`finalize ${request.name}`);
          answer.reply(undefined);
        },
        setConditions: (request, _body, answer) => {
          this.conditions.set(request.name, request.conditions);
          answer.reply(undefined);
        },
      },
    });
  }

  /** `type: message` of those of its conditions that are true. */
  wrong(namespace: string): string[] {
    const conditions = this.conditions.get(namespace) ?? [];
    return conditions
      .filter(({ status }) => status === 'True')
      .map(({ type, message }) => `${type}: ${message}`);
  }
}

const EMPTIES_X = ['shard:configmaps empties x', 'shard:secrets empties x'];

t.test('a terminating namespace is emptied by every shard, then finalized', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  t.same(cluster.seen, []);
  await cluster.terminating('x');
  t.same(cluster.seen, EMPTIES_X);
  const empty = { remaining: 0, terminating: true, finalizers: {} };
  cluster.emptying.shift()?.answer.reply(empty);
  await turns(10);
  t.equal(cluster.seen.length, 2, 'one shard is not all');
  await cluster.answerAll(0);
  t.same(cluster.seen, [...EMPTIES_X, 'finalize x']);
  t.equal(cluster.conditions.size, 0, 'one that goes at once says nothing of it');
  await cluster.stop();
});

t.test('what is left is said in its conditions', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  await cluster.answerAll(2, { finalizers: { 'example.com/hold': 1 } });
  t.same(cluster.wrong('x'), [
    'NamespaceContentRemaining: Some resources are remaining: ' +
      'configmaps. has 2 resource instances, secrets. has 2 resource instances',
    'NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: ' +
      'example.com/hold in 2 resource instances',
  ]);
  t.equal(cluster.conditions.get('x')?.length, 5);
  await cluster.stop();
});

t.test('a namespace made anew and deleted again meanwhile is emptied again', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  await cluster.terminating('x');
  t.same(cluster.seen, EMPTIES_X, 'one round at a time');
  await cluster.answerAll(0);
  t.same(cluster.seen, [...EMPTIES_X, 'finalize x', ...EMPTIES_X]);
  await cluster.answerAll(0);
  t.same(cluster.seen.slice(-1), ['finalize x']);
  await cluster.stop();
});

t.test('a namespace that was made anew and stays is not finalized', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  await cluster.answerAll(0, { terminating: false });
  t.same(cluster.seen, EMPTIES_X);
  await cluster.stop();
});

t.test('while objects remain it asks again after a while', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  await cluster.answerAll(1);
  t.same(cluster.seen, EMPTIES_X);
  mock.timers.tick(NAMESPACE_RETRY_MS - 1);
  await turns(10);
  t.same(cluster.seen, EMPTIES_X, 'not at once');
  mock.timers.tick(1);
  await turns(10);
  t.same(cluster.seen, [...EMPTIES_X, ...EMPTIES_X]);
  await cluster.answerAll(0);
  t.equal(cluster.seen.at(-1), 'finalize x');
  await cluster.stop();
});

t.test('what fails is told and tried again', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  for (const { answer } of cluster.emptying.splice(0)) answer.fail(new Error('no space left'));
  await turns(10);
  t.match(cluster.logged, [/namespace x: no space left/]);
  t.same(cluster.wrong('x'), [
    'NamespaceDeletionContentFailure: ' +
      'Failed to delete all resource types, 2 remaining: no space left, no space left',
  ]);
  mock.timers.tick(NAMESPACE_RETRY_MS);
  await turns(10);
  t.equal(cluster.seen.length, 4);
  await cluster.answerAll(0);
  t.equal(cluster.seen.at(-1), 'finalize x');
  await cluster.stop();
});

t.test('a type that goes meanwhile holds nothing, and is no failure', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  const [configMaps, secrets] = cluster.emptying.splice(0);
  await cluster.remove(secrets?.shard ?? '');
  configMaps?.answer.reply({ remaining: 0, terminating: true, finalizers: {} });
  await turns(10);
  t.same(cluster.logged, []);
  t.equal(cluster.conditions.size, 0);
  mock.timers.tick(NAMESPACE_RETRY_MS);
  await turns(10);
  await cluster.answerAll(0);
  t.same(cluster.seen.slice(2), ['shard:configmaps empties x', 'finalize x']);
  await cluster.stop();
});

t.test('namespaces are emptied side by side, and again after they were', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  await cluster.terminating('y');
  t.equal(cluster.seen.length, 4);
  await cluster.answerAll(0);
  t.same(cluster.seen.slice(4).sort(), ['finalize x', 'finalize y']);
  await cluster.terminating('x');
  t.same(cluster.seen.slice(6), EMPTIES_X);
  await cluster.answerAll(0);
  await cluster.stop();
});

t.test('a start takes up what a stop interrupted', async (t) => {
  const cluster = new Cluster([
    { name: 'default', state: 'active' },
    { name: 'x', state: 'terminating' },
  ]);
  await cluster.start();
  t.same(cluster.seen, EMPTIES_X);
  await cluster.answerAll(0);
  t.equal(cluster.seen.at(-1), 'finalize x');
  await cluster.stop();
});

t.test('it stops while it waits, and does nothing afterwards', async (t) => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.terminating('x');
  await cluster.answerAll(1);
  await cluster.stop();
  mock.timers.tick(NAMESPACE_RETRY_MS);
  await turns(10);
  t.same(cluster.seen, EMPTIES_X);
});

t.test('where a release has it so, other objects wait until the pods are gone', async (t) => {
  const cluster = new Cluster([], true);
  await cluster.start();
  await cluster.terminating('x');
  t.same(cluster.seen, ['shard:pods empties x']);
  await cluster.answerAll(1, { finalizers: { 'example.com/hold': 1 } });
  t.equal(cluster.seen.length, 1);
  t.same(cluster.wrong('x'), [], 'what remains is told of when all were asked');
  t.equal(cluster.conditions.get('x')?.length, 5);
  mock.timers.tick(NAMESPACE_RETRY_MS);
  await turns(10);
  await cluster.answerAll(0);
  t.same(cluster.seen, ['shard:pods empties x', 'shard:pods empties x', ...EMPTIES_X]);
  await cluster.answerAll(0);
  t.equal(cluster.seen.at(-1), 'finalize x');
  await cluster.stop();
});
