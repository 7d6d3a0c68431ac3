/** The collector over in-process ports, with real shards whose commits a test holds back. */
import { mock } from 'node:test';
import t from 'tap';
import { Link } from '../../src/actors/link.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from '../../src/controllers/controller-protocol.ts';
import type {
  ControllerCalls,
  ControllerEvents,
} from '../../src/controllers/controller-protocol.ts';
import { GarbageCollector } from '../../src/controllers/garbage/garbage-collector.ts';
import { OwnerKinds } from '../../src/controllers/garbage/owner-kinds.ts';
import { CONTROL_PORT, shardPort } from '../../src/controllers/run-controller.ts';
import { LEASE } from '../../src/resources/coordination/lease.ts';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { GARBAGE_RETRY_MS } from '../../src/limits.ts';
import type { BuiltInKind } from '../../src/resources/kind.ts';
import { resourceKey } from '../../src/resources/registry.ts';
import { ControllerLinks } from '../../src/shard/upkeep/controller-links.ts';
import { errorsAsReplies } from '../../src/shard/state/errors-as-replies.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap, kindNamed, minimalObject } from '../support/kinds.ts';
import type { Members, TestObject } from '../support/kinds.ts';
import { ShardUnderTest, startedClock } from '../support/shard-under-test.ts';
import { MemoryPort } from '../support/memory-port.ts';

mock.timers.enable({ apis: ['setTimeout'] });

/** Long enough for any case here; nothing of it is time. */
const TURNS_MAX = 5_000;

class Owned {
  readonly log: HeldLog;
  readonly subject: ShardUnderTest;
  readonly links = new ControllerLinks();

  constructor(definition: BuiltInKind, log = new HeldLog(), clock = startedClock()) {
    this.log = log;
    this.subject = new ShardUnderTest({
      definition,
      log,
      clock,
      onOwnership: (changes) => this.links.ownershipChanged(changes),
      onCommitEnd: () => this.links.flush(),
    });
  }
}

class Collected {
  readonly maps: Owned;
  readonly leases: Owned;
  readonly logged: string[] = [];
  #control: Link<ControllerCalls, ControllerEvents> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #ports: MemoryPort[] = [];

  /** With shards of before: what a start finds. */
  constructor(before?: Collected) {
    const again = (definition: BuiltInKind, owned?: Owned): Owned =>
      new Owned(definition, owned?.log, owned?.subject.clock);
    this.maps = again(CONFIG_MAP, before?.maps);
    this.leases = again(LEASE, before?.leases);
  }

  start(): void {
    const ports: Record<string, MemoryPort> = {};
    for (const { subject, links } of [this.maps, this.leases]) {
      const [port1, port2] = MemoryPort.pair();
      ports[shardPort(resourceKey(subject.shard.kind.definition))] = port2;
      const logError = (text: string): void => void this.logged.push(text);
      links.open({ garbageCollector: port1 }, subject.shard, errorsAsReplies(logError));
      this.#ports.push(port1);
    }
    const [port1, port2] = MemoryPort.pair();
    this.#ports.push(port1);
    this.#control = new Link<ControllerCalls, ControllerEvents>({
      peer: 'controller',
      port: port1,
      sends: CONTROLLER_VERBS,
      receives: CONTROLLER_EVENTS,
      handlers: { started: () => undefined },
    });
    const collector = new GarbageCollector(
      { ...ports, [CONTROL_PORT]: port2 },
      {
        types: [],
        kinds: new OwnerKinds([
          { definition: CONFIG_MAP, groupVersion: 'v1' },
          { definition: LEASE, groupVersion: 'coordination.cluster.io/v1' },
        ]),
        logError: (text) => void this.logged.push(text),
      },
    );
    this.#ended = collector.run();
  }

  /** Waits until exactly these are left, which are named without their namespace. */
  async leaves(...expected: string[]): Promise<string[]> {
    for (let turn = 0; turn < TURNS_MAX && this.#left().join() !== expected.join(); turn++) {
      await turns(1);
    }
    // Whatever is still to go has its chance.
    await turns(100);
    return this.#left();
  }

  /** Closes the link to the leases, as it is when a type goes. */
  endLeases(): void {
    this.#ports[1]?.close();
  }

  async stop(): Promise<void> {
    await this.#control?.call('stop', undefined);
    await this.#ended;
    for (const port of this.#ports) port.close();
  }

  #left(): string[] {
    return [...this.maps.subject.keys(), ...this.leases.subject.keys()].map((key) =>
      key.replace('default/', ''),
    );
  }
}

function lease(name: string, metadata: Members): TestObject {
  return minimalObject(kindNamed('Lease'), name, {}, metadata);
}

function ownedBy({ object }: { object: TestObject }, blockOwnerDeletion = false): Members {
  const { apiVersion, kind, metadata } = object;
  const { name, uid } = metadata;
  return { ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion }] };
}

async function collected(): Promise<Collected> {
  const cluster = new Collected();
  cluster.start();
  await turns(20);
  return cluster;
}

t.test('dependents go with their owner, across types', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  const middle = await leases.subject.create(lease('middle', ownedBy(owner)));
  await maps.subject.create(configMap('leaf', {}, ownedBy(middle)));
  await maps.subject.create(configMap('stays'));
  await maps.subject.delete('owner');
  t.same(await cluster.leaves('stays'), ['stays']);
  t.same(cluster.logged, []);
  await cluster.stop();
});

t.test('an owner whose end fails to commit keeps its dependents', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  maps.log.hold();
  const deleted = maps.subject.delete('owner');
  // Looked at while the end of its owner is on its way.
  await leases.subject.create(lease('dependent', ownedBy(owner)));
  await turns(50);
  maps.log.fail('no space left');
  await t.rejects(deleted);
  t.same(await cluster.leaves('owner', 'dependent'), ['owner', 'dependent']);
  await maps.subject.delete('owner');
  t.same(await cluster.leaves(), []);
  await cluster.stop();
});

t.test('a dependent that is committed after its owner went is found by itself', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  leases.log.hold();
  const late = leases.subject.create(lease('late', ownedBy(owner)));
  await maps.subject.delete('owner');
  await turns(50);
  leases.log.release();
  t.equal((await late).code, 201);
  t.same(await cluster.leaves(), []);
  await cluster.stop();
});

t.test('a dependent that finds another owner in time stays', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  const other = await maps.subject.create(configMap('other'));
  await leases.subject.create(lease('dependent', ownedBy(owner)));
  await turns(50);
  leases.log.hold();
  const { metadata } = (await leases.subject.get('dependent')).object;
  const rv = { resourceVersion: metadata.resourceVersion };
  const adopted = leases.subject.update(lease('dependent', { ...ownedBy(other), ...rv }));
  await maps.subject.delete('owner');
  // It is looked at as committed, and ordered to go: the order finds the change.
  await turns(50);
  leases.log.release();
  await adopted;
  t.same(await cluster.leaves('other', 'dependent'), ['other', 'dependent']);
  await cluster.stop();
});

t.test('an order that came too late is given again', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  await leases.subject.create(lease('dependent', ownedBy(owner)));
  await turns(50);
  leases.log.hold();
  const renamed = structuredClone(owner);
  renamed.object.metadata.name = 'nobody';
  const { resourceVersion } = (await leases.subject.get('dependent')).object.metadata;
  const members = { ...ownedBy(renamed), resourceVersion };
  const updated = leases.subject.update(lease('dependent', members));
  await maps.subject.delete('owner');
  await turns(50);
  leases.log.release();
  await updated;
  t.same(await cluster.leaves(), []);
  await cluster.stop();
});

t.test('an owner that was made anew under its name is another one', async (t) => {
  const before = new Collected();
  const { maps, leases } = before;
  const owner = await maps.subject.create(configMap('owner'));
  await leases.subject.create(lease('dependent', ownedBy(owner)));
  await maps.subject.delete('owner');
  await maps.subject.create(configMap('owner'));
  const after = new Collected(before);
  after.start();
  t.same(await after.leaves('owner'), ['owner']);
  await after.stop();
});

t.test('what fails is told, and done again after a while', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  await leases.subject.create(lease('dependent', ownedBy(owner)));
  await turns(50);
  leases.log.hold();
  await maps.subject.delete('owner');
  await turns(50);
  leases.log.fail('no space left');
  await turns(50);
  t.match(cluster.logged, [/no space left/]);
  t.same(await cluster.leaves('dependent'), ['dependent']);
  mock.timers.tick(GARBAGE_RETRY_MS - 1);
  t.same(await cluster.leaves('dependent'), ['dependent'], 'not at once');
  mock.timers.tick(1);
  t.same(await cluster.leaves(), []);
  t.equal(cluster.logged.length, 1);
  await cluster.stop();
});

t.test('a type that goes while it is asked is no failure, and holds nothing up', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  await leases.subject.create(lease('dependent', ownedBy(owner)));
  await turns(50);
  leases.log.hold();
  await maps.subject.delete('owner');
  await turns(50);
  cluster.endLeases();
  const next = await maps.subject.create(configMap('next'));
  await maps.subject.create(configMap('dependent-of-next', {}, ownedBy(next)));
  await maps.subject.delete('next');
  t.same(await cluster.leaves('dependent'), ['dependent']);
  t.same(cluster.logged, []);
  await cluster.stop();
});

t.test('owners wait for those that block, whose end may take long', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  const finalizers = ['example.com/hold'];
  const blocked = { ...ownedBy(owner, true), finalizers };
  const held = await leases.subject.create(lease('held', blocked));
  await leases.subject.create(lease('quick', ownedBy(owner, true)));
  await leases.subject.create(lease('free', ownedBy(owner)));
  await maps.subject.delete('owner', { propagationPolicy: 'Foreground' });
  t.same(await cluster.leaves('owner', 'held'), ['owner', 'held']);
  const { resourceVersion } = (await leases.subject.get('held')).object.metadata;
  t.not(resourceVersion, held.object.metadata.resourceVersion, 'it was marked');
  await leases.subject.update(lease('held', { ...ownedBy(owner, true), resourceVersion }));
  t.same(await cluster.leaves(), []);
  await cluster.stop();
});

t.test('a start finds what was left undone', async (t) => {
  const before = new Collected();
  const { maps, leases } = before;
  const gone = await maps.subject.create(configMap('gone'));
  const waits = await maps.subject.create(configMap('waits'));
  const leaves = await maps.subject.create(configMap('leaves'));
  const stays = await maps.subject.create(configMap('stays'));
  await leases.subject.create(lease('of-gone', ownedBy(gone)));
  await leases.subject.create(lease('of-leaves', ownedBy(leaves)));
  await leases.subject.create(lease('of-stays', ownedBy(stays)));
  await leases.subject.create(lease('of-waits', ownedBy(waits, true)));
  await maps.subject.delete('gone');
  await maps.subject.delete('waits', { propagationPolicy: 'Foreground' });
  await maps.subject.delete('leaves', { propagationPolicy: 'Orphan' });
  const after = new Collected(before);
  after.start();
  const left = ['stays', 'of-leaves', 'of-stays'];
  t.same(await after.leaves(...left), left);
  const orphan = (await after.leases.subject.get('of-leaves')).object;
  t.equal(orphan.metadata.ownerReferences, undefined);
  await after.stop();
});

t.test('it stops while it waits, and does nothing afterwards', async (t) => {
  const cluster = await collected();
  const { maps, leases } = cluster;
  const owner = await maps.subject.create(configMap('owner'));
  await leases.subject.create(lease('dependent', ownedBy(owner)));
  await turns(50);
  leases.log.hold();
  await maps.subject.delete('owner');
  await turns(50);
  leases.log.fail('no space left');
  await turns(50);
  await cluster.stop();
  mock.timers.tick(GARBAGE_RETRY_MS);
  t.same(await cluster.leaves('dependent'), ['dependent']);
});
