/**
 * Random valid objects of every kind come back as they were answered, wherever they are read, in
 * every version and in both encodings; and writing what was read changes nothing.
 */
import t, { type Test } from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { NEUTRAL } from '../../src/semantics/dialect/dialect.ts';
import { MODEL } from '../resources/kind-rules.ts';
import type { Change } from '../support/kind-cases.ts';
import type { TestObject } from '../support/kinds.ts';
import { Random, seedFrom } from '../support/random.ts';
import { versionsOf } from '../support/representations.ts';
import { servedPath, servedResource } from '../support/served-resource.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { servedKinds, type ServedKind } from '../support/served-kind.ts';
import { eventOf } from '../support/watch-events.ts';
import type { WatchStream } from '../support/watch-stream.ts';
import { itemOf, itemsOf } from '../support/whole-list.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';

const SEED = seedFrom('ROUND_TRIP_SEED');
/** Objects of each kind. */
const RUNS = 4;

// All kinds, one after the other.
const random = new Random(SEED);
const server = await sharedServer();
const kinds = await servedKinds(server, process.argv.slice(2));
let sent = 0;
let accepted = 0;

/** Members of `full`, each with this chance, and of the members of these. */
function someOf(members: Change, chance: number): Change {
  const kept = Object.entries(members).filter(() => random.fraction() < chance);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isObject(value) ? someOf(value, chance) : value]),
  );
}

function isObject(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const KEYS = ['a', 'app', 'cluster.io/name', 'example.com/a_b.c', 'Z9'] as const;
const LABEL_VALUES = ['', 'a', 'web-1', 'A.b_c-9', 'x'.repeat(63)] as const;
const TEXTS = [
  '',
  '<&>',
  '{"a": [1]}',
  'naïve 日本語 \u{1f600}',
  'tab\tline\n\u2028\u0007"\\',
] as const;

function someMetadata(): Change {
  const some = (values: readonly [string, ...string[]]): Change =>
    Object.fromEntries(
      KEYS.filter(() => random.below(4) === 0).map((key) => [key, random.pick(values)]),
    );
  return { labels: some(LABEL_VALUES), annotations: some(TEXTS) };
}

/** Both encodings of a document hold the same. */
function checkCodecs(t: Test, message: string, { text }: Answer): void {
  const json = compileJsonCodec(MODEL, message);
  const protobuf = compileProtobufCodec(MODEL, message);
  const { object } = json.decode(text);
  // Translated, names stand where those of the other dialect stood in their order.
  if (SERVER_DIALECT === NEUTRAL) {
    t.ok(text.includes(json.encode(object)), 'JSON as it is decoded and encoded again');
  }
  const back = json.encode(protobuf.decode(protobuf.encodeObject(object)));
  const expected = json.encode(object);
  // A list that is always written has no bytes when it is empty.
  if (!hasFreeSchemas(message)) t.equal(withoutEmpty(back), withoutEmpty(expected), 'protobuf');
  else t.strictSame(JSON.parse(`{${back}`), JSON.parse(`{${expected}`), 'and through protobuf');
}

const withoutEmpty = (text: string): string => text.replaceAll(/:(?:\[\]|\{\})/g, ':null');

/** JSON keeps some of their schemas as they were sent; protobuf puts their members in order. */
const hasFreeSchemas = (message: string): boolean => message.startsWith('apiextensions.');

/** The object in a list, and in the next event of a watch that waits for it. */
async function checkReads(
  t: Test,
  kind: ServedKind,
  watch: WatchStream,
  posted: Answer,
  made: Answer,
): Promise<void> {
  const read = await kind.read(made.json);
  t.equal(read.text, made.text, 'get');
  const { name } = made.json.metadata;
  const selected = encodeURIComponent(`metadata.name=${name}`);
  const list = await server.get(`${kind.path}?fieldSelector=${selected}`);
  t.equal(itemsOf(list.text), itemOf(made.text), 'list');
  let event = await eventOf(watch, name);
  while (event.type !== 'ADDED') event = await eventOf(watch, name);
  t.equal(event.raw, `{"type":"ADDED","object":${posted.text.trimEnd()}}`, 'watch');
}

/** Writing what is read changes nothing, in no version. */
async function checkVersions(t: Test, kind: ServedKind, made: Answer): Promise<void> {
  for (const { apiVersion, message } of versionsOf(kind.cases.apiVersion, kind.cases.kind)) {
    const served = servedResource(apiVersion, kind.cases.kind);
    const path = `${servedPath(served)}/${encodeURIComponent(made.json.metadata.name)}`;
    const read = await server.get(path);
    t.equal(read.status, 200, `get in ${apiVersion}`);
    t.equal(read.json?.apiVersion, apiVersion);
    checkCodecs(t, message, read);
    // There the metric for the CPU is a member of its own, and comes back as the last one.
    if (apiVersion === 'autoscaling/v1' && hasMetrics(made)) continue;
    const put = await server.put(path, read.text);
    t.equal(put.text, read.text, `an update in ${apiVersion} as it was read`);
    t.equal((await kind.read(made.json)).text, made.text, `which ${apiVersion} keeps as it was`);
  }
}

const hasMetrics = ({ json }: Answer): boolean => json.spec.metrics?.length > 1;

async function roundTrip(
  t: Test,
  kind: ServedKind,
  watch: WatchStream,
  document: TestObject,
): Promise<void> {
  const posted = await kind.post(document);
  sent += 1;
  if (posted.status !== 201) {
    t.equal(posted.status, 422, `refused for a rule: ${posted.text.slice(0, 300)}`);
    t.comment(posted.json?.message);
    return;
  }
  accepted += 1;
  const made = await kind.settled(posted);
  await t.test(document.metadata.name, async (t) => {
    await checkReads(t, kind, watch, posted, made);
    await checkVersions(t, kind, made);
    if (!t.passing()) t.comment(`ROUND_TRIP_SEED=${SEED}: ${JSON.stringify(document)}`);
  });
  await kind.remove(made.json);
}

/** Gives a valid document, one with parts of another, or one without some members. */
function someDocument(kind: ServedKind, run: number): TestObject {
  const { minimal, full } = kind.cases;
  const name = `trip-${run}`;
  const metadata = { metadata: someMetadata() };
  if (run === 0) return kind.document(name, minimal, metadata);
  if (run === 1) return kind.document(name, full, metadata);
  return kind.document(name, minimal, someOf(full, run % 2 === 0 ? 0.15 : 0.5), metadata);
}

t.test(`ROUND_TRIP_SEED=${SEED}`, async (t) => {
  for (const [name, kind] of kinds) {
    await t.test(name, async (t) => {
      const watch = await server.watch(`${kind.path}?watch=true`);
      for (let run = 0; run < RUNS; run += 1) {
        await roundTrip(t, kind, watch, someDocument(kind, run));
      }
      watch.close();
    });
  }
});

t.test('most objects that are made so are valid', async (t) => {
  t.ok(accepted > 0.8 * sent, `${accepted} of ${sent}`);
});
