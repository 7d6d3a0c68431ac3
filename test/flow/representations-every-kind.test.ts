/**
 * Every kind in each of its versions, read in every form.
 */
import t, { type Test } from 'tap';
import type { TestObject } from '../support/kinds.ts';
import {
  type BinaryEvent,
  type BinaryList,
  type BinaryWatch,
  checkBinary,
  JSON_TYPE,
  isMessageOf,
  PROTOBUF,
  readBinaryList,
  readYaml,
  requestBytes,
  versionsOf,
  watchBinary,
  YAML,
  type VersionFacts,
} from '../support/representations.ts';
import { eachServedKind, type ServedKind } from '../support/served-kind.ts';
import { sharedServer } from '../support/shared-server.ts';
import type { WatchEvent, WatchStream } from '../support/watch-stream.ts';

const server = await sharedServer();
const kinds = await eachServedKind(server);
const META = 'g=meta.cluster.io';
const LABELS = { shown: 'yes' };
const SELECTED = 'labelSelector=shown%3Dyes';
const PARTIAL_MESSAGE = 'meta.v1.PartialObjectMetadata';

const tableType = (metaVersion: string, type = JSON_TYPE): string =>
  `${type};as=Table;${META};v=${metaVersion}`;
const partialType = (metaVersion: string, type = JSON_TYPE): string =>
  `${type};as=PartialObjectMetadata;${META};v=${metaVersion}`;

async function read(path: string, accept: string): Promise<Buffer> {
  const { status, headers, bytes } = await requestBytes(server, 'GET', path, { accept });
  if (status !== 200) throw new Error(`${path} ${accept}: ${bytes.toString()}`);
  const type = accept.split(';')[0];
  if (headers['content-type'] !== type) throw new Error(`${accept}: ${headers['content-type']}`);
  return bytes;
}

async function readJson(path: string, accept: string): Promise<TestObject> {
  return JSON.parse((await read(path, accept)).toString()) as TestObject;
}

const partialFacts = (metaVersion: string): VersionFacts => ({
  apiVersion: `meta.cluster.io/${metaVersion}`,
  kind: 'PartialObjectMetadata',
  message: PARTIAL_MESSAGE,
});

/** DaemonSets have it, and no part of their metadata alone. */
const OF_SPEC = 'deprecated.daemonset.template.generation';

function partialOf({ metadata }: TestObject, metaVersion: string): TestObject {
  const { kind, apiVersion } = partialFacts(metaVersion);
  const { annotations, ...rest } = metadata;
  const told = Object.entries(annotations ?? {}).filter(([name]) => name !== OF_SPEC);
  const shown = told.length === 0 ? rest : { ...metadata, annotations: Object.fromEntries(told) };
  return { kind, apiVersion, metadata: shown };
}

interface TestList extends TestObject {
  readonly items: readonly TestObject[];
}

/** The object that rows hold, by the `includeObject` of the request. */
const HELD: Record<string, (object: TestObject, metaVersion: string) => unknown> = {
  None: () => null,
  Metadata: partialOf,
  Object: (object) => object,
};

const COLUMN_MEMBERS = 'description,format,name,priority,type';

/** A Table of rows that hold this; cells are checked where the printers are. */
function checkTable(
  t: Test,
  table: TestObject,
  metaVersion: string,
  held: readonly unknown[],
  what: string,
): void {
  const rows = table['rows'] as { cells: unknown[]; object: unknown }[];
  const columns = table['columnDefinitions'] as object[] | null;
  t.strictSame(
    {
      kind: table.kind,
      apiVersion: table.apiVersion,
      held: rows.map(({ object }) => object),
      widths: rows.map(({ cells }) => (columns === null ? 'untold' : cells.length)),
      columns: new Set(columns?.map((column) => Object.keys(column).sort().join())),
    },
    {
      kind: 'Table',
      apiVersion: `meta.cluster.io/${metaVersion}`,
      held,
      widths: held.map(() => columns?.length ?? 'untold'),
      columns: new Set(columns === null ? [] : [COLUMN_MEMBERS]),
    },
    what,
  );
}

async function checkGet(t: Test, path: string, version: VersionFacts): Promise<void> {
  const object = await readJson(path, JSON_TYPE);
  t.strictSame(readYaml(await read(path, YAML)), object, 'YAML');
  checkBinary(t, await read(path, PROTOBUF), version, object, 'protobuf');
}

/** Checks the same object as metadata only, and as a Table. */
async function checkTransformed(t: Test, path: string): Promise<void> {
  const object = await readJson(path, JSON_TYPE);
  for (const metaVersion of ['v1', 'v1beta1']) {
    const partial = partialOf(object, metaVersion);
    const what = `metadata in ${metaVersion}`;
    t.strictSame(await readJson(path, partialType(metaVersion)), partial, what);
    const binary = await read(path, partialType(metaVersion, PROTOBUF));
    checkBinary(t, binary, partialFacts(metaVersion), partial, what);
    for (const [included, heldOf] of Object.entries(HELD)) {
      const table = await readJson(`${path}?includeObject=${included}`, tableType(metaVersion));
      checkTable(t, table, metaVersion, [heldOf(object, metaVersion)], `${included} in a Table`);
      if (included !== 'None') continue;
      t.strictSame(table.metadata, { resourceVersion: object.metadata.resourceVersion });
    }
  }
  const inYaml = readYaml(await read(path, tableType('v1', YAML)));
  checkTable(t, inYaml, 'v1', [partialOf(object, 'v1')], 'a Table in YAML');
}

/** The pages of a list, of one object each. */
async function pages(path: string, accept: string): Promise<Buffer[]> {
  const first = `${path}?${SELECTED}&limit=1`;
  const { metadata } = await readJson(first, JSON_TYPE);
  const token = metadata['continue'] as string | undefined;
  if (token === undefined) return [await read(first, accept)];
  const second = `${first}&continue=${encodeURIComponent(token)}`;
  return [await read(first, accept), await read(second, accept)];
}

/** Tokens tell the time at which they were made. */
function withListMeta(list: object | undefined): object {
  return { ...list, metadata: listMeta(list ?? {}) };
}

function listMeta(list: object): object {
  const told = 'metadata' in list ? (list.metadata as TestObject['metadata']) : {};
  return 'continue' in told ? { ...told, continue: typeof told['continue'] } : told;
}

/** Whether the items are those of the list in JSON stands in their place. */
function withItemsOf(message: string, list: BinaryList, items: readonly TestObject[]): object {
  const same = list.items.map((bytes, at) => isMessageOf(message, bytes, items[at] ?? {}));
  return { ...withListMeta(list), items: same.length === items.length && !same.includes(false) };
}

async function checkList(
  t: Test,
  path: string,
  version: VersionFacts,
  count: number,
): Promise<void> {
  const { apiVersion, kind, message } = version;
  const json = (await pages(path, JSON_TYPE)).map((page) => JSON.parse(String(page)) as TestList);
  const yaml = (await pages(path, YAML)).map(readYaml);
  const binary = (await pages(path, PROTOBUF)).map((page) => readBinaryList(page));
  const tables = (await pages(path, tableType('v1'))).map((page) => JSON.parse(String(page)));
  t.equal(json.length, count, 'pages');
  for (const [at, page] of json.entries()) {
    const { items } = page;
    const objects = items.map((item) => ({ kind, apiVersion, ...item }));
    t.equal(items.length, 1, `page ${at}`);
    const told = listMeta(page);
    t.strictSame(withListMeta(yaml[at]), withListMeta(page), 'YAML');
    t.strictSame(
      withItemsOf(message, binary[at]!, items),
      {
        apiVersion,
        kind: `${kind}List`,
        metadata: told,
        items: true,
      },
      'protobuf',
    );
    const held = objects.map((object) => partialOf(object, 'v1'));
    checkTable(t, tables[at] as TestObject, 'v1', held, 'Table');
    t.strictSame(listMeta(tables[at] as TestObject), told, 'Table: its metadata');
  }
  for (const metaVersion of ['v1', 'v1beta1']) await checkPartialList(t, path, json, metaVersion);
}

/** Checks the same pages as metadata only. */
async function checkPartialList(
  t: Test,
  path: string,
  whole: readonly TestList[],
  metaVersion: string,
): Promise<void> {
  const kind = 'PartialObjectMetadataList';
  const apiVersion = `meta.cluster.io/${metaVersion}`;
  const parameters = `as=${kind};${META};v=${metaVersion}`;
  const json = (await pages(path, `${JSON_TYPE};${parameters}`)).map((page) => String(page));
  const binary = await pages(path, `${PROTOBUF};${parameters}`);
  for (const [at, page] of whole.entries()) {
    const { items } = page;
    const metadata = listMeta(page);
    const partials = items.map((item) => partialOf(item, metaVersion));
    t.strictSame(
      withListMeta(JSON.parse(json[at] ?? '')),
      { kind, apiVersion, metadata, items: partials },
      `metadata in ${metaVersion}, page ${at}`,
    );
    t.strictSame(
      withItemsOf(
        PARTIAL_MESSAGE,
        readBinaryList(binary[at]!, metaVersion === 'v1' ? 1 : 2),
        partials,
      ),
      {
        apiVersion,
        kind,
        metadata,
        items: true,
      },
      'and in protobuf',
    );
  }
}

/** The events of one watch, as they are held against those in JSON. */
interface Watched {
  readonly what: string;
  readonly watch: WatchStream | BinaryWatch;
  check(t: Test, event: WatchEvent | BinaryEvent, object: TestObject, at: number): void;
}

async function openWatches(path: string, version: VersionFacts): Promise<Watched[]> {
  const binary = async (accept: string, facts: (object: TestObject) => VersionFacts) => {
    const check: Watched['check'] = (t, event, object) => {
      const document = facts(object).message === PARTIAL_MESSAGE ? partialOf(object, 'v1') : object;
      checkBinary(t, event.object as Buffer, facts(object), document, event.type);
    };
    const watch = await watchBinary(server, path, accept);
    return { what: accept, watch, check };
  };
  const text = async (query: string, accept: string, check: Watched['check']) => {
    return { what: accept + query, watch: await server.watch(path + query, { accept }), check };
  };
  const table = (included: string, metaVersion: string): Promise<Watched> => {
    const query = included === '' ? '' : `&includeObject=${included}`;
    return text(query, tableType(metaVersion), (t, event, object, at) => {
      const held = HELD[included || 'Metadata']?.(object, metaVersion);
      const shown = event.object as TestObject;
      checkTable(t, shown, metaVersion, [held], event.type);
      if (included === 'None') t.equal(shown['columnDefinitions'] === null, at > 0, 'columns');
    });
  };
  const partial = (metaVersion: string): Promise<Watched> =>
    text('', partialType(metaVersion), (t, event, object) => {
      t.strictSame(event.object, partialOf(object, metaVersion), event.type);
    });
  return Promise.all([
    binary(`${PROTOBUF};stream=watch`, () => version),
    binary(partialType('v1', PROTOBUF), () => partialFacts('v1')),
    partial('v1'),
    partial('v1beta1'),
    table('', 'v1'),
    table('None', 'v1'),
    table('Object', 'v1beta1'),
  ]);
}

/** The state at the beginning, the bookmark at its end, and a change. */
async function checkWatches(
  t: Test,
  kind: ServedKind,
  version: VersionFacts,
  objects: readonly TestObject[],
): Promise<void> {
  const options =
    'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const path = `${kind.path}?${options}&${SELECTED}`;
  const json = await server.watch(path);
  const others = await openWatches(path, version);
  for (const [at, type] of [...objects.map(() => 'ADDED'), 'BOOKMARK', 'MODIFIED'].entries()) {
    if (type === 'MODIFIED') await annotate(kind, objects[0]!);
    const expected = await json.next();
    t.equal(expected?.type, type, 'JSON');
    for (const { what, watch, check } of others) {
      const event = await watch.next();
      if (event?.type !== type) throw new Error(`${what}: ${event?.type} instead of ${type}`);
      check(t, event, expected?.object as TestObject, at);
    }
  }
  for (const { watch } of [...others, { watch: json }]) watch.close();
}

let changes = 0;

async function annotate(kind: ServedKind, object: TestObject): Promise<void> {
  changes += 1;
  const annotations = { 'example.com/change': String(changes) };
  const { status, text } = await kind.patch(object, 'merge', { metadata: { annotations } });
  if (status !== 200) throw new Error(text);
}

for (const [name, kind] of kinds) {
  await t.test(name, async (t) => {
    const objects = await twoObjects(kind);
    for (const version of versionsOf(kind.cases.apiVersion, kind.cases.kind)) {
      const { apiVersion } = version;
      // Most versions have a file of their own.
      if (apiVersion !== kind.cases.apiVersion && kinds.has(`${apiVersion} ${version.kind}`))
        continue;
      const served = kind.inVersion(apiVersion);
      t.comment(apiVersion);
      for (const object of objects) await checkGet(t, served.pathOf(object), version);
      await checkTransformed(t, served.pathOf(objects[0]!));
      await checkList(t, served.path, version, objects.length);
      await checkWatches(t, served, version, objects);
    }
    for (const object of objects) await kind.remove(object);
  });
}

/** The fullest and the least one; only the first of kinds that have one name for all of them. */
async function twoObjects(kind: ServedKind): Promise<TestObject[]> {
  const labels = { metadata: { labels: LABELS } };
  const documents = [
    kind.document('shown-a', kind.cases.full, labels),
    kind.minimal('shown-b', labels),
  ];
  const names = new Set(documents.map(({ metadata: { name } }) => name));
  const objects: TestObject[] = [];
  for (const document of documents.slice(0, names.size)) {
    const { status, json, text } = await kind.create(document);
    if (status !== 201) throw new Error(text);
    objects.push(json as TestObject);
  }
  return objects;
}
