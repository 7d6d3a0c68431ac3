/** The third part of a comparison: seeded random requests of all kinds and verbs, and watches. */
import { MODEL } from '../../test/resources/kind-rules.ts';
import { FuzzCases, type FuzzCase, type FuzzedResource } from '../../test/support/fuzz-cases.ts';
import type { KindCases } from '../../test/support/kind-cases.ts';
import type { TestObject } from '../../test/support/kinds.ts';
import { swapDocument } from '../../src/semantics/dialect/json-edits.ts';
import { Random } from '../../test/support/random.ts';
import { compareEvents, eventsFrom, type EventsFrom } from './compare-events.ts';
import { inClientNames, pathInClientNames } from '../../test/support/requests-in-client-names.ts';
import type { Lane } from './lane.ts';
import { Marks } from './marks.ts';
import { patchWords, PlainRequests } from './plain-requests.ts';

/** After so many requests the events of them are asked for, which takes about a second. */
const REQUESTS_PER_WATCH = 250;

export interface RandomRun {
  readonly seed: number;
  readonly requests: number;
  readonly catalogue: readonly KindCases[];
  readonly includes: (kind: string) => boolean;
  /** The origin that examples name. */
  readonly name: string;
  readonly isEnded: () => boolean;
}

export async function runRandomRequests(lane: Lane, run: RandomRun): Promise<void> {
  const random = new Random(run.seed);
  const scope = { prefix: lane.prefix, namespace: lane.namespace, includes: run.includes };
  const fuzzed = new FuzzCases(MODEL, run.catalogue, random, scope);
  let marks = new Marks();
  let origin = '';
  const read = async (path: string, resource: FuzzedResource): Promise<TestObject> => {
    const { kind } = resource;
    const at = pathInClientNames(path, kind);
    const live = await lane.read({ ...resource, method: 'GET', path: at }, origin, marks);
    // As the generators know it; what they make of it is put into clients' names as a whole.
    return live && JSON.parse(swapDocument(kind, JSON.stringify(live)));
  };
  const plain = new PlainRequests(run.catalogue, random, scope, read);
  let events: EventsFrom | undefined;
  for (let done = 0; done < run.requests && !run.isEnded(); done += 1) {
    if (done % REQUESTS_PER_WATCH === 0) {
      await compareEvents(lane, events, run);
      events = await eventsFrom(lane, random);
    }
    marks = new Marks();
    origin = `${run.name} request ${done}`;
    if (random.below(2) === 0) {
      const { request, what } = await plain.next();
      await lane.send(inClientNames(request), what, origin, marks);
    } else {
      const request = await fuzzed.next(read);
      await lane.send(inClientNames(request), verbOf(request), origin, marks);
    }
  }
  await compareEvents(lane, events, run);
}

/** `patch merge status`, `deletecollection`. */
function verbOf({ method, path, contentType = '', subresource }: FuzzCase): string {
  const [at = ''] = path.split('?');
  const isItem = /\/(?:cmp[^/]*)$/.test(at);
  const verbs: Readonly<Record<string, string>> = {
    GET: 'list',
    POST: 'create',
    PUT: 'update',
    DELETE: isItem ? 'delete' : 'deletecollection',
  };
  if (method === 'PATCH') return patchWords(contentType, subresource);
  return subresource === '' ? (verbs[method] ?? method) : `${verbs[method]} ${subresource}`;
}
