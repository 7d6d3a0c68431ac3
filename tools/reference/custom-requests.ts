/** Random requests for objects of a custom type: made by its schema, and then often broken. */
import { randomPatch } from '../../test/support/fuzz-patches.ts';
import { mutated, oneOf, parseTree } from '../../test/support/mutate.ts';
import type { TestObject } from '../../test/support/kinds.ts';
import { documentText } from '../../test/support/random-object.ts';
import type { Random } from '../../test/support/random.ts';
import type { LaneRequest } from './lane.ts';
import { METADATA, METADATA_LIST, patchWords, TABLE, type PlainRequest } from './plain-requests.ts';
import type { DefinitionDocument, SchemaJson } from './public-definitions.ts';
import { schemaValue } from './schema-objects.ts';

/** A served version of a custom type. */
export interface CustomCollection {
  readonly kind: string;
  readonly groupVersion: string;
  /** In the names of clients. */
  readonly path: string;
  readonly schema: SchemaJson;
  readonly hasScale: boolean;
}

/** Reads the object at a path, if there is one. */
type Read = (path: string) => Promise<TestObject>;

const NAMES = Array.from({ length: 5 }, (_, index) => `custom-${index}`);
const WRITE_QUERIES = ['', '', '', '', 'dryRun=All', 'fieldManager=one', 'fieldManager=two'];
const LIST_QUERIES = ['', '', 'limit=1', 'resourceVersion=0', 'labelSelector=l-0', 'limit=2'];
const SUBRESOURCES = ['status', 'status', 'scale'];

/** The versions in which a definition serves its objects. */
export function servedCollections(
  { spec }: DefinitionDocument,
  namespace: string,
): CustomCollection[] {
  const { group, names, scope, versions } = spec;
  const within = scope === 'Namespaced' ? `/namespaces/${namespace}` : '';
  return versions
    .filter(({ served }) => served)
    .map(({ name, schema, subresources }) => ({
      kind: names.kind,
      groupVersion: `${group}/${name}`,
      path: `/apis/${group}/${name}${within}/${names.plural}`,
      schema: schema?.openAPIV3Schema ?? {},
      hasScale: subresources?.scale !== undefined,
    }));
}

export class CustomRequests {
  readonly #random: Random;
  readonly #prefix: string;
  readonly #read: Read;

  constructor(random: Random, prefix: string, read: Read) {
    this.#random = random;
    this.#prefix = prefix;
    this.#read = read;
  }

  async next(of: CustomCollection): Promise<PlainRequest> {
    const which = this.#random.below(20);
    if (which < 2) return this.#get(of);
    if (which < 4) return this.#list(of);
    if (which < 6) return this.#delete(of);
    if (which < 12) return this.#create(of);
    return which < 15 ? this.#update(of) : this.#patch(of);
  }

  #create(of: CustomCollection): PlainRequest {
    const body = this.#text(of, this.#name());
    const path = `${of.path}${this.#writeQuery()}`;
    return { request: { ...names(of), method: 'POST', path, ...this.#body(body) }, what: 'create' };
  }

  async #update(of: CustomCollection): Promise<PlainRequest> {
    const name = this.#name();
    const subresource = this.#subresource(of);
    const at = `${of.path}/${name}${subresource && `/${subresource}`}`;
    const live = await this.#read(at);
    const version = live?.metadata?.resourceVersion;
    const isScale = subresource === 'scale' && live !== undefined;
    const text = isScale
      ? JSON.stringify({ ...live, spec: { replicas: this.#random.below(9) - 1 } })
      : this.#text(of, name, version === undefined ? {} : { resourceVersion: version });
    const path = `${at}${this.#writeQuery()}`;
    const request = { ...names(of, subresource), method: 'PUT', path, ...this.#body(text) };
    return { request, what: `update ${subresource}`.trim() };
  }

  async #patch(of: CustomCollection): Promise<PlainRequest> {
    const random = this.#random;
    const name = this.#name();
    const subresource = this.#subresource(of);
    const at = `${of.path}/${name}${subresource && `/${subresource}`}`;
    const live = await this.#read(at);
    const isScale = subresource === 'scale';
    const text = isScale ? scaleText(name, random) : this.#text(of, name);
    const { body, contentType, parameters } = randomPatch(random, {
      text,
      live,
      apiVersion: isScale ? 'autoscaling/v1' : of.groupVersion,
      kind: isScale ? 'Scale' : of.kind,
      name,
      namesOwners: random.below(4) === 0,
    });
    const query = new URLSearchParams(Object.fromEntries(parameters));
    const path = `${at}?${query.toString()}`;
    const request = { ...names(of, subresource), method: 'PATCH', path, body, contentType };
    return { request, what: patchWords(contentType, subresource) };
  }

  #get(of: CustomCollection): PlainRequest {
    const [form, accept] = oneOf(FORMS, this.#random);
    const subresource = form === '' ? this.#subresource(of) : '';
    const path = `${of.path}/${this.#name()}${subresource && `/${subresource}`}`;
    const request = { ...names(of, subresource), method: 'GET', path, ...as(accept) };
    return { request, what: `get ${form}${subresource}`.trim() };
  }

  #list(of: CustomCollection): PlainRequest {
    const [form, , accept] = oneOf(FORMS, this.#random);
    const query = oneOf(LIST_QUERIES, this.#random);
    const path = `${of.path}${query && `?${query}`}`;
    return {
      request: { ...names(of), method: 'GET', path, ...as(accept) },
      what: `list ${form}`.trim(),
    };
  }

  #delete(of: CustomCollection): PlainRequest {
    const isMany = this.#random.below(8) === 0;
    const path = isMany ? `${of.path}?labelSelector=l-0` : `${of.path}/${this.#name()}`;
    const request = { ...names(of), method: 'DELETE', path };
    return { request, what: isMany ? 'deletecollection' : 'delete' };
  }

  /** JSON of an object; half of them are changed in places. */
  #text({ groupVersion, kind, schema }: CustomCollection, name: string, more: object = {}): string {
    const random = this.#random;
    const {
      apiVersion: _version,
      kind: _kind,
      metadata: _metadata,
      ...members
    } = schemaValue(schema, random) as Record<string, unknown>;
    const own = documentText({ ...members });
    const isBroken = random.below(2) === 0 && own !== '{}';
    const parts = isBroken ? mutated(parseTree(own), random) : own;
    const labels = { [`l-${random.below(3)}`]: `v${random.below(3)}` };
    const metadata = { name, ...more, ...(random.below(2) === 0 && { labels }) };
    const start = JSON.stringify({ apiVersion: groupVersion, kind, metadata });
    const isOdd = random.below(20) === 0;
    const head = isOdd ? mutated(parseTree(start), random, 1) : start;
    const isObject = parts.startsWith('{"') && head.startsWith('{"');
    return isObject ? `${head.slice(0, -1)},${parts.slice(1)}` : head;
  }

  #subresource({ hasScale }: CustomCollection): string {
    if (this.#random.below(3) > 0) return '';
    const found = oneOf(SUBRESOURCES, this.#random);
    return found === 'scale' && !hasScale && this.#random.below(8) > 0 ? '' : found;
  }

  #name(): string {
    return `${this.#prefix}${oneOf(NAMES, this.#random)}`;
  }

  #writeQuery(): string {
    const query = oneOf(WRITE_QUERIES, this.#random);
    return query && `?${query}`;
  }

  #body(body: string): { body: string; contentType: string } {
    const isYaml = this.#random.below(12) === 0;
    return { body, contentType: isYaml ? 'application/yaml' : 'application/json' };
  }
}

const FORMS = [
  ['', undefined, undefined],
  ['Table', TABLE, TABLE],
  ['Table', TABLE, TABLE],
  ['Metadata', METADATA, METADATA_LIST],
] as const;

function scaleText(name: string, random: Random): string {
  const document = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name },
    spec: { replicas: random.below(9) - 1 },
  };
  return JSON.stringify(document);
}

function names(
  { kind, groupVersion }: CustomCollection,
  subresource = '',
): Pick<LaneRequest, 'kind' | 'groupVersion' | 'subresource'> {
  return { kind, groupVersion, subresource };
}

function as(accept: string | undefined): { accept?: string } {
  return accept === undefined ? {} : { accept };
}
