/** The events of a while, asked for afterwards: the same changes of the same objects, in order. */
import type { TestObject } from '../../test/support/kinds.ts';
import type { Random } from '../../test/support/random.ts';
import type { Answer } from './api-client.ts';
import { collections } from './collections.ts';
import { documentDifferences, type Difference } from './differences.ts';
import { pathInClientNames } from '../../test/support/requests-in-client-names.ts';
import type { Lane } from './lane.ts';

/** From which version on each server tells them. */
export interface EventsFrom {
  readonly ours: string;
  readonly theirs: string;
  /** Only those of objects with a label. */
  readonly selects: boolean;
}

interface WatchEvent {
  readonly type: string;
  readonly object: TestObject;
}

/** Watches at a time: each holds a connection for a second. */
const WATCHES_MAX = 40;

/** The events from now on, as each server counts; of all objects or of some. */
export async function eventsFrom(lane: Lane, random: Random): Promise<EventsFrom> {
  const path = `/api/v1/namespaces/${lane.namespace}/configmaps?limit=1`;
  const { ours, theirs } = lane.servers;
  const lists = await Promise.all([ours.get(path), theirs.get(path)]);
  const [mine = '', other = ''] = lists.map(({ json }) => String(json?.metadata?.resourceVersion));
  lane.forget();
  return { ours: mine, theirs: other, selects: random.below(4) === 0 };
}

/** Compares the events of all built-in kinds that are included. */
export async function compareEvents(
  lane: Lane,
  from: EventsFrom | undefined,
  { includes, name }: { includes: (kind: string) => boolean; name: string },
): Promise<void> {
  if (from === undefined) return;
  const all = collections(lane.namespace, includes).map((collection) => ({
    ...collection,
    path: pathInClientNames(collection.path, collection.kind),
  }));
  await compareEventsOf(lane, from, all, name);
}

/** Compares the events of these collections, whose paths are in the names of clients. */
export async function compareEventsOf(
  lane: Lane,
  from: EventsFrom,
  all: readonly { kind: string; groupVersion: string; path: string }[],
  name: string,
): Promise<void> {
  for (let at = 0; at < all.length; at += WATCHES_MAX) {
    const watched = all.slice(at, at + WATCHES_MAX).map(async ({ kind, groupVersion, path }) => {
      const selector = from.selects ? '&labelSelector=l-0' : '';
      const watch = (version: string): string =>
        `${path}?watch=true&timeoutSeconds=1&resourceVersion=${version}${selector}`;
      const answers = await Promise.all([
        lane.servers.ours.get(watch(from.ours)),
        lane.servers.theirs.get(watch(from.theirs)),
      ]);
      const shown = answers.map(({ status, text }) => `${status} ${text.slice(0, 1_000)}`);
      lane.findings.add(
        `${groupVersion} ${kind}`,
        'watch',
        eventDifferences(lane, kind, answers),
        () => ({
          origin: `${name} watch`,
          request: `GET ${watch(from.theirs)}`,
          ours: shown[0] ?? '',
          theirs: shown[1] ?? '',
        }),
      );
    });
    await Promise.all(watched);
  }
}

function eventDifferences(
  lane: Lane,
  kind: string,
  [ours, theirs]: readonly [Answer, Answer],
): Difference[] {
  if (ours.status !== theirs.status) return [`code ${ours.status} → ${theirs.status} of a watch`];
  const [left, right] = [ours, theirs].map(({ text }) => eventsOf(text));
  // More has happened since than the server remembers.
  if ([...(left ?? []), ...(right ?? [])].some(({ type }) => type === 'ERROR')) return [];
  const mine = byName(lane, kind, left ?? []);
  const other = byName(lane, kind, right ?? []);
  return [...new Set([...mine.keys(), ...other.keys()])].flatMap((name) => {
    const [ourEvents, theirEvents] = [mine.get(name) ?? [], other.get(name) ?? []];
    const [types, theirTypes] = [ourEvents, theirEvents].map((events) =>
      events.map(({ type }) => type).join(' '),
    );
    if (types !== theirTypes) return [`events ${types || 'none'} → ${theirTypes || 'none'}`];
    return ourEvents.flatMap(({ type, object }, at) =>
      documentDifferences(object, theirEvents[at]?.object).map(
        (difference) => `event ${type} ${difference}`,
      ),
    );
  });
}

function byName(lane: Lane, kind: string, events: WatchEvent[]): Map<string, WatchEvent[]> {
  const told = events.filter(({ type, object }) => {
    const name = String(object?.metadata?.name);
    return type !== 'BOOKMARK' && lane.isOwn(object?.metadata) && !lane.wasApart(kind, name);
  });
  return Map.groupBy(told, ({ object }) => String(object.metadata.name));
}

function eventsOf(text: string): WatchEvent[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as WatchEvent];
    } catch {
      return [];
    }
  });
}
