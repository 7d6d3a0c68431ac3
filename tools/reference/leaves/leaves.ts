/**
 * A part of a comparison: every member of every kind with each doubtful value, in an object that is
 * valid without it. All of these requests are dry runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestObject } from '../../../test/support/kinds.ts';
import { removeObject } from '../clean-up.ts';
import type { Lane, LaneRequest } from '../lane.ts';
import { Marks } from '../marks.ts';
import { wayTo, type Way } from './documents.ts';
import { doubtfulValues } from './doubtful-values.ts';
import type { LeafKind, LeafPart } from './leaf-kinds.ts';
import { leafRequest, mergeTextWith, textWith, type Verb } from './leaf-requests.ts';
import { placesOf, placeText, type Place } from './shapes.ts';
import { ValidObjects, type ObjectWithPlace, type Parts } from './valid-objects.ts';

/** Pairs of requests of a lane that are on the way at once. */
const AT_ONCE = 6;
/** Controllers inside of the servers write these after a client has. */
const WRITTEN_LATER: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'APIService']);
const ASK_AGAIN_MS = 200;
const ASKED_MAX = 20;

export interface LeafRun {
  /** The parts inside of objects of all kinds. */
  readonly insides: Parts;
  readonly isEnded: () => boolean;
}

export interface LeafCounts {
  places: number;
  /** Places that no valid object was found with. */
  readonly withoutObject: string[];
  /** Objects that one of the servers did not store, so that nothing of them was changed. */
  notStored: number;
  readonly requests: Record<string, number>;
}

/** Tries all places of a kind; undefined when the other server does not serve it. */
export async function runLeaves(
  lane: Lane,
  kind: LeafKind,
  run: LeafRun,
): Promise<LeafCounts | undefined> {
  const { status } = await lane.servers.theirs.get(kind.path(lane.namespace));
  if (status === 404) return undefined;
  const leaves = new Leaves(lane, kind, run);
  for (const part of kind.parts) await leaves.through(part);
  return leaves.counts;
}

/** `apps/v1 Deployment: 800 places (3 of them in no valid object), create 5000, apply 4800`. */
export function countsText(
  { groupVersion, kind }: LeafKind,
  counts: LeafCounts | undefined,
): string {
  if (counts === undefined) return `${groupVersion} ${kind}: not served there`;
  const { places, withoutObject, notStored } = counts;
  const requests = Object.entries(counts.requests).map(([what, count]) => `${what} ${count}`);
  const without = withoutObject.length > 0 ? ` (${withoutObject.length} in no valid object)` : '';
  const objects = notStored > 0 ? [`${notStored} objects not stored`] : [];
  return [`${groupVersion} ${kind}: ${places} places${without}`, ...requests, ...objects].join(
    ', ',
  );
}

interface Found extends ObjectWithPlace {
  readonly place: Place;
}

class Leaves {
  readonly #lane: Lane;
  readonly #kind: LeafKind;
  readonly #run: LeafRun;
  readonly #collection: string;
  readonly counts: LeafCounts = { places: 0, withoutObject: [], notStored: 0, requests: {} };
  /** Valid, and stored while subresources of it are written. */
  #owner: TestObject;
  /** The versions of the object that is stored. */
  #versions: readonly [ours: string, theirs: string] = ['', ''];

  constructor(lane: Lane, kind: LeafKind, run: LeafRun) {
    this.#lane = lane;
    this.#kind = kind;
    this.#run = run;
    this.#collection = kind.path(lane.namespace);
  }

  /** Tries the places that are written through the part. */
  async through(part: LeafPart): Promise<void> {
    const places = [...placesOf(part.shape)].filter(({ path }) => part.includes(path));
    const { subresource, verbs } = part;
    if (subresource !== '' && !(await this.#store(this.#owner, ''))) return;
    try {
      const found = await this.#objectsWith(places, part);
      if (subresource === '') this.#owner = found.find(({ isValid }) => isValid)?.document;
      if (verbs.includes('create')) {
        await this.#atOnce(found, (one) => {
          return this.#leaf(one, 'create', one.document, one.way, subresource);
        });
      }
      if (!verbs.includes('update')) return;
      for (const [document, of] of Map.groupBy(found, (one) => one.document)) {
        if (this.#run.isEnded()) return;
        await this.#changes(document, of, part);
      }
    } finally {
      if (subresource !== '') await this.#remove(this.#owner);
    }
  }

  async #objectsWith(places: readonly Place[], part: LeafPart): Promise<Found[]> {
    const { prefix, namespace } = this.#lane;
    const candidates = part.candidates(`${prefix}leaf`, namespace);
    const accepts = (document: TestObject): Promise<boolean> => this.#isAccepted(document, part);
    const objects = new ValidObjects(part.shape, candidates, this.#run.insides, accepts);
    const found: Found[] = [];
    for (const place of places) {
      if (this.#run.isEnded()) break;
      const object = await objects.having(place.path);
      this.counts.places += 1;
      if (object?.isValid !== true) this.counts.withoutObject.push(placeText(place.path));
      if (object !== undefined) found.push({ ...object, place });
    }
    return found;
  }

  /** Whether the other server would take it. */
  async #isAccepted(document: TestObject, { subresource, verbs }: LeafPart): Promise<boolean> {
    const verb = verbs.includes('create') ? 'create' : 'update';
    // An object that is stored has to be found again.
    if (verbs.includes('update') && !document.metadata?.name) return false;
    const body = JSON.stringify(verb === 'create' ? document : this.#inVersion(document, 1));
    const { theirs } = this.#lane.servers;
    const { status } = await theirs.ask(this.#request(verb, document, subresource, body));
    return status < 300;
  }

  /** Changes one place after the other of a stored object. */
  async #changes(
    document: TestObject,
    found: readonly Found[],
    { subresource, verbs }: LeafPart,
  ): Promise<void> {
    if (!(await this.#store(document, subresource))) return;
    try {
      const marks = new Marks();
      const live = await this.#live(document, subresource, marks);
      if (live === undefined) return;
      await this.#atOnce(found, async (one) => {
        const { path } = one.place;
        const way = wayTo(live, path) ?? missingWay(live, path);
        const metadata = { ...one.document.metadata, ...live.metadata };
        const [body, at] = way ? [live, way] : [{ ...one.document, metadata }, one.way];
        for (const verb of verbs.filter((other) => other !== 'create')) {
          const isApply = verb === 'apply';
          const ofVerb = isApply ? ([one.document, one.way] as const) : ([body, at] as const);
          await this.#leaf(one, verb, ...ofVerb, subresource, marks);
        }
      });
    } finally {
      if (subresource === '') await this.#remove(document);
    }
  }

  async #leaf(
    { place, document: { metadata } }: Found,
    verb: Verb,
    document: TestObject,
    way: Way,
    subresource: string,
    marks?: Marks,
  ): Promise<void> {
    for (const value of doubtfulValues(place.shape)) {
      if (this.#run.isEnded()) return;
      // It is refused before anything else is looked at.
      if (value.name === 'not UTF-8' && verb !== 'create') continue;
      const text = (verb === 'patch merge' ? mergeTextWith : textWith)(document, way, value);
      if (text === undefined) continue;
      const what = subresource === '' ? verb : `${verb} ${subresource}`;
      const request = this.#request(verb, { metadata }, subresource, text);
      this.counts.requests[what] = (this.counts.requests[what] ?? 0) + 1;
      await this.#lane.look(request, what, `${placeText(place.path)} ← ${value.name}`, marks);
    }
  }

  #request(
    verb: Verb,
    { metadata }: TestObject,
    subresource: string,
    body: string | Buffer,
  ): LaneRequest {
    const name = String(metadata?.name ?? '');
    const at = { collection: this.#collection, name, subresource };
    return leafRequest(verb, this.#kind, at, body);
  }

  /** Whether both servers have it now. */
  async #store(document: TestObject, subresource: string): Promise<boolean> {
    if (document === undefined) return false;
    const verb = subresource === '' ? 'create' : 'update';
    const { ours, theirs } = this.#lane.servers;
    const answers = await Promise.all(
      [ours, theirs].map((server, at) => {
        const body = subresource === '' ? document : this.#inVersion(document, at as 0 | 1);
        const request = this.#request(verb, document, subresource, JSON.stringify(body));
        return server.ask({ ...request, path: request.path.split('?')[0] ?? '' });
      }),
    );
    const [mine, other] = answers.map(({ json }) => json?.metadata?.resourceVersion as string);
    this.#versions = [mine ?? this.#versions[0], other ?? this.#versions[1]];
    if (answers.every(({ status }) => status < 300)) return true;
    this.counts.notStored += 1;
    await this.#remove(document);
    // One of them may have what the other has refused.
    if (subresource !== '') await this.#store(this.#owner, '');
    return false;
  }

  #inVersion(document: TestObject, server: 0 | 1): TestObject {
    const metadata = { ...document.metadata, resourceVersion: this.#versions[server] };
    return { ...document, metadata };
  }

  async #live(document: TestObject, subresource: string, marks: Marks): Promise<TestObject> {
    const { kind, groupVersion } = this.#kind;
    const path = `${this.#item(document)}${subresource && `/${subresource}`}`;
    const request = { kind, groupVersion, subresource, method: 'GET', path };
    if (WRITTEN_LATER.has(kind)) await this.#settled(path);
    const [ours, theirs] = await this.#lane.look(request, 'get', 'an object of the leaves');
    if (ours.status !== 200 || theirs.status !== 200) return undefined;
    return marks.document(ours.json, theirs.json);
  }

  /** Waits until neither server writes it any more. */
  async #settled(path: string): Promise<void> {
    const servers = Object.values(this.#lane.servers);
    let before = '';
    for (let asked = 0; asked < ASKED_MAX; asked += 1) {
      const answers = await Promise.all(servers.map((server) => server.get(path)));
      const versions = answers.map(({ json }) => json?.metadata?.resourceVersion).join(' ');
      if (versions === before) return;
      before = versions;
      await sleep(ASK_AGAIN_MS);
    }
  }

  #item(document: TestObject): string {
    return `${this.#collection}/${encodeURIComponent(document.metadata.name)}`;
  }

  async #remove(document: TestObject): Promise<void> {
    if (document === undefined) return;
    const path = this.#item(document);
    const { ours, theirs } = this.#lane.servers;
    await Promise.all([removeObject(ours, path), removeObject(theirs, path)]);
  }

  /** Some at a time. */
  async #atOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const left = [...items];
    const worker = async (): Promise<void> => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
}

/** To a member that an object does not have. */
function missingWay(document: TestObject, path: readonly string[]): Way | undefined {
  const last = path.at(-1) ?? '';
  if (last === '[]' || last === '{}') return undefined;
  const way = wayTo(document, path.slice(0, -1));
  return way && [...way, last];
}
