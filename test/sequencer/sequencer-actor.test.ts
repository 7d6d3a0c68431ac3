import t from 'tap';
import { Link } from '../../src/actors/link.ts';
import { VERSION_LEASE_BLOCK } from '../../src/limits.ts';
import { SequencerActor } from '../../src/sequencer/sequencer-actor.ts';
import { SEQUENCER_EVENTS, SEQUENCER_VERBS } from '../../src/protocol/sequencer-protocol.ts';
import type { SequencerCalls, SequencerEvents } from '../../src/protocol/sequencer-protocol.ts';
import { VersionClock } from '../../src/sequencer/version-clock.ts';
import { MemorySettings } from '../../src/storage/memory-store.ts';
import type { Settings } from '../../src/storage/store.ts';
import { newGate, turns } from '../support/gate.ts';
import { MemoryPort } from '../support/memory-port.ts';

type Client = Link<SequencerCalls, SequencerEvents>;

interface Running {
  readonly clock: VersionClock;
  /** The first of the clients. */
  readonly client: Client;
  readonly clients: readonly Client[];
  readonly ended: Promise<void>;
}

/** A sequencer in this thread, once it has told all clients that it has started. */
async function start(settings: Settings, clientCount = 1): Promise<Running> {
  const clock = new VersionClock();
  const channels = Array.from({ length: clientCount }, () => MemoryPort.pair());
  const started: Promise<void>[] = [];
  const clients = channels.map(([port1]) => {
    const gate = newGate();
    started.push(gate.promise);
    return new Link<SequencerCalls, SequencerEvents>({
      peer: 'sequencer',
      port: port1,
      sends: SEQUENCER_VERBS,
      receives: SEQUENCER_EVENTS,
      handlers: { started: () => gate.open() },
    });
  });
  const actor = new SequencerActor({ shared: async () => settings, clock });
  const ended = actor.run(channels.map(([, port2]) => port2));
  try {
    await Promise.race([ended, Promise.all(started)]);
  } catch (error) {
    for (const each of clients) each.close();
    throw error;
  }
  const [client] = clients;
  if (client === undefined) throw new Error('no client');
  return { clock, client, clients, ended };
}

async function stop({ client, clients, ended }: Running): Promise<void> {
  await client.call('stop', undefined);
  await ended;
  for (const each of clients) each.close();
}

/** As a crash: nobody is told, nothing is stored. */
function abandon({ clients }: Running): void {
  for (const each of clients) each.close();
}

/** Settings that can be held back or made to fail. */
class GatedSettings extends MemorySettings {
  gate: () => Promise<void> = () => Promise.resolve();
  readonly stored: string[] = [];

  override async put(name: string, value: string): Promise<void> {
    await this.gate();
    await super.put(name, value);
    this.stored.push(value);
  }
}

t.test('a new store starts above 0, with a block leased', async (t) => {
  const settings = new MemorySettings();
  const running = await start(settings);
  const { clock } = running;
  t.equal(clock.current(), 1, 'the version of an empty list');
  t.equal(clock.leased(), 1 + VERSION_LEASE_BLOCK);
  t.equal(settings.get('highWater'), String(clock.leased()), 'on the disk first');
  t.equal(clock.take(), 2);
  await stop(running);
});

t.test('a clean stop keeps the exact counter', async (t) => {
  const settings = new MemorySettings();
  const first = await start(settings);
  for (let count = 0; count < 10; count++) first.clock.take();
  await stop(first);
  t.equal(settings.get('highWater'), '11');
  const second = await start(settings);
  t.equal(second.clock.current(), 11);
  t.equal(second.clock.take(), 12);
  await stop(second);
});

t.test('after a crash every version is above all that could have been seen', async (t) => {
  const settings = new MemorySettings();
  let seen = 0;
  for (let run = 0; run < 4; run++) {
    const running = await start(settings);
    const { clock } = running;
    t.ok(clock.current() >= seen, `run ${run} shows ${clock.current()}, seen was ${seen}`);
    const taken = clock.take();
    t.ok(taken > seen, `run ${run} takes ${taken}, seen was ${seen}`);
    for (let count = 0; count < 50; count++) clock.take();
    seen = clock.leased();
    abandon(running);
  }
});

t.test('a lease covers what was asked for, and is on the disk before it is told', async (t) => {
  const settings = new MemorySettings();
  const running = await start(settings);
  const atLeast = running.clock.leased() + 5;
  const { limit } = await running.client.call('lease', { atLeast });
  t.ok(limit >= atLeast);
  t.equal(running.clock.leased(), limit);
  t.equal(settings.get('highWater'), String(limit));
  await stop(running);
});

t.test('no version is leased before the mark is stored', async (t) => {
  const settings = new GatedSettings();
  const running = await start(settings);
  const { clock } = running;
  const before = clock.leased();
  const gate = newGate();
  settings.gate = () => gate.promise;
  const leased = running.client.call('lease', { atLeast: before + 1 });
  await turns(5);
  t.equal(clock.leased(), before, 'while the store is busy');
  gate.open();
  t.ok((await leased).limit > before);
  await stop(running);
});

t.test('leases at the same moment share a commit', async (t) => {
  const settings = new GatedSettings();
  const running = await start(settings, 3);
  const atLeast = running.clock.leased() + 1;
  const replies = await Promise.all(
    running.clients.map((client, at) => client.call('lease', { atLeast: atLeast + at })),
  );
  for (const { limit } of replies) t.ok(limit >= atLeast + 2);
  t.equal(settings.stored.length, 2, 'one at the start, one for all of them');
  await stop(running);
});

t.test('a lease that fails is told, and the next one may succeed', async (t) => {
  const settings = new GatedSettings();
  const running = await start(settings);
  const before = running.clock.leased();
  settings.gate = () => Promise.reject(new Error('no space left'));
  const ask = () => running.client.call('lease', { atLeast: before + 1 });
  await t.rejects(ask(), { message: 'no space left' });
  t.equal(running.clock.leased(), before);
  settings.gate = () => Promise.resolve();
  t.ok((await ask()).limit > before);
  await stop(running);
});

t.test('a damaged mark is refused', async (t) => {
  for (const mark of ['', 'x', '-5', '0', '1.5', '1e400', String(2 ** 54)]) {
    const settings = new MemorySettings();
    await settings.put('highWater', mark);
    await t.rejects(start(settings), { name: 'StoreError', message: /damaged/ }, `"${mark}"`);
  }
});
