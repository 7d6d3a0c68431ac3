/**
 * Crashes at random moments under concurrent writes. After each restart every acknowledged write
 * is there with its content and version, what watches and lists have shown is not taken back,
 * and versions neither go back nor repeat. Writes without an answer may be there or not, whole.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import {
  collectionPath,
  kindNamed,
  minimalObject,
  objectPath,
  typePath,
} from '../support/kinds.ts';
import type { KindUnderTest, TestObject } from '../support/kinds.ts';
import { sendPatch } from '../support/send-patch.ts';
import { Random, seedFrom } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import type { Answer, Server } from '../support/server.ts';
import type { WatchStream } from '../support/watch-stream.ts';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 4);
const WRITERS = 12;
const NAMES_PER_WRITER = 5;
const ALIVE_MS_MAX = 350;
const kinds = ['ConfigMap', 'Secret', 'Lease', 'CronJob', 'PersistentVolume'].map(kindNamed);

t.setTimeout((ROUNDS * 10 + 60) * 1_000);

/** The knowledge about one object: each writer has its own names, so nothing else changes it. */
interface Known {
  readonly kind: KindUnderTest;
  readonly name: string;
  /** Body of the last acknowledged write; undefined when it is known to be absent. */
  acknowledged: string | undefined;
  /** A write that was sent and not answered. */
  pending: { readonly stamp: string } | 'delete' | undefined;
}

/** Versions that any client has seen, in any answer. */
class SeenVersions {
  highest = 0;

  add(version: string | number): void {
    this.highest = Math.max(this.highest, Number(version));
  }
}

function digest(stamp: string): string {
  return createHash('sha256').update(stamp).digest('hex').repeat(8);
}

/** An object that can prove that it is whole. */
function stampedObject(kind: KindUnderTest, name: string, stamp: string): TestObject {
  const annotations = { 'example.com/stamp': stamp, 'example.com/digest': digest(stamp) };
  return minimalObject(kind, name, {}, { annotations });
}

/** Undefined where a part of a write is missing: of what it says, or of who says it. */
function stampOf(object: TestObject): string | undefined {
  const { annotations = {}, managedFields = [] } = object?.metadata ?? {};
  const stamp = annotations['example.com/stamp'];
  const whole = typeof stamp === 'string' && annotations['example.com/digest'] === digest(stamp);
  const owners = managedFields.filter(({ fieldsV1 }: TestObject) => {
    const owned = fieldsV1['f:metadata']?.['f:annotations'] ?? {};
    return 'f:example.com/stamp' in owned && 'f:example.com/digest' in owned;
  });
  return whole && owners.length === 1 ? stamp : undefined;
}

interface Round {
  readonly t: Test;
  readonly server: Server;
  readonly seen: SeenVersions;
  crashed: boolean;
}

/** One write to one object; notes what was sent before, and what was answered after. */
async function writeOnce(round: Round, random: Random, known: Known): Promise<void> {
  const { server, seen, t } = round;
  const { kind, name } = known;
  const stamp = `${random.below(2 ** 31)}-${random.below(2 ** 31)}`;
  if (known.acknowledged === undefined) {
    known.pending = { stamp };
    const answer = await server.post(typePath(kind), stampedObject(kind, name, stamp));
    if (answer.status !== 201) t.fail(`create of ${name}: ${answer.text.slice(0, 300)}`);
    else known.acknowledged = answer.text;
  } else if (random.fraction() < 0.25) {
    known.pending = 'delete';
    const answer = await server.delete(objectPath(kind, name));
    if (answer.status !== 200) t.fail(`delete of ${name}: ${answer.text.slice(0, 300)}`);
    else known.acknowledged = undefined;
  } else {
    known.pending = { stamp };
    const answer = await change(server, random, known, stamp);
    if (answer.status !== 200) t.fail(`update of ${name}: ${answer.text.slice(0, 300)}`);
    else known.acknowledged = answer.text;
  }
  known.pending = undefined;
  if (known.acknowledged !== undefined) {
    seen.add(JSON.parse(known.acknowledged).metadata.resourceVersion);
  }
}

/** An update or a patch of any type of an object that is there. */
async function change(
  server: Server,
  random: Random,
  { kind, name, acknowledged = '' }: Known,
  stamp: string,
): Promise<Answer> {
  const path = objectPath(kind, name);
  const object = stampedObject(kind, name, stamp);
  const { annotations } = object.metadata;
  const { resourceVersion } = JSON.parse(acknowledged).metadata;
  const type = random.pick(['update', 'update', 'json', 'merge', 'strategic', 'apply']);
  switch (type) {
    case 'json':
      return sendPatch(server, path, type, [
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
        { op: 'add', path: '/metadata/annotations', value: annotations },
      ]);
    case 'merge':
    case 'strategic':
      return sendPatch(server, path, type, { metadata: { annotations, resourceVersion } });
    case 'apply':
      return sendPatch(server, `${path}?fieldManager=me&force=true`, type, object);
    default:
      object.metadata.resourceVersion = resourceVersion;
      return server.put(path, object);
  }
}

async function write(round: Round, random: Random, mine: readonly [Known]): Promise<void> {
  while (!round.crashed) {
    try {
      await writeOnce(round, random, random.pick(mine));
    } catch (error) {
      if (!round.crashed) round.t.fail(`a request failed before the crash: ${String(error)}`);
      return;
    }
  }
}

async function readLists(round: Round): Promise<void> {
  while (!round.crashed) {
    for (const kind of kinds) {
      const answer = await round.server.get(collectionPath(kind)).catch(() => undefined);
      if (answer === undefined) return;
      round.seen.add(answer.json?.metadata?.resourceVersion ?? 0);
    }
    await sleep(20);
  }
}

/** Checks one object against what is known, and takes over what is really there. */
function reconcile(t: Test, known: Known, body: string | undefined): void {
  const { name, acknowledged, pending } = known;
  const isPending = (): boolean => {
    if (pending === undefined) return false;
    if (pending === 'delete') return body === undefined;
    return body !== undefined && stampOf(JSON.parse(body)) === pending.stamp;
  };
  if (body !== acknowledged && !isPending()) {
    const shown = `${body?.slice(0, 300)} instead of ${acknowledged?.slice(0, 300)}`;
    t.fail(`${name}: ${shown}, pending ${JSON.stringify(pending)}`);
  }
  if (body !== undefined && stampOf(JSON.parse(body)) === undefined) {
    t.fail(`${name} is not whole: ${body.slice(0, 300)}`);
  }
  known.acknowledged = body;
  known.pending = undefined;
}

/** Events of watches were committed: the objects are at least as new afterwards. */
function checkWatches(
  t: Test,
  watches: readonly WatchStream[],
  objects: Map<string, number>,
): void {
  for (const watch of watches) {
    const last = new Map<string, { type: string; version: number }>();
    let previous = 0;
    for (const { type, object } of watch.events) {
      const version = Number(object.metadata.resourceVersion);
      if (version <= previous) t.fail(`watch went from ${previous} to ${version}`);
      previous = version;
      last.set(`${object.kind}/${object.metadata.name}`, { type, version });
    }
    for (const [key, { type, version }] of last) {
      const now = objects.get(key);
      if (type === 'DELETED' ? now !== undefined && now < version : (now ?? Infinity) < version) {
        t.fail(`${key}: watch showed ${type} ${version}, now ${now}`);
      }
    }
  }
}

async function checkAfterCrash(
  round: Round,
  all: readonly Known[],
  watches: readonly WatchStream[],
): Promise<void> {
  const { t, server, seen } = round;
  for (const { events } of watches) {
    for (const { object } of events) seen.add(object.metadata.resourceVersion);
  }
  const objects = new Map<string, number>();
  const versions = new Set<number>();
  for (const kind of kinds) {
    const { json } = await server.get(collectionPath(kind));
    const listVersion = Number(json.metadata.resourceVersion);
    if (listVersion < seen.highest) t.fail(`${kind.plural} at ${listVersion} < ${seen.highest}`);
    const names = new Set<string>();
    for (const item of json.items) {
      const version = Number(item.metadata.resourceVersion);
      if (versions.has(version)) t.fail(`version ${version} is used twice`);
      versions.add(version);
      names.add(item.metadata.name);
      objects.set(`${kind.kind}/${item.metadata.name}`, version);
    }
    for (const known of all.filter((one) => one.kind === kind)) {
      const answer = await server.get(objectPath(kind, known.name));
      if (names.has(known.name) !== (answer.status === 200)) t.fail(`${known.name}: list and get`);
      reconcile(t, known, answer.status === 200 ? answer.text : undefined);
    }
    seen.add(listVersion);
  }
  checkWatches(t, watches, objects);
  const name = `fresh-${seen.highest}`;
  const configMaps = kindNamed('ConfigMap');
  const fresh = await server.post(typePath(configMaps), stampedObject(configMaps, name, name));
  const version = Number(fresh.json?.metadata?.resourceVersion);
  if (!(version > seen.highest)) t.fail(`new version ${version} is not above ${seen.highest}`);
  seen.add(version);
  await server.delete(objectPath(configMaps, name));
}

t.test(`${ROUNDS} crashes under concurrent writes`, async (t) => {
  const seed = seedFrom('CRASH_SEED');
  t.comment(`CRASH_SEED=${seed}`);
  const random = new Random(seed);
  // Each is killed, and each goes on with what the other left.
  const argsOf = (at: number) => ({ args: ['--durability', at % 2 === 0 ? 'relaxed' : 'fsync'] });
  const server = await startServer({ test: t, ...argsOf(1) });
  const seen = new SeenVersions();
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    Array.from({ length: NAMES_PER_WRITER }, (_unused, at) => {
      const kind = kinds[(writer + at) % kinds.length]!;
      return { kind, name: `w${writer}-${at}`, acknowledged: undefined, pending: undefined };
    }),
  ) as unknown as [Known][];

  for (let at = 1; at <= ROUNDS; at += 1) {
    const round: Round = { t, server, seen, crashed: false };
    const from = seen.highest === 0 ? '' : `&resourceVersion=${seen.highest}`;
    const watches = await Promise.all(
      kinds.map(async (kind) => server.watch(`${collectionPath(kind)}?watch=true${from}`)),
    );
    const load = [
      ...writers.map(async (mine, writer) =>
        write(round, new Random(seed + at * 100 + writer), mine),
      ),
      readLists(round),
    ];
    await sleep(20 + random.below(ALIVE_MS_MAX));
    round.crashed = true;
    await server.kill();
    await Promise.all(load);
    const pending = writers.flat().filter((known) => known.pending !== undefined).length;
    const events = watches.reduce((sum, watch) => sum + watch.events.length, 0);
    await server.restart(argsOf(Math.ceil((at + 1) / 2)));
    await checkAfterCrash(round, writers.flat(), watches);
    t.pass(`round ${at}: ${pending} writes cut off, ${events} events seen, at ${seen.highest}`);
  }
});

t.end();
