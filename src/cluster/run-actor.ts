/**
 * Composition root of a worker thread: runs one actor per task until it is told to stop. The
 * actors of a thread share one open store.
 */
import { serverNowMs } from '../base/time/server-clock.ts';
import { join } from 'node:path';
import { customTypeName } from '../journal/keys.ts';
import { JournalSettings } from '../journal/journal-settings.ts';
import { customLogName } from '../types/custom/custom-type-facts.ts';
import type { CustomTypeFacts } from '../types/custom/custom-type-facts.ts';
import { customType } from '../types/custom/custom-type.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import { Authorization } from '../auth/authorization.ts';
import type { AuthorizationConfig } from '../auth/authorizers.ts';
import { RBAC_TYPES } from '../auth/rbac/rbac-types.ts';
import type { ActorTask } from '../actors/actor-pool.ts';
import type { Port } from '../actors/port.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { SharedMetrics } from '../observability/metrics/metric-store.ts';
import { controllerPort, CONTROLLERS, isControllerName } from '../controllers/registry.ts';
import type { ControllerOptions } from '../controllers/controller-entry.ts';
import { YIELD_ROOM_INTERVAL_MS } from '../limits.ts';
import { logInfo, writeLog, type LogSettings } from '../observability/log/log.ts';
import { noteTranslated, translatedLine } from '../folder-dialect.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { KindSettings } from '../resources/kind.ts';
import { answeredCell, AnsweredVersions } from '../replicas/answered-versions.ts';
import { RestoreCells } from '../replicas/restore-cells.ts';
import type { Dialect } from '../semantics/dialect/dialect.ts';
import { loadRuleEngine } from '../schema/rule-engine.ts';
import { SequencerActor } from '../sequencer/sequencer-actor.ts';
import { VersionClock } from '../sequencer/version-clock.ts';
import { configuredType, loadSchema } from './load-type.ts';
import { readModel } from './read-model.ts';
import type { JournalInit, ThreadJournal } from './thread-journal.ts';
import { JobPool } from '../actors/job-pool.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import { continueTokenKey } from '../shard/state/continue-token.ts';
import { PageBuffer } from '../shard/state/page-buffer.ts';
import { EncodingCache } from '../shard/representation/encoding-cache.ts';
import { CacheBudget } from '../shard/representation/cache-budget.ts';
import { RestoreState } from '../shard/state/restore-state.ts';
import { ShardActor } from '../shard/shard-actor.ts';
import { clientPort, isClientPort } from '../protocol/shard-protocol.ts';
import { ThreadContext, type PassPort } from './thread-context.ts';
import { joinStore } from '../storage/open-store.ts';
import type { StorePlace } from '../storage/open-store.ts';
import { splitKey } from '../shard/table/selection.ts';
import type { StagedWrite } from '../shard/state/write-pipeline.ts';
import type { Settings, Store } from '../storage/store.ts';

/** The settings that every actor is started with. */
export interface ActorInit {
  /** The program of its thread. */
  readonly runs: 'actors' | 'fronts';
  /** Whose names the thread gives to things. */
  readonly apiDomain: Dialect['domain'];
  /** The minor of the release that it behaves like. */
  readonly release: number;
  /** The metrics of all threads. */
  readonly metrics: SharedMetrics;
  /** The form of its lines in the log. */
  readonly log: LogSettings;
  /** Where the laboratory's clock is; absent where the machine's counts. */
  readonly movedClock: SharedArrayBuffer | undefined;
}

/** All actors of the pool are started with it. */
export interface PoolInit extends ActorInit, StorePlace {
  /** Absent where no other server shares the store. */
  readonly journal?: JournalInit;
  readonly clock: SharedArrayBuffer;
  readonly historyMs: number;
  readonly kindSettings: KindSettings;
  readonly featureGates: FeatureGates;
  /** The room for representations that all threads share: see `CacheBudget`. */
  readonly cacheBudget: SharedArrayBuffer;
  /** The changes that were answered, shared by all threads: see `AnsweredVersions`. */
  readonly answered: SharedArrayBuffer;
  /** Restores of snapshots: see `RestoreCells`. */
  readonly restores: SharedArrayBuffer;
  readonly authorization: AuthorizationConfig;
  readonly admission: AdmissionConfig;
  /** Where the build put the schema and the validators. */
  readonly buildDir: string;
}

/** The init of a shard besides. */
export interface OwnShardInit {
  /** The resource type, as `resourceKey` names it. */
  readonly resource: string;
  /** Its log may hold records of the other dialect. */
  readonly isUntranslated: boolean;
  /** Snapshots need what was so at this version or has been since; 0 for nothing. */
  readonly heldFrom: number;
  /** That of the type in `restores`; undefined where it has none. */
  readonly restoreCell: number | undefined;
  /** The facts of a custom type. */
  readonly custom?: CustomTypeFacts;
}

interface ShardInit extends PoolInit, OwnShardInit {}

/** The init of a controller besides. */
export type OwnControllerInit = Omit<ControllerOptions, keyof PoolInit>;

let store: Store | undefined;
let storeUsers = 0;

async function withStore(init: PoolInit, run: (store: Store) => Promise<void>): Promise<void> {
  store ??= joinStore(init);
  storeUsers++;
  try {
    await run(store);
  } finally {
    storeUsers--;
    if (storeUsers === 0) {
      const closing = store;
      store = undefined;
      await closing.close();
      (await journalOf(init))?.client.close();
    }
  }
}

/** Runs an actor until it has stopped; rejects when it cannot start or go on. */
export async function runActor(task: ActorTask): Promise<void> {
  const { actor, init, ports } = task;
  switch (actor) {
    case 'sequencer':
      await withStore(init as PoolInit, (opened) =>
        runSequencer(opened, init as PoolInit, Object.values(ports)),
      );
      break;
    case 'shard':
      await withStore(init as PoolInit, (opened) => runShard(opened, init as ShardInit, ports));
      break;
    default:
      if (!isControllerName(actor)) throw new Error(`unknown actor ${actor}`);
      await CONTROLLERS[actor].run(ports, {
        ...(init as PoolInit & OwnControllerInit),
        loadModel: () => readModel((init as PoolInit).buildDir),
        nowMs: serverNowMs,
        logError: errorLog(actor),
      });
  }
}

function runSequencer(opened: Store, init: PoolInit, ports: readonly Port[]): Promise<void> {
  const shared = () => sharedSettings(opened, init);
  const clock = new VersionClock(init.clock);
  return new SequencerActor({ shared, clock, waits: init.journal !== undefined }).run(ports);
}

/** Who keeps objects on this machine alone does not load the client of etcd. */
async function journalOf({
  journal,
  clock,
  buildDir,
}: PoolInit): Promise<ThreadJournal | undefined> {
  if (journal === undefined) return undefined;
  const { threadJournal } = await import('./thread-journal.ts');
  return threadJournal(journal, clock, buildDir);
}

async function sharedSettings(opened: Store, init: PoolInit): Promise<Settings> {
  const journal = await journalOf(init);
  if (journal === undefined) return opened.shared;
  return JournalSettings.read(journal.client, journal.keys, journal.ownership);
}

function errorLog(actor: string): (text: string) => void {
  return (text) => writeLog('error', text, { actor });
}

let context: ThreadContext | undefined;
let authorization: Promise<Authorization> | undefined;
let encodings: EncodingCache | undefined;
let page: PageBuffer | undefined;

/** The cache of this thread. */
function encodingsOf(cacheBudget: SharedArrayBuffer): EncodingCache {
  if (encodings === undefined) {
    const cache = new EncodingCache(new CacheBudget(cacheBudget));
    setInterval(() => cache.yieldRoom(), YIELD_ROOM_INTERVAL_MS).unref();
    encodings = cache;
  }
  return encodings;
}

/** The shard that is done last says so for all of them. */
function translated(opened: Store, init: ShardInit, records: number): void {
  const all = noteTranslated(opened.shared, logName(init), records);
  if (all === undefined) return;
  logInfo(translatedLine(init.apiDomain, all));
}

function logName({ custom, resource }: ShardInit): string {
  return custom === undefined ? resource : customLogName(custom.definition);
}

/** The name of its type in the journal. */
function journalName({ custom, resource }: ShardInit): string {
  if (custom === undefined) return resource;
  const { name, uid } = custom.definition;
  return customTypeName(name, uid);
}

/** Writes the versions of what is answered where those look who have copies of a built-in type. */
function onApplied({ answered, resource }: ShardInit): (writes: readonly StagedWrite[]) => void {
  const versions = new AnsweredVersions(answered);
  const cell = answeredCell(resource);
  return (writes) => {
    for (const { key, rv } of writes) versions.setObject(cell, splitKey(key)[1], rv);
    const last = writes.findLast(({ isQuiet }) => isQuiet !== true);
    if (last !== undefined) versions.set(cell, last.rv);
  };
}

let schema: ReturnType<typeof loadSchema> | undefined;

/** The shards of a thread have it between them. */
function contextFor(
  init: ShardInit,
  model: SchemaModel,
  authorization: Authorization,
): ThreadContext {
  const { answered, admission, featureGates: gates } = init;
  return (context ??= new ThreadContext({
    authorization,
    admission,
    gates,
    model,
    answered: new AnsweredVersions(answered),
    nowMs: Date.now,
    logError: errorLog('admission'),
  }));
}

/** The log of a type, alone or with other servers. */
async function openType(opened: Store, init: ShardInit) {
  const name = logName(init);
  const view = init.custom ? opened.openCustomLog(name) : opened.openLog(name);
  const thread = await journalOf(init);
  const journaled = await thread?.journal.open(journalName(init), view);
  return {
    thread,
    journaled,
    log: journaled?.log ?? view,
    shared: await sharedSettings(opened, init),
    clock: journaled?.clock ?? new VersionClock(init.clock),
  };
}

async function loadRules({ featureGates }: ShardInit): Promise<boolean> {
  const hasRules = featureGates.has('CustomResourceValidationExpressions');
  if (hasRules) await loadRuleEngine();
  return hasRules;
}

/** What a shard gets as it is. */
function givenTo({ historyMs, heldFrom, kindSettings, restores, restoreCell }: ShardInit) {
  const state = new RestoreState(new RestoreCells(restores), restoreCell);
  return { historyMs, heldFrom, kindSettings, restores: state };
}

async function runShard(opened: Store, init: ShardInit, ports: ActorTask['ports']): Promise<void> {
  schema ??= loadSchema(init.buildDir);
  authorization ??= Authorization.load(init.authorization);
  const [loaded, decides] = await Promise.all([schema, authorization]);
  const [model] = loaded;
  const hasRules = await loadRules(init);
  const known = contextFor(init, model, decides);
  const callWebhook = known.admission.webhooks.callConversion;
  const ofFacts = (facts: CustomTypeFacts) =>
    customType(facts, { model, gates: init.featureGates, callWebhook });
  const { sequencer, [clientPort('main')]: main } = ports;
  if (sequencer === undefined || main === undefined) {
    throw new Error('a shard needs ports to the sequencer and to the main thread');
  }
  const clients = Object.entries(ports)
    .filter(([name, port]) => isClientPort(name) && port !== main)
    .map(([, port]) => port);
  let jobs: JobPool | undefined;
  const isGranting = (Object.values(RBAC_TYPES) as string[]).includes(init.resource);
  const kind = init.custom ? ofFacts(init.custom) : configuredType(init.resource, loaded, init);
  const { thread, journaled, log, shared, clock } = await openType(opened, init);
  const actor = new ShardActor({
    kind,
    customType: ofFacts,
    admission: known.admission.chain,
    grants: isGranting ? known.grants : undefined,
    authorizer: known.authorizer,
    onApplied: init.custom ? undefined : onApplied(init),
    log,
    journaled,
    clock,
    encodings: encodingsOf(init.cacheBudget),
    page: (page ??= new PageBuffer()),
    runJob: async (job, members) => {
      jobs ??= new JobPool(join(init.buildDir, 'worker.js'));
      const { apiDomain, release, buildDir } = init;
      return (await jobs.run(job, {
        apiDomain,
        release,
        buildDir,
        hasRules,
        members,
      })) as FieldError[];
    },
    ...givenTo(init),
    otherTypes: known.otherTypes,
    onTranslated: init.isUntranslated ? (records) => translated(opened, init, records) : undefined,
    nowMs: serverNowMs,
    logError: errorLog(init.resource),
    continueTokenKey: continueTokenKey(shared),
    sequencer,
    main,
    clients,
    controllers: {
      namespace: ports[controllerPort('namespace')],
      garbageCollector: ports[controllerPort('garbage-collector')],
      eventExpiry: ports[controllerPort('event-expiry')],
    },
    namespaces: kind.definition.namespaced ? known.admission.namespaces : undefined,
  });
  const pass: PassPort = (type, port) => actor.passPort(type, port);
  const running = actor.run();
  known.join(pass);
  try {
    await (thread === undefined ? running : Promise.race([running, thread.broken]));
  } finally {
    await jobs?.stop();
    if (known.leave(pass)) context = undefined;
  }
}
