/**
 * The history window at work, shortened to a second: old versions leave, the file stays within
 * bounds, and whoever asks for what is in the window gets it, also while versions leave and after
 * crashes in the middle of that.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { forgotten, horizonAbove } from '../support/history-window.ts';
import { CONFIG_MAPS } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const WINDOW_MS = 1_000;
const args = ['--watch-history', `${WINDOW_MS}ms`];
/** Nothing leaves while a test looks at what is left. */
const LONG_WINDOW = { args: ['--watch-history', '5m'] };
const server = await startServer({ test: t, args });
const OBJECTS = 24;
/** Some share a page of the store, some need several in a row. */
const BULK_CHARACTERS = [300, 1_500, 5_000, 11_000];

const UPDATES = 300;
const ROUNDS_MAX = 12;
/** Between two updates of an object where they go on for as long as versions take to leave. */
const UPDATE_PAUSE_MS = 20;

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data: { readonly step: string };
}

function configMap(index: number, step: number): object {
  const bulk = 'x'.repeat(BULK_CHARACTERS[(index + step) % BULK_CHARACTERS.length] ?? 0);
  return { metadata: { name: `object-${index}` }, data: { step: String(step), bulk } };
}

/** Anew: each test begins with them. */
async function createAll(t: Test): Promise<void> {
  await server.delete(CONFIG_MAPS);
  for (let index = 0; index < OBJECTS; index++) {
    const { status } = await server.post(CONFIG_MAPS, configMap(index, 0));
    t.equal(status, 201);
  }
}

/** Updates by one client for each object, until `goesOn` says no. */
async function updateAll(
  server: Server,
  goesOn: (count: number) => boolean,
  pauseMs = 0,
): Promise<void> {
  let count = 0;
  const one = async (index: number): Promise<void> => {
    while (goesOn(count)) {
      count++;
      const answer = await server.put(`${CONFIG_MAPS}/object-${index}`, configMap(index, count));
      if (answer.status !== 200) throw new Error(answer.text.slice(0, 300));
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: OBJECTS }, (_, index) => one(index)));
}

async function listed(server: Server): Promise<{ version: number; items: Item[] }> {
  const { json } = await server.get(CONFIG_MAPS);
  return { version: Number(json.metadata.resourceVersion), items: json.items };
}

function newestOf(items: readonly Item[]): number {
  return Math.max(...items.map(({ metadata }) => Number(metadata.resourceVersion)));
}

function fileBytes(server: Server): number {
  return statSync(join(server.dataDirectory, 'store', 'data.mdb')).size;
}

t.test('updates of the same objects do not grow the file without bound', async (t) => {
  await createAll(t);
  const written = (UPDATES * BULK_CHARACTERS.reduce((a, b) => a + b)) / BULK_CHARACTERS.length;
  const files: number[] = [];
  // Two rounds that find room in what earlier ones have left show next to nothing. The first ones
  // make that room, and so does another where a busy machine was late to drop versions.
  const hasRoom = (): boolean => {
    const [before = 0, , after = Infinity] = files.slice(-3);
    return files.length > 3 && after - before < written / 4;
  };
  while (!hasRoom() && files.length < ROUNDS_MAX) {
    await updateAll(server, (count) => count < UPDATES);
    const newest = newestOf((await listed(server)).items);
    const horizon = await forgotten(server, newest - 1);
    t.equal(horizon, newest, 'all of it has left the window');
    // The last steps may be under way still.
    await sleep(200);
    files.push(fileBytes(server));
  }
  const shown = files.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ');
  t.comment(`${(written / 1e6).toFixed(1)} MB a round left ${shown} MB`);
  t.ok(hasRoom(), `rounds left ${shown} MB`);
});

t.test('what is in the window is there while what is not leaves', async (t) => {
  await createAll(t);
  const first = await listed(server);
  let ended = false;
  const updating = updateAll(server, () => !ended, UPDATE_PAUSE_MS);
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${first.version}`);
  let inWindow = 0;
  let horizon: number | undefined;
  while (horizon === undefined || inWindow < 20) {
    const startedAt = performance.now();
    const then = await listed(server);
    await sleep(20);
    const exact = `resourceVersion=${then.version}&resourceVersionMatch=Exact`;
    const again = await server.get(`${CONFIG_MAPS}?${exact}`);
    const below = await horizonAbove(server, then.version);
    // A machine that pauses for a second may well find it gone.
    if (performance.now() - startedAt < WINDOW_MS) {
      inWindow++;
      t.equal(again.status, 200, again.text.slice(0, 300));
      t.same(again.json.items, then.items, `the state at ${then.version}`);
      t.equal(below, undefined, 'and a watch can start there');
    }
    horizon = await horizonAbove(server, first.version);
  }
  ended = true;
  await updating;
  const { items } = await listed(server);
  const gone = await server.get(
    `${CONFIG_MAPS}?resourceVersion=${first.version}&resourceVersionMatch=Exact`,
  );
  t.match(gone, { status: 410, json: { reason: 'Expired' } });
  checkWatch(t, await eventsUpTo(server, watch, items), first.version, items);
});

type Watch = Awaited<ReturnType<Server['watch']>>;

/** The versions that a watch saw, once it has seen the newest of `items`. */
async function eventsUpTo(server: Server, watch: Watch, items: readonly Item[]) {
  const last = newestOf(items);
  const seen = new Map<number, string>();
  while (!seen.has(last)) {
    const event = await watch.next();
    if (event === undefined) throw new Error(`the watch ended: ${server.stderr}`);
    seen.set(Number(event.object.metadata.resourceVersion), event.object.metadata.name);
  }
  watch.close();
  return seen;
}

/** A watch of all history that there is; it may be cut shorter while one asks where it begins. */
async function watchAll(
  server: Server,
  oldest: number,
): Promise<{ horizon: number; watch: Watch }> {
  for (;;) {
    const horizon = await forgotten(server, oldest);
    const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${horizon}`);
    if (watch.status === 200) return { horizon, watch };
    watch.close();
  }
}

/** In order, and every live version above where it began is among them. */
function checkWatch(
  t: Test,
  seen: ReadonlyMap<number, string>,
  from: number,
  items: readonly Item[],
): void {
  const versions = [...seen.keys()];
  t.ok(
    versions.every((version, at) => version > (versions[at - 1] ?? from)),
    'events are in order',
  );
  for (const { metadata } of items) {
    const version = Number(metadata.resourceVersion);
    if (version > from) t.equal(seen.get(version), metadata.name);
  }
}

t.test('a crash while versions leave loses nothing', async (t) => {
  await createAll(t);
  const acknowledged = Array.from({ length: OBJECTS }, () => 0);
  const sent = Array.from({ length: OBJECTS }, () => 0);
  const { version: oldest } = await listed(server);
  for (let round = 0; round < 2; round++) {
    let crashed = false;
    const write = async (index: number): Promise<void> => {
      while (!crashed) {
        const step = (sent[index] ?? 0) + 1;
        sent[index] = step;
        const path = `${CONFIG_MAPS}/object-${index}`;
        const answer = await server.put(path, configMap(index, step)).catch(() => undefined);
        if (answer?.status === 200) acknowledged[index] = step;
        else if (answer !== undefined || !crashed) t.fail(`update: ${answer?.text}`);
        await sleep(UPDATE_PAUSE_MS);
      }
    };
    const before = (await listed(server)).version;
    const writing = Promise.all(sent.map((_, index) => write(index)));
    // Once the window moves it is about to drop what this round wrote.
    await forgotten(server, before);
    await sleep(100 * round);
    crashed = true;
    await server.kill();
    await writing;
    await server.restart(LONG_WINDOW);

    const { items } = await listed(server);
    t.equal(items.length, OBJECTS);
    for (const { metadata, data } of items) {
      const index = Number(metadata.name.slice('object-'.length));
      const isRight = Number(data.step) >= (acknowledged[index] ?? 0);
      t.ok(isRight && Number(data.step) <= (sent[index] ?? 0), `${metadata.name} at ${data.step}`);
    }
    const { horizon, watch } = await watchAll(server, oldest);
    t.ok(horizon > before, `history begins at ${horizon}`);
    const answer = await server.put(`${CONFIG_MAPS}/object-0`, configMap(0, (sent[0] ?? 0) + 1));
    sent[0] = (sent[0] ?? 0) + 1;
    acknowledged[0] = sent[0];
    t.equal(answer.status, 200);
    const now = (await listed(server)).items;
    checkWatch(t, await eventsUpTo(server, watch, now), horizon, now);
    await server.stop();
    await server.restart({ args });
  }
});

t.end();
