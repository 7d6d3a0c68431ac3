/** Clients that change definitions while others use their types: one stays, one comes and goes. */
import type { TestObject } from '../support/kinds.ts';
import { typePath } from '../support/kinds.ts';
import {
  ANYTHING,
  customDefinition,
  DEFINITIONS,
  established,
  versionsOf,
} from '../support/custom-types.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import type { Random } from '../support/random.ts';
import { PATCH_TYPES } from '../support/send-patch.ts';
import type { Answer } from '../support/server.ts';
import { customKind, GROUP } from './custom-kinds.ts';
import { NAMESPACES, pause, repeat } from './live-run.ts';
import type { LiveRun } from './live-run.ts';
import { openWatch, type StreamedEvent } from './watch-connection.ts';

const MERGE = { 'content-type': PATCH_TYPES.merge };
const OBJECTS_MAX = 4;

const GADGET = customKind('Gadget', 'v1');
const WIDGET_DEFINITION = customDefinition(GROUP, 'Widget', versionsOf(['v1', 'v2'], 'v1'));
const GADGET_DEFINITION = customDefinition(GROUP, 'Gadget');

export async function defineWidgets(run: LiveRun): Promise<void> {
  await established(run.server, WIDGET_DEFINITION);
}

/**
 * Changes a definition in all that concerns no object: its columns, descriptions and members, a
 * version more or less, one that is not served, and which one is stored.
 */
export async function definer(run: LiveRun, random: Random): Promise<void> {
  const path = `${DEFINITIONS}/${WIDGET_DEFINITION.metadata.name}`;
  await repeat(run, async () => {
    await pause(run, 20 + random.below(200));
    await run.whenUp();
    const columns = ['.metadata.name', '.data.filler'].slice(random.below(3));
    const members = Array.from({ length: random.below(40) }, (_, at) => [`member-${at}`, ANYTHING]);
    const schema = { ...ANYTHING, properties: Object.fromEntries(members) as object };
    const versions = versionsOf(['v1', 'v2', 'v3'], random.pick(['v1', 'v2']), {
      schema: { openAPIV3Schema: schema },
      additionalPrinterColumns: columns.map((jsonPath) => ({
        name: jsonPath.slice(1),
        type: 'string',
        jsonPath,
      })),
    });
    const last = random.below(3);
    if (last === 0) versions.pop();
    if (last === 1) versions[2]!.served = false;
    run.record({ record: 'redefinition', type: 'Widget', start: run.now() });
    const answer = await run.ask('PATCH', path, { spec: { versions } }, MERGE);
    if (answer !== undefined && answer.status !== 200) {
      throw new Error(`a change of a definition was answered ${answer.text}`);
    }
  });
}

/** Demands a truth about a type that comes and goes, as a step found it. */
function demand(isTrue: boolean, what: string, answer?: Answer): void {
  if (!isTrue) throw new Error(`${what}: ${answer?.status} ${answer?.text.slice(0, 1_000)}`);
}

class Cut extends Error {}

/** An answer; the step ends where the server does. */
async function sure(run: LiveRun, ...request: Parameters<LiveRun['ask']>): Promise<Answer> {
  const answer = await run.ask(...request);
  if (answer === undefined || answer.status === 503) throw new Cut();
  return answer;
}

/** Defines a type, uses it, and deletes the definition with its objects, again and again. */
export async function flapper(run: LiveRun, random: Random): Promise<void> {
  const path = `${DEFINITIONS}/${GADGET_DEFINITION.metadata.name}`;
  const objects = new Map<string, string>();
  let uid = '';
  await repeat(run, async () => {
    try {
      const found = await sure(run, 'GET', path);
      if (found.status === 404) {
        objects.clear();
        const made = await sure(run, 'POST', DEFINITIONS, GADGET_DEFINITION);
        demand(made.status === 201, 'a definition that has gone can be made anew', made);
        uid = made.json.metadata.uid;
      } else if (found.json.metadata.uid !== uid) {
        // Its creation was cut off.
        objects.clear();
        uid = found.json.metadata.uid;
      }
      if (found.json?.metadata?.deletionTimestamp === undefined) {
        await awaited(run, path, ({ json }) => isEstablished(json));
        await useGadgets(run, random, objects, path);
      }
      await awaited(run, path, ({ status }) => status === 404);
      const { status } = await sure(run, 'GET', typePath(GADGET, NAMESPACES[0]));
      demand(status === 404, 'a type without a definition is not served');
      objects.clear();
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
    }
    await pause(run, random.below(50));
  });
}

function isEstablished({ status }: TestObject): boolean {
  const conditions: { type: string; status: string }[] = status?.conditions ?? [];
  return conditions.some((one) => one.type === 'Established' && one.status === 'True');
}

async function awaited(
  run: LiveRun,
  path: string,
  isThere: (answer: Answer) => boolean,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await sure(run, 'GET', path);
    if (isThere(answer)) return;
    demand(performance.now() < deadline, 'it did not come about', answer);
    if (run.isFinishing) throw new Cut();
    await pause(run, 5);
  }
}

/**
 * `objects` are those that were acknowledged since the definition was made, with their versions.
 */
async function useGadgets(
  run: LiveRun,
  random: Random,
  objects: Map<string, string>,
  definition: string,
): Promise<void> {
  const all = await sure(run, 'GET', `/apis/${GADGET.apiVersion}/${GADGET.plural}`);
  demand(all.status === 200, 'an established type is served', all);
  const shown = new Map<string, string>(
    all.json.items.map(({ metadata }: TestObject) => [metadata.name, metadata.resourceVersion]),
  );
  for (const [name, version] of objects) {
    demand(shown.get(name) === version, `${name} of version ${version} is still there`, all);
  }
  const events: StreamedEvent[] = [];
  const from: string = all.json.metadata.resourceVersion;
  const watched = `/apis/${GADGET.apiVersion}/${GADGET.plural}?watch=true&resourceVersion=${from}`;
  const watch = await openWatch(run.server, watched, (event) => events.push(event)).catch(() => {
    throw new Cut();
  });
  try {
    if (watch.status === 503) throw new Cut();
    demand(watch.status === 200, `and may be watched, not ${watch.status}`);
    for (let count = random.below(OBJECTS_MAX + 1); count > 0; count -= 1) {
      const metadata = { generateName: 'gadget-' };
      const body = { apiVersion: GADGET.apiVersion, kind: GADGET.kind, metadata };
      const made = await sure(run, 'POST', typePath(GADGET, random.pick(NAMESPACES)), body);
      demand(made.status === 201, 'objects can be made', made);
      objects.set(made.json.metadata.name, made.json.metadata.resourceVersion);
      shown.set(made.json.metadata.name, made.json.metadata.resourceVersion);
    }
    await pause(run, random.below(60));
    const gone = await sure(run, 'DELETE', definition);
    demand(gone.status === 200, 'a definition can be deleted', gone);
    await Promise.race([watch.ended, patience(run)]);
    demand(watch.isEnded, 'the watch of a type that goes ends');
    // A server that ended meanwhile ended the watch as well.
    await sure(run, 'GET', definition);
    const deleted = events.filter(({ type }) => type === 'DELETED');
    const names = deleted.map(({ object }) => object.metadata.name as string);
    demand(
      names.toSorted().join() === [...shown.keys()].toSorted().join(),
      `each object is deleted once before it: ${names.join()} of ${[...shown.keys()].join()}, ` +
        `in ${events.length} events from ${from}`,
    );
    const versions = events.map(({ object }) => Number(object.metadata?.resourceVersion));
    demand(
      versions.every((version, at) => at === 0 || version > versions[at - 1]!),
      `versions rise: ${versions.join()}`,
    );
  } finally {
    watch.close();
  }
}

/** Resolves when nobody waits any longer. */
async function patience(run: LiveRun): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (run.isUp && !run.isSettled && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (performance.now() < deadline) throw new Cut();
}
