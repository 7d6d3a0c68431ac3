/** Lists of all forms while others write: each is a state that existed. */
import t from 'tap';
import type { Test } from 'tap';
import { configMap } from '../support/kinds.ts';
import { Random, seedFrom } from '../support/random.ts';
import { newerVersion } from '../support/recorded-history.ts';
import { sharedServer } from '../support/shared-server.ts';
import type { WatchEvent } from '../support/watch-stream.ts';
import {
  createNamespaceOf,
  itemOf,
  joinPages,
  namesOf,
  readAll,
  readPages,
  versionOf,
} from '../support/whole-list.ts';
import type { WholeList } from '../support/whole-list.ts';

const PATH = '/api/v1/namespaces/crowd/configmaps';
const WRITERS = 6;
const READERS = 4;
const ROUNDS = 12;
/** Few, so that each is created, changed and deleted often. */
const NAMES_PER_WRITER = 20;

const seed = seedFrom('LISTS_SEED');
const server = await sharedServer();

/** The text of the items at each of these versions, by the events that a watch has shown. */
function replay(events: readonly WatchEvent[], rvs: readonly number[]): Map<number, string> {
  const present = new Map<string, string>();
  const states = new Map<number, string>();
  let at = 0;
  for (const rv of rvs.toSorted((one, other) => one - other)) {
    for (let event = events[at]; event !== undefined; event = events[at]) {
      const { name, resourceVersion } = event.object.metadata;
      if (Number(resourceVersion) > rv) break;
      const start = `{"type":"${event.type}","object":`;
      if (event.type === 'DELETED') present.delete(name);
      else present.set(name, itemOf(event.raw.slice(start.length, -1)));
      at += 1;
    }
    const names = [...present.keys()].sort();
    states.set(rv, names.map((name) => present.get(name)).join(','));
  }
  return states;
}

interface Run {
  readonly t: Test;
  readonly lists: WholeList[];
  reading: boolean;
}

async function write(run: Run, writer: number): Promise<void> {
  const random = new Random(seed + writer);
  while (run.reading) {
    const name = `w-${random.below(NAMES_PER_WRITER)}-${writer}`;
    const body = configMap(name, { value: `${random.below(1e9)}` });
    let written = await server.put(`${PATH}/${name}`, body);
    if (written.status === 404) written = await server.post(PATH, body);
    else if (random.below(3) === 0) await server.delete(`${PATH}/${name}`);
    const exact = { match: 'Exact', rv: versionOf(written) };
    if (random.below(20) === 0) run.lists.push(await readAll(run.t, server, PATH, exact));
  }
}

async function read({ t, lists }: Run, reader: number): Promise<void> {
  const random = new Random(seed + 1_000 + reader);
  for (let round = 0; round < ROUNDS; round += 1) {
    const limit = 4 + random.below(40);
    const pages = await readPages(t, server, PATH, { limit });
    lists.push(joinPages(t, pages), await readAll(t, server, PATH));
    for (const [at, page] of pages.slice(0, -1).entries()) {
      const after = pages.slice(at + 1).flatMap(namesOf).length;
      t.equal(page.json.metadata.remainingItemCount, after, 'what remains is what came');
    }
    // While older writes of this type are still under way.
    const rv = await newerVersion(server);
    for (const options of [{ rv }, { rv, match: 'NotOlderThan', limit }]) {
      const list = await readAll(t, server, PATH, options);
      t.ok(Number(list.rv) >= Number(rv), `${list.rv} is not older than ${rv}`);
      lists.push(list);
    }
    const exact = await readAll(t, server, PATH, { rv, match: 'Exact', limit });
    t.equal(exact.rv, rv, 'exactly the version asked for');
    lists.push(exact);
  }
}

t.test(
  'every list and every page under many writers is a state that a watch tells of',
  async (t) => {
    t.comment(`LISTS_SEED=${seed}`);
    await createNamespaceOf(server, PATH);
    const watch = await server.watch(`${PATH}?watch=true&resourceVersion=0`);
    const run: Run = { t, lists: [], reading: true };
    const writers = Array.from({ length: WRITERS }, async (_, at) => write(run, at));
    await Promise.all(Array.from({ length: READERS }, async (_, at) => read(run, at)));
    run.reading = false;
    await Promise.all(writers);
    const last = await server.post(PATH, configMap('last'));
    for (let event = await watch.next(); event !== undefined; event = await watch.next()) {
      if (event.object.metadata.resourceVersion === versionOf(last)) break;
    }
    watch.close();
    const rvs = run.lists.map(({ rv }) => Number(rv));
    const states = replay(watch.events, rvs);
    t.ok(new Set(states.values()).size > 20, 'much has changed meanwhile');
    for (const { rv, items } of run.lists) {
      t.ok(items === states.get(Number(rv)), `the list at ${rv} is what the watch tells of it`);
    }
  },
);
