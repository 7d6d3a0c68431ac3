/**
 * Random requests as well-meaning clients send them: objects of the catalogue made, changed and
 * deleted, and all ways to read them. The fuzzer's requests are mostly refused; these are not.
 */
import { catalogueDocument } from '../../test/support/catalogue.ts';
import type { FuzzedResource } from '../../test/support/fuzz-cases.ts';
import type { Change, KindCases } from '../../test/support/kind-cases.ts';
import type { TestObject } from '../../test/support/kinds.ts';
import { oneOf } from '../../test/support/mutate.ts';
import { PATCH_TYPES, type PatchType } from '../../test/support/send-patch.ts';
import type { Random } from '../../test/support/random.ts';
import { collections, type Collection } from './collections.ts';
import type { LaneRequest } from './lane.ts';

type Read = (path: string, resource: FuzzedResource) => Promise<TestObject>;

const NAMES = Array.from({ length: 6 }, (_, index) => `plain-${index}`);
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
export const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const LABEL_SELECTORS = [
  ['l-0=v0', 'l-0', '!l-0', 'l-1!=v1', 'l-0 in (v0,v1),l-1', 'l-0 notin (v1)', 'l-2==v2'],
  ['', 'l-0 in ()', 'l-0=v0,l-0=v1', 'a b', 'l-0>1', 'metadata.name=x', 'l-0 in (v0', 'l_0=-'],
].flat();
const DELETE_QUERIES = [
  ['', '', 'gracePeriodSeconds=0', 'propagationPolicy=Background', 'propagationPolicy=Foreground'],
  ['propagationPolicy=Orphan', 'dryRun=All', 'orphanDependents=true', 'gracePeriodSeconds=30'],
  ['gracePeriodSeconds=-1', 'propagationPolicy=Other', 'dryRun=Some', 'orphanDependents=x'],
].flat();
const WRITE_QUERIES = [
  ['', '', '', '', 'dryRun=All', 'fieldManager=one', 'fieldManager=two', 'fieldValidation=Strict'],
  ['fieldValidation=Warn', 'fieldValidation=Other', 'dryRun=None', 'fieldManager=%0a'],
].flat();
const LIST_QUERIES = [
  ['', 'limit=1', 'limit=2', 'resourceVersion=0', 'limit=-1', 'limit=x', 'watch=false'],
  ['resourceVersion=1&resourceVersionMatch=Exact', 'resourceVersion=x', 'continue=x'],
  ['resourceVersion=0&resourceVersionMatch=NotOlderThan', 'resourceVersionMatch=Exact'],
  ['limit=2&resourceVersion=0', 'resourceVersion=0&resourceVersionMatch=Other', 'pretty=true'],
].flat();
const ITEM_QUERIES = [
  ['', '', '', 'resourceVersion=0', 'resourceVersion=x', 'resourceVersion=99999999999'],
].flat();
const INCLUDES = ['', 'includeObject=None', 'includeObject=Object', 'includeObject=Metadata'];

export interface PlainRequest {
  readonly request: LaneRequest;
  /** `create`, `patch merge status`. */
  readonly what: string;
}

export class PlainRequests {
  readonly #random: Random;
  readonly #prefix: string;
  readonly #read: Read;
  readonly #collections: readonly Collection[];
  readonly #written: readonly (readonly [Collection, KindCases])[];

  constructor(
    catalogue: readonly KindCases[],
    random: Random,
    scope: { prefix: string; namespace: string; includes: (kind: string) => boolean },
    read: Read,
  ) {
    this.#random = random;
    this.#prefix = scope.prefix;
    this.#read = read;
    this.#collections = collections(scope.namespace, scope.includes);
    this.#written = this.#collections.flatMap((collection) =>
      catalogue
        .filter(({ kind, apiVersion }) => {
          return kind === collection.kind && apiVersion === collection.groupVersion;
        })
        .map((cases) => [collection, cases] as const),
    );
  }

  async next(): Promise<PlainRequest> {
    const which = this.#random.below(20);
    if (which < 3) return this.#get();
    if (which < 6) return this.#list();
    const [collection, cases] = oneOf(this.#written, this.#random);
    if (which < 8) return this.#delete(collection, cases);
    return which < 12 ? this.#create(collection, cases) : this.#change(collection, cases);
  }

  #get(): PlainRequest {
    const random = this.#random;
    const collection = oneOf(this.#collections, random);
    const subresource =
      random.below(4) === 0 ? oneOf(['', ...collection.subresources], random) : '';
    const name = `${this.#prefix}${oneOf([...NAMES, 'fuzz-1', 'fuzz-2', 'fuzz-6'], random)}`;
    const [form, accept] = oneOf(
      [
        ['', undefined],
        ['Table', TABLE],
        ['Metadata', METADATA],
      ],
      random,
    );
    const query = form === 'Table' ? oneOf(INCLUDES, random) : oneOf(ITEM_QUERIES, random);
    const path = `${collection.path}/${name}${subresource && `/${subresource}`}${ask(query)}`;
    return {
      request: { ...this.#names(collection, subresource), method: 'GET', path, ...as(accept) },
      what: words('get', form, subresource),
    };
  }

  #list(): PlainRequest {
    const random = this.#random;
    const collection = oneOf(this.#collections, random);
    const forms = [
      ['', undefined],
      ['Table', TABLE],
      ['Metadata', METADATA_LIST],
    ] as const;
    const [form, accept] = oneOf(forms, random);
    const selectors = [
      ['', ''],
      ['labelSelector', oneOf(LABEL_SELECTORS, random)],
      ['fieldSelector', `metadata.name=${this.#prefix}${oneOf(NAMES, random)}`],
      ['fieldSelector', oneOf(['spec.nodeName=', 'status.phase!=Running', 'x=y', 'a'], random)],
    ] as const;
    const [selector, value] = oneOf(selectors, random);
    const query = [
      oneOf(LIST_QUERIES, random),
      selector && `${selector}=${encodeURIComponent(value)}`,
      form === 'Table' ? oneOf(INCLUDES, random) : '',
    ];
    const path = `${collection.path}${ask(query.filter((part) => part !== '').join('&'))}`;
    return {
      request: { ...this.#names(collection), method: 'GET', path, ...as(accept) },
      what: words('list', form, ''),
    };
  }

  #delete(collection: Collection, cases: KindCases): PlainRequest {
    const random = this.#random;
    const query = ask(oneOf(DELETE_QUERIES, random));
    const names = { ...this.#names(collection), method: 'DELETE' };
    if (collection.namespaced && collection.deletable && random.below(6) === 0) {
      const selector = `labelSelector=${encodeURIComponent(oneOf(LABEL_SELECTORS, random))}`;
      const path = `${collection.path}${query === '' ? '?' : `${query}&`}${selector}`;
      return { request: { ...names, path }, what: 'deletecollection' };
    }
    const path = `${this.#pathOf(collection, cases)}${query}`;
    return { request: { ...names, path }, what: 'delete' };
  }

  #create(collection: Collection, cases: KindCases): PlainRequest {
    const document = this.#document(cases);
    const path = `${collection.path}${ask(oneOf(WRITE_QUERIES, this.#random))}`;
    const body = JSON.stringify(document);
    const request = { ...this.#names(collection), method: 'POST', path, body, ...JSON_BODY };
    return { request, what: 'create' };
  }

  /** An update, patch or apply of an object that is there, or of its status. */
  async #change(collection: Collection, cases: KindCases): Promise<PlainRequest> {
    const random = this.#random;
    const { updates = [], statusUpdates = [] } = cases;
    const subresource =
      random.below(4) === 0 ? oneOf(['', ...collection.subresources], random) : '';
    const path = this.#pathOf(collection, cases) + (subresource && `/${subresource}`);
    const rows = subresource === 'status' ? statusUpdates : updates;
    const change = rows.length > 0 && random.below(2) === 0 ? oneOf(rows, random)[2] : {};
    const labels = { metadata: { labels: { [`l-${random.below(3)}`]: `v${random.below(3)}` } } };
    const name = decodeURIComponent(this.#pathOf(collection, cases).split('/').at(-1) ?? '');
    const type = oneOf(['put', 'json', 'merge', 'strategic', 'apply'] as const, random);
    const query = oneOf(WRITE_QUERIES, random);
    const names = this.#names(collection, subresource);
    if (type === 'put') {
      const live = await this.#read(path, names);
      if (live === undefined) return this.#create(collection, cases);
      const body = JSON.stringify(catalogueDocument(cases, name, live, labels, change));
      const request = { ...names, method: 'PUT', path: path + ask(query), body, ...JSON_BODY };
      return { request, what: words('update', '', subresource) };
    }
    const body = patchBody(
      type,
      catalogueDocument(cases, name),
      this.#document(cases),
      change,
      labels,
    );
    const manager = type === 'apply' ? [`fieldManager=${oneOf(['one', 'two'], random)}`] : [];
    const force = type === 'apply' && random.below(2) === 0 ? ['force=true'] : [];
    const isNamed = query.startsWith('fieldManager');
    const parts = [...(isNamed && type === 'apply' ? [] : [query]), ...manager, ...force];
    const at = path + ask(parts.filter((part) => part !== '').join('&'));
    const contentType = PATCH_TYPES[type];
    return {
      request: { ...names, method: 'PATCH', path: at, body: JSON.stringify(body), contentType },
      what: patchWords(contentType, subresource),
    };
  }

  #document(cases: KindCases): TestObject {
    const random = this.#random;
    const name = `${this.#prefix}${oneOf(NAMES, random)}`;
    const rows = cases.updates ?? [];
    const first = rows.length > 0 && random.below(3) === 0 ? oneOf(rows, random)[1] : {};
    const members = random.below(3) === 0 ? [cases.full] : [cases.minimal, first];
    const labels = { metadata: { labels: { [`l-${random.below(3)}`]: `v${random.below(3)}` } } };
    return catalogueDocument(cases, name, ...members, random.below(2) === 0 ? labels : {});
  }

  #pathOf(collection: Collection, cases: KindCases): string {
    const name = `${this.#prefix}${oneOf(NAMES, this.#random)}`;
    const { metadata } = catalogueDocument(cases, name);
    return `${collection.path}/${encodeURIComponent(metadata.name)}`;
  }

  #names({ kind, groupVersion }: Collection, subresource = ''): FuzzedResource {
    return { kind, groupVersion, subresource };
  }
}

const JSON_BODY = { contentType: 'application/json' };

function patchBody(
  type: PatchType,
  names: TestObject,
  document: TestObject,
  change: Change,
  labels: Change,
): unknown {
  if (type === 'apply') {
    const { status: _status, metadata, ...members } = document;
    return { ...members, metadata: { ...metadata, name: names.metadata.name } };
  }
  if (type !== 'json') return { ...labels, ...change };
  const members = Object.entries({ ...labels, ...change });
  return members.map(([name, value]) => {
    const isMetadata = name === 'metadata';
    const labelsOf = (value as { labels?: unknown })?.labels;
    return isMetadata
      ? { op: 'add', path: '/metadata/labels', value: labelsOf ?? {} }
      : { op: 'replace', path: `/${name}`, value: value ?? null };
  });
}

function ask(query: string): string {
  return query === '' ? '' : `?${query}`;
}

function as(accept: string | undefined): { accept?: string } {
  return accept === undefined ? {} : { accept };
}

function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** `patch merge status`, `apply`. */
export function patchWords(contentType: string, subresource: string): string {
  const [type] = Object.entries(PATCH_TYPES).find(([, name]) => name === contentType) ?? [''];
  return words(type === 'apply' ? 'apply' : `patch ${type}`, '', subresource);
}
