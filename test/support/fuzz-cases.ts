/** Random requests for every path that takes a body, and for lists and deletions. */
import { messageNamed } from '../../src/codec/model/schema-walk.ts';
import type { SchemaModel } from '../../src/codec/model/schema-model.ts';
import { catalogueDocument } from './catalogue.ts';
import type { KindCases } from './kind-cases.ts';
import type { TestObject } from './kinds.ts';
import { garbage, mutated, oneOf, parseTree, treeOf } from './mutate.ts';
import { documentText, randomObject } from './random-object.ts';
import { randomPatch } from './fuzz-patches.ts';
import type { Random } from './random.ts';
import { SERVED_ROWS } from './served-rows.ts';
import { servedPath, servedResource } from './served-resource.ts';

/** The resource of a path. */
export interface FuzzedResource {
  readonly kind: string;
  readonly groupVersion: string;
  /** `status`; '' for objects and collections themselves. */
  readonly subresource: string;
}

export interface FuzzCase extends FuzzedResource {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly contentType?: string;
}

/** Where the requests go; all kinds and the namespace `default` when nothing else is said. */
export interface FuzzScope {
  /** The prefix of the names of objects. */
  readonly prefix?: string;
  readonly namespace?: string;
  /** Whether requests are made of this kind. */
  readonly includes?: (kind: string) => boolean;
}

interface Collection {
  readonly path: string;
  readonly kind: string;
  readonly groupVersion: string;
}

/** One path that takes bodies. */
interface Target {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** The kind that the path is of, and its version. */
  readonly owner: string;
  readonly groupVersion: string;
  /** The path of the collection in which the object is. */
  readonly path: string;
  /** `/status`; '' for the object itself. */
  readonly suffix: string;
  /** The kind of the body. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: string;
  /** The kind of the body, or that which the subresource belongs to. */
  readonly cases: KindCases | undefined;
}

/** Names that objects of all kinds get: few, so that paths often name something. */
const NAMES = Array.from({ length: 12 }, (_, index) => `fuzz-${index}`);
/** Objects of which no client says who owns them: the server alone does. */
const NAMES_WITHOUT_OWNERS = new Set(NAMES.slice(0, 5));
/** Bodies of operations in the versions of their own. */
const OTHER_VERSIONS: Readonly<Record<string, string>> = {
  Scale: 'autoscaling/v1',
  Eviction: 'policy/v1',
  TokenRequest: 'authentication.cluster.io/v1',
};

const DELETE_OPTIONS = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  gracePeriodSeconds: 0,
  preconditions: { uid: '11111111-1111-4111-8111-111111111111', resourceVersion: '1' },
  orphanDependents: false,
  propagationPolicy: 'Background',
  dryRun: ['All'],
};

const QUERY_VALUES = [
  ['', 'true', 'false', '0', '1', '-1', '99999999999999999999', '1.5', 'x', 'All', 'None'],
  ['Orphan', 'Foreground', 'Background', 'Exact', 'NotOlderThan', 'Strict', 'Warn', 'Ignore'],
  ['a=b', 'a in (b,c)', '!a', 'a,,b', 'a in (', 'a notin ()', 'metadata.name=fuzz-1', '=', '%'],
  ['metadata.namespace!=default', 'spec.nodeName=a\\,b', 'status.phase=', 'eyJ2IjoxfQ', 'é\u0000'],
  ['x'.repeat(2_000), '__proto__', 'a=b\ud83d'],
].flat();
const WRITE_PARAMETERS = [
  ['dryRun', 'fieldManager', 'fieldValidation', 'pretty', 'timeout', 'force', '__proto__'],
].flat();
const LIST_PARAMETERS = [
  ['labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersion'],
  ['resourceVersionMatch', 'timeoutSeconds', 'allowWatchBookmarks', 'sendInitialEvents'],
].flat();
const DELETE_PARAMETERS = [
  ['dryRun', 'gracePeriodSeconds', 'propagationPolicy', 'orphanDependents'],
].flat();

type Parameters = readonly string[];
/** Reads the object at a path, if there is one. */
type Read = (path: string, resource: FuzzedResource) => Promise<TestObject>;

/** Every path of `SERVED_ROWS` that takes bodies of a kind that the schema knows. */
function targets(
  model: SchemaModel,
  catalogue: readonly KindCases[],
  { namespace, includes = () => true }: FuzzScope,
): Target[] {
  return SERVED_ROWS.flatMap(([groupVersion, resource, kind, , verbs]): Target[] => {
    const [plural = '', subresource] = resource.split('/');
    const row = SERVED_ROWS.find(([version, name]) => version === groupVersion && name === plural);
    if (row === undefined || !includes(row[2])) return [];
    const apiVersion = OTHER_VERSIONS[kind] ?? groupVersion;
    const message = messageOf(model, apiVersion, kind);
    if (message === undefined) return [];
    const cases =
      catalogue.find((file) => file.kind === kind && file.apiVersion === groupVersion) ??
      catalogue.find((file) => file.kind === kind);
    const path = servedPath(servedResource(groupVersion, row[2]), namespace);
    const suffix = subresource === undefined ? '' : `/${subresource}`;
    const owner = row[2];
    const base = { path, suffix, owner, groupVersion, apiVersion, kind, message, cases };
    const allowed = verbs === 'all' ? ['create', 'update', 'patch'] : verbsOf(verbs);
    return [
      ...(allowed.includes('create') ? [{ ...base, method: 'POST' as const }] : []),
      ...(allowed.includes('update') ? [{ ...base, method: 'PUT' as const }] : []),
      ...(allowed.includes('patch') ? [{ ...base, method: 'PATCH' as const }] : []),
    ];
  });
}

/** Connections to a node agent have other answers. */
function verbsOf(verbs: string): readonly string[] {
  return verbs.startsWith('connect:') ? [] : verbs.split(',');
}

function messageOf(model: SchemaModel, apiVersion: string, kind: string): string | undefined {
  const [group = '', version = ''] = apiVersion.includes('/')
    ? apiVersion.split('/')
    : ['core', apiVersion];
  const name = `${group.split('.')[0]}.${version}.${kind}`;
  if (model.messages[name] !== undefined) return messageNamed(model, name).name;
  return Object.keys(model.messages).findLast((other) => other.endsWith(`.${kind}`));
}

/** Whether nobody but the server says who owns what of this object. */
export function hasServersOwners({ metadata }: TestObject): boolean {
  const names = [metadata.name, String(metadata.name).split('.')[0]];
  return names.some((name) => NAMES_WITHOUT_OWNERS.has(name));
}

function withoutOwners(object: TestObject): TestObject {
  if (object?.metadata === undefined) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: undefined } };
}

/** Without the member wherever it stands: mutations may have put it anywhere. */
function textWithoutOwners(text: string): string {
  return text.replaceAll('"managedFields"', '"managed"');
}

export class FuzzCases {
  readonly #model: SchemaModel;
  readonly #random: Random;
  readonly #prefix: string;
  readonly #targets: readonly Target[];
  readonly #collections: readonly Collection[];

  constructor(
    model: SchemaModel,
    catalogue: readonly KindCases[],
    random: Random,
    scope: FuzzScope = {},
  ) {
    this.#model = model;
    this.#random = random;
    this.#prefix = scope.prefix ?? '';
    this.#targets = targets(model, catalogue, scope);
    this.#collections = this.#targets
      .filter(({ suffix }) => suffix === '')
      .map(({ path, owner, groupVersion }) => ({ path, kind: owner, groupVersion }));
  }

  /** The next request. `read` gets what is at a path now, if anything, to be written again. */
  async next(read: Read): Promise<FuzzCase> {
    const random = this.#random;
    const which = random.below(20);
    if (which === 0) return this.#list();
    if (which < 4) return this.#deletion();
    return this.#write(oneOf(this.#targets, random), read);
  }

  #list(): FuzzCase {
    const { path, ...names } = oneOf(this.#collections, this.#random);
    const query = this.#query(LIST_PARAMETERS, 3);
    return { ...names, subresource: '', method: 'GET', path: `${path}${query}` };
  }

  #deletion(): FuzzCase {
    const random = this.#random;
    const { path: collection, ...names } = oneOf(this.#collections, random);
    const isOfAll = collection.includes('/namespaces/') && random.below(8) === 0;
    const path = isOfAll ? collection : `${collection}/${this.#name()}`;
    const deletion = { ...names, subresource: '', method: 'DELETE' };
    if (random.below(2) === 0) {
      const parameters = isOfAll ? [...DELETE_PARAMETERS, ...LIST_PARAMETERS] : DELETE_PARAMETERS;
      return { ...deletion, path: `${path}${this.#query(parameters, 3)}` };
    }
    return { ...deletion, path, ...this.#body(mutated(treeOf(DELETE_OPTIONS), random)) };
  }

  async #write(target: Target, read: Read): Promise<FuzzCase> {
    const random = this.#random;
    const { method, path, suffix, cases, owner, groupVersion } = target;
    const resource = { kind: owner, groupVersion, subresource: suffix.slice(1) };
    const request = { ...resource, method };
    const plainName = oneOf(NAMES, random);
    const name = `${this.#prefix}${plainName}`;
    const base = catalogueDocument(cases ?? NO_CASES, name, {});
    const isItem = method !== 'POST' || suffix !== '';
    const item = `${path}/${encodeURIComponent(base.metadata.name)}`;
    const at = `${isItem ? item : path}${suffix}`;
    // An object with the name and the version of what is there gets further than others.
    const shown = method !== 'POST' && random.below(4) > 0 ? await read(at, resource) : undefined;
    const namesOwners = !NAMES_WITHOUT_OWNERS.has(plainName);
    const live = namesOwners ? shown : withoutOwners(shown);
    const written = this.#document(target, base, live);
    const text = namesOwners ? written : textWithoutOwners(written);
    if (method === 'PATCH') {
      const { apiVersion, kind } = target;
      const material = { text, live, apiVersion, kind, name: base.metadata.name, namesOwners };
      const { body, contentType, parameters } = randomPatch(random, material);
      const query = new URLSearchParams();
      for (const [key, value] of parameters) query.append(key, value);
      const more = random.below(6) === 0 ? this.#query(WRITE_PARAMETERS, 2).slice(1) : '';
      return { ...request, path: `${at}?${query.toString()}&${more}`, body, contentType };
    }
    const body = random.below(30) === 0 ? garbage(text, random) : text;
    const query = random.below(4) === 0 ? this.#query(WRITE_PARAMETERS, 2) : '';
    return { ...request, path: `${at}${query}`, ...this.#body(body) };
  }

  #document(target: Target, base: TestObject, live: TestObject): string {
    const random = this.#random;
    const { apiVersion, kind, message, cases } = target;
    const { name } = base.metadata;
    if (cases === undefined || random.below(3) === 0) {
      const object = randomObject(this.#model, message, random, {
        depth: 2 + random.below(5),
        bigints: true,
      });
      const resourceVersion = live?.metadata?.resourceVersion ?? '';
      const metadata = { ...(object['metadata'] as object), name, namespace: '', resourceVersion };
      const isOwn = random.below(10) === 0;
      const whole = { ...object, apiVersion, kind, ...(!isOwn && { metadata }) };
      return random.below(2) === 0
        ? documentText(whole)
        : mutated(parseTree(documentText(whole)), random, 2);
    }
    const { minimal, full, updates = [], statusUpdates = [] } = cases;
    const changes = [...updates, ...statusUpdates].flatMap(([, first, second]) => [first, second]);
    const members = oneOf([minimal, full, ...changes], random);
    const asRead = live !== undefined && random.below(2) === 0;
    const laid = asRead ? [live] : [live ?? {}, minimal, members];
    const document = catalogueDocument(cases, name, ...laid);
    const { metadata } = document;
    // Its own name and version most of the time; else every other body is refused for them.
    const text = mutated(treeOf({ ...document, apiVersion, kind }), random);
    if (random.below(4) === 0) return text;
    const { resourceVersion } = live?.metadata ?? {};
    const ends = JSON.stringify({ metadata: { ...metadata, resourceVersion } });
    return text.startsWith('{"') ? `${text.slice(0, -1)},${ends.slice(1)}` : text;
  }

  #name(): string {
    return `${this.#prefix}${oneOf(NAMES, this.#random)}`;
  }

  #body(body: string | Buffer): Pick<FuzzCase, 'body' | 'contentType'> {
    const isYaml = this.#random.below(8) === 0;
    return { body, contentType: isYaml ? 'application/yaml' : 'application/json' };
  }

  #query(names: Parameters, count: number): string {
    const random = this.#random;
    const query = new URLSearchParams();
    for (let done = 0; done <= random.below(count); done += 1) {
      query.append(oneOf(names, random), oneOf(QUERY_VALUES, random));
    }
    return `?${query.toString()}`;
  }
}

const NO_CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Other',
  minimal: {},
  minimalStored: {},
  full: {},
  invalid: [],
};
