/**
 * The write path without HTTP and hops: decode, validate and encode of a 1 KB ConfigMap, appends
 * to the store by number under way, and both together through a shard; Pods in the store,
 * compressed and as they are; a Pod that a shard proposes itself, and one that it gets proposed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALWAYS_ALLOW } from '../src/auth/fixed-authorizers.ts';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { DICTIONARY_CHOICE_RECORDS } from '../src/limits.ts';
import { CONFIG_MAP } from '../src/resources/core/config-map.ts';
import type { ApiObject, BuiltInKind } from '../src/resources/kind.ts';
import { builtInType } from '../src/types/built-in/built-in-type.ts';
import type { ResourceType } from '../src/types/resource-type.ts';
import { compileValidators } from '../src/semantics/validation/validator-compiler.ts';
import { VersionClock } from '../src/sequencer/version-clock.ts';
import { Proposer } from '../src/proposals/proposer.ts';
import { POD } from '../src/resources/core/pods/pod.ts';
import { create } from '../src/shard/verbs/create.ts';
import { createProposed } from '../src/shard/verbs/create-proposed.ts';
import { writing } from '../src/shard/write/driver.ts';
import { AdmissionChain } from '../src/admission/chain.ts';
import type { AdmissionContext } from '../src/admission/plugin.ts';
import { PLUGINS } from '../src/admission/plugins.ts';
import { NamespaceReplica } from '../src/admission/namespace-replica.ts';
import { Shard } from '../src/shard/state/shard.ts';
import { openStore } from '../src/storage/open-store.ts';
import { MemoryStore } from '../src/storage/memory-store.ts';
import { encodeRecord, OPERATION } from '../src/storage/record.ts';
import type { Durability, Store } from '../src/storage/store.ts';
import { readProtoFolder } from '../tools/read-proto.ts';
import { measure, measureInFlight, microOptions, report } from './micro.ts';
import { COUNTER_DIGITS, CONTENT_MARK, NAME_MARK, OBJECT_TEXTS } from './object-texts.ts';
import type { ResultRow } from './report.ts';

const options = microOptions();
const rows: ResultRow[] = [];
const IN_FLIGHT = [1, 64, 256];

function configMapText(name: string): string {
  const settings = 'setting.example = some value that a program reads\n'.repeat(15);
  const labels = { app: 'bench', tier: 'data' };
  return JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, namespace: 'default', labels },
    data: { settings },
  });
}

const MODEL = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../proto')));

function typeOf(definition: BuiltInKind): ResourceType {
  return builtInType(definition, MODEL, compileValidators(MODEL, [definition.message]));
}

const kind = typeOf(CONFIG_MAP);
const text = configMapText('cm-0000000001');
const object = kind.stored.codec.decode(text).object as ApiObject;
const wire = kind.stored.codec.encode(object);
const header = {
  operation: OPERATION.added,
  timeMs: 0,
  previousRv: 0,
  key: 'default/cm-0000000001',
  labels: object.metadata.labels,
  fields: [],
};

rows.push(
  measure('JSON.parse and stringify', options, () => JSON.stringify(JSON.parse(text))),
  measure('decode', options, () => kind.stored.codec.decode(text)),
  measure('validate', options, () => kind.validator.validateCreate(object)),
  measure('encode', options, () => kind.stored.codec.encode(object)),
  measure('encode the record', options, () => encodeRecord(header, wire)),
);

/** A store on a folder of its own, removed by the returned function. */
function temporaryStore(durability: Durability): { store: Store; remove: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-bench-'));
  const store = openStore({ dataDir: folder, durability });
  const remove = async (): Promise<void> => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, remove };
}

for (const durability of ['fsync', 'relaxed'] as const) {
  const { store, remove } = temporaryStore(durability);
  const log = store.openLog('bench');
  const value = encodeRecord(header, wire);
  let rv = 0;
  for (const inFlight of IN_FLIGHT) {
    const start = (done: () => void): void => {
      rv += 1;
      void log.append([{ rv, value }]).then(done);
    };
    const scenario = `append, ${durability}, ${inFlight} under way`;
    rows.push(await measureInFlight(scenario, options, inFlight, start));
  }
  await remove();
}

/** A Pod as it is stored; each has names and times of its own. */
function podRecord(number: number): Buffer {
  const { name, text: textOf } = OBJECT_TEXTS.newPod;
  const digits = String(number).padStart(COUNTER_DIGITS, '0');
  const pod = textOf('default', 0).replaceAll(NAME_MARK, digits).replaceAll(CONTENT_MARK, digits);
  const key = `default/${name.replaceAll(NAME_MARK, digits)}`;
  return encodeRecord({ ...header, key }, pod);
}

// A log that compresses records and one that does not get the same ones.
for (const [what, type] of [
  ['compressed', 'pods'],
  ['as it is', 'secrets'],
] as const) {
  const { store, remove } = temporaryStore('relaxed');
  const log = store.openLog(type);
  const records = Array.from({ length: 2 * DICTIONARY_CHOICE_RECORDS }, (_, at) => podRecord(at));
  await log.append(records.map((value, at) => ({ rv: at + 1, value })));
  let rv = records.length;
  const append = (done: () => void): void => {
    rv += 1;
    void log.append([{ rv, value: records[rv % records.length] ?? Buffer.alloc(0) }]).then(done);
  };
  rows.push(await measureInFlight(`append a Pod, ${what}, 64 under way`, options, 64, append));
  let read = records.length;
  const next = (): void => {
    read = read === rv ? records.length + 1 : read + 1;
    log.read(read);
  };
  rows.push(measure(`read a Pod, ${what}`, options, next));
  await remove();
}

/** A shard without threads: what a turn's end does is done here when all have begun. */
function newShard(store: Store, type: ResourceType): Shard {
  const clock = new VersionClock();
  clock.extend(Number.MAX_SAFE_INTEGER);
  const always = { isCurrent: true, whenCurrent: async () => undefined };
  const namespaces = new NamespaceReplica(() => always);
  namespaces.put({ metadata: { name: 'default' }, status: { phase: 'Active' } });
  const config = { plugins: ['NamespaceLifecycle'], settings: {} };
  const context = { namespaces } as unknown as AdmissionContext;
  return new Shard({
    kind: type,
    namespaces,
    admission: new AdmissionChain(config, PLUGINS, context),
    authorizer: () => ALWAYS_ALLOW,
    log: store.openLog(type.key),
    clock,
    historyMs: 300_000,
    continueTokenKey: 'key',
    otherTypes: context,
    kindSettings: { serviceClusterIpRange: '10.0.0.0/24', serviceNodePortRange: '30000-32767' },
    nowMs: () => Date.now(),
    lease: async () => undefined,
    onCommitEnd: () => undefined,
    logError: (text) => {
      throw new Error(text);
    },
  });
}

const REQUEST = {
  namespace: 'default',
  name: '',
  subresource: '',
  format: 'json',
  dryRun: false,
  manager: 'bench',
} as const;

function fail(error: unknown): never {
  throw error as Error;
}

type Creating = (body: Buffer, done: () => void) => void;

/** Measures 64 creates at a time in a shard, of a text whose name has digits. */
async function measureCreates(
  scenario: string,
  { pipeline }: Shard,
  textOf: (digits: string) => string,
  create: Creating,
): Promise<void> {
  let count = 0;
  let kicking = false;
  const start = (done: () => void): void => {
    count += 1;
    create(Buffer.from(textOf(String(count).padStart(COUNTER_DIGITS, '0'))), done);
    if (kicking) return;
    kicking = true;
    setImmediate(() => {
      kicking = false;
      pipeline.kick();
    });
  };
  rows.push(await measureInFlight(scenario, options, 64, start));
}

function createIn(shard: Shard): Creating {
  const creating = writing(shard, create);
  return (body, done) => creating(REQUEST, body, { reply: done, fail });
}

const { store: lmdb, remove } = temporaryStore('fsync');
for (const [name, store] of [
  ['memory', new MemoryStore()],
  ['LMDB, fsync', lmdb],
] as const) {
  const shard = newShard(store, kind);
  const named = (digits: string): string => text.replace('0000000001', digits);
  await measureCreates(`create in a shard, ${name}, 64`, shard, named, createIn(shard));
}
await remove();

function podText(digits: string): string {
  const { text: textOf } = OBJECT_TEXTS.pod;
  return textOf('default', 0).replaceAll(NAME_MARK, digits).replaceAll(CONTENT_MARK, digits);
}

const pods = newShard(new MemoryStore(), typeOf(POD));
await measureCreates('create of a Pod in a shard, 64', pods, podText, createIn(pods));
const proposer = new Proposer(pods, fail);
await proposer.whenReady();
rows.push(
  measure('propose a Pod', options, () => {
    proposer.propose(REQUEST, Buffer.from(podText('0000000000')), (error) => error && fail(error));
  }),
);
const given = newShard(new MemoryStore(), pods.kind);
const creating = writing(given, createProposed);
await measureCreates(
  'propose a Pod, and create it in a shard, 64',
  given,
  podText,
  (body, done) => {
    proposer.propose(REQUEST, body, (_error, proposed) => {
      const { record, ...draft } = proposed?.draft ?? fail('a Pod is proposed');
      creating({ namespace: 'default', name: '', ...draft }, record, { reply: done, fail });
    });
  },
);
report('write-path', options, rows);
