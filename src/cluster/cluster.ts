/**
 * The actors of one server, started in order and stopped in reverse: the fronts, the sequencer, a
 * shard per resource type, the controllers. Each pair that talks has a channel of its own.
 */
import type { MessagePort } from 'node:worker_threads';
import { JobPool } from '../actors/job-pool.ts';
import type { ActorPool, RunningActor } from '../actors/actor-pool.ts';
import { Link, type Handlers } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import { givenPort, portPair } from '../actors/ports.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import { flagsOfFork, type Config } from '../config/config.ts';
import type { ConcernedType } from '../controllers/controller-entry.ts';
import type { HealthCheck } from '../front/documents/health.ts';
import type { TypeCalls } from '../controllers/definitions/type-protocol.ts';
import { LogFile } from '../audit/log-file.ts';
import type { AuditSettings } from '../audit/settings.ts';
import type { SharedMetrics } from '../observability/metrics/metric-store.ts';
import type { KindDefinition } from '../resources/kind.ts';
import { resourceKey } from '../resources/registry.ts';
import { SEQUENCER_EVENTS, SEQUENCER_VERBS } from '../protocol/sequencer-protocol.ts';
import type { SequencerCalls, SequencerEvents } from '../protocol/sequencer-protocol.ts';
import type { VersionClock } from '../sequencer/version-clock.ts';
import { clientPort, SHARD_EVENTS, SHARD_VERBS } from '../protocol/shard-protocol.ts';
import type { ShardCalls, ShardEvents, TypePort } from '../protocol/shard-protocol.ts';
import type { StorePlace } from '../storage/open-store.ts';
import type { Settings } from '../storage/store.ts';
import { logError } from '../observability/log/log.ts';
import type { BackupFacts } from '../backup/write-backup.ts';
import { Backups } from './backups.ts';
import { Controllers, servedKind, type Published } from './controllers.ts';
import { Fronts, type FrontsOptions } from './fronts.ts';
import type { OwnShardInit } from './run-actor.ts';
import type { Threads } from './threads.ts';
import { Forks, type ForksOptions } from '../snapshots/forks.ts';
import type { ServedTypes } from '../snapshots/restores.ts';
import { Snapshots } from '../snapshots/snapshots.ts';
import { customLogName, type CustomTypeFacts } from '../types/custom/custom-type-facts.ts';

type ShardLink = Link<ShardCalls, ShardEvents>;

interface StartedShard {
  readonly actor: RunningActor;
  /** Resolves when it answers. */
  readonly started: Promise<void>;
}

export interface ClusterOptions {
  readonly config: Config;
  readonly admission: AdmissionConfig;
  /** Absent where nothing is audited. */
  readonly audit: AuditSettings | undefined;
  readonly buildDir: string;
  /** Where the store is. */
  readonly place: StorePlace;
  /** The built-in ones that have a shard. */
  readonly kinds: readonly KindDefinition[];
  /** Logs that may hold records of the other dialect. */
  readonly untranslated: readonly string[];
  readonly published: () => Promise<Published>;
  /** The name by which the server tells of itself; '' where it does not. */
  readonly serverId: string;
  readonly threads: Threads;
  /** The checks by which fronts tell the health of the server. */
  readonly checks: readonly HealthCheck[];
  readonly livezGraceUntilMs: number;
  readonly metrics: SharedMetrics;
  /** Joins a port to the shard of a type on the server that owns all types. */
  readonly onOwnersPort: (type: string, port: Port) => void;
  readonly servers: FrontsOptions['servers'];
  readonly resign: FrontsOptions['resign'];
  /** What a backup says beside the objects. */
  readonly backupFacts: () => BackupFacts;
  /** Of this server alone. */
  readonly local: Settings;
  /** Types that come and go. */
  readonly types: ServedTypes & { readonly handlers: Handlers<TypeCalls> };
}

export class Cluster {
  /** The main thread is a client of every shard. */
  readonly shards = new Map<string, ShardLink>();
  readonly fronts: Fronts;
  readonly controllers: Controllers;
  readonly #backups: Backups;
  readonly #forks: Forks;
  readonly snapshots: Snapshots;
  readonly #options: ClusterOptions;
  readonly #pool: ActorPool;
  readonly clock: VersionClock;
  #sequencer: Link<SequencerCalls, SequencerEvents> | undefined;
  readonly #custom = new Map<string, RunningActor>();
  readonly #shardsStarted: Promise<void>;
  #shardsAreStarted: () => void = () => undefined;
  /** Since which revision it owns all types; 0 where another server does, or none shares them. */
  #fence = 0;

  constructor(options: ClusterOptions) {
    const { config, admission, audit, buildDir, checks, threads } = options;
    const { livezGraceUntilMs, metrics, serverId } = options;
    this.#options = options;
    this.#shardsStarted = new Promise((resolve) => (this.#shardsAreStarted = resolve));
    this.clock = threads.clock;
    this.#pool = threads.actors;
    this.controllers = new Controllers({
      config,
      published: options.published,
      serverId,
      typeHandlers: options.types.handlers,
      pool: this.#pool,
      giveClient: (type, port) => this.giveClient(type, port),
      onMade: (objects) => (this.objects += objects),
    });
    this.#backups = new Backups({
      entry: `${buildDir}/worker.js`,
      place: options.place,
      facts: options.backupFacts,
      state: () => this.#state(),
      logError: (text) => logError(`backup: ${text}`),
    });
    this.#forks = forksOf(options, () => this.#state());
    this.snapshots = new Snapshots({
      forks: this.#forks,
      settings: options.local,
      isOn: config.laboratory.isOn,
      shards: this.shards,
      types: options.types,
      restores: threads.restores,
      state: () => this.#state(),
    });
    this.fronts = new Fronts({
      config,
      admission,
      buildDir,
      pool: threads.fronts,
      checks,
      livezGraceUntilMs,
      serverId,
      answered: threads.answered.shared,
      metrics,
      servers: options.servers,
      resign: options.resign,
      backups: this.#backups,
      snapshots: async (request) => this.snapshots.answer(request),
      audit: audit && { settings: audit, logFile: LogFile.shared() },
      join: async (resource, port) => {
        await this.#shardsStarted;
        this.giveClient(resource, port);
      },
    });
  }

  /** Objects of all types together, known once started. */
  objects = 0;

  /** Resolves when the sequencer and every shard answer: requests can be served then. */
  async start(): Promise<void> {
    this.fronts.start();
    await this.#startSequencer();
    const shards = this.#options.kinds.map((kind) => {
      const resource = resourceKey(kind);
      return this.#startShard({ ...kind, resource }, this.#ownInit(resource));
    });
    await Promise.all(shards.map(({ started }) => started));
    this.#shardsAreStarted();
  }

  /** Starts the shard of a custom type; resolves when it answers. */
  async startType(facts: CustomTypeFacts): Promise<void> {
    const kind = servedKind(facts);
    const { resource } = kind;
    this.controllers.typeServed(kind);
    const init = this.#ownInit(resource, customLogName(facts.definition));
    const { actor, started } = this.#startShard(kind, { ...init, custom: facts });
    this.#custom.set(resource, actor);
    await started;
    await this.#takeOver(resource);
  }

  /** From when it resolves on writes of all types are decided here. */
  async takeOver(fence: number): Promise<void> {
    this.#fence = fence;
    await this.#sequencer?.call('takeOver', undefined);
    await Promise.all([...this.shards.keys()].map((resource) => this.#takeOver(resource)));
  }

  async #takeOver(resource: string): Promise<void> {
    const fence = this.#fence;
    if (fence > 0) await this.shards.get(resource)?.call('takeOver', { fence });
  }

  /** Starts the shard of a type, and gives ports to it to all who need one. */
  #startShard(type: ConcernedType, init: OwnShardInit): StartedShard {
    const { resource } = type;
    const ports: Record<string, MessagePort> = {};
    ports['sequencer'] = givenPort((its) => this.#sequencer?.givePort(undefined, its));
    const started = this.#connect(resource, ports);
    this.fronts.connect(resource, ports);
    this.controllers.connect(type, ports);
    return { actor: this.#pool.start(resource, { actor: 'shard', init, ports }), started };
  }

  /** Gives the shard of a type one more client. */
  giveClient(resource: string, port: Port): void {
    const shard = this.shards.get(resource);
    if (shard === undefined) port.close();
    else shard.givePort(undefined, port);
  }

  #passPort({ type, isOwners }: TypePort, port: Port): void {
    if (isOwners === true) this.#options.onOwnersPort(type, port);
    else this.giveClient(type, port);
  }

  /** Resolves when the type is served as its definition says now. */
  async changeType(facts: CustomTypeFacts): Promise<void> {
    const kind = servedKind(facts);
    await this.shards.get(kind.resource)?.call('retype', facts);
    await this.controllers.typeChanged(kind);
  }

  /** Ends the shard of a type that no front serves any more; resolves when it has ended. */
  async stopType(resource: string): Promise<void> {
    const shard = this.shards.get(resource);
    const actor = this.#custom.get(resource);
    if (shard === undefined || actor === undefined) return;
    this.shards.delete(resource);
    this.#custom.delete(resource);
    this.controllers.typeGone(resource);
    actor.expectEnd();
    await shard.call('stop', undefined);
    shard.close();
    await actor.ended;
    this.snapshots.typeGone(resource);
  }

  /** Resolves once the store has committed something; rejects when it cannot. */
  async checkStorage(): Promise<void> {
    await this.#sequencer?.call('probe', undefined);
    await Promise.all(
      [...this.shards].map(async ([name, shard]) => {
        const { storageError } = await shard.call('ping', undefined);
        if (storageError !== '') throw new Error(`${name}: ${storageError}`);
      }),
    );
  }

  /** A version up to which all types have all changes, and how many objects there are. */
  async #state(): Promise<{ readonly version: number; readonly objects: number }> {
    const shards = [...this.shards.values()];
    const versions = await Promise.all(
      shards.map(async (shard) => (await shard.call('version', { resourceVersion: '' })).rv),
    );
    const counts = await Promise.all(shards.map((shard) => shard.call('ping', undefined)));
    const objects = counts.reduce((sum, count) => sum + count.objects, 0);
    return { version: Math.min(...versions), objects };
  }

  /** Versions may be handed out and shown. */
  checkSequencer(): Promise<void> {
    if (this.clock.leased() > 0) return Promise.resolve();
    return Promise.reject(new Error('no versions are leased'));
  }

  /** Resolves once every shard has answered. */
  async checkShards(): Promise<void> {
    await Promise.all([...this.shards.values()].map((shard) => shard.call('ping', undefined)));
  }

  /** Finishes what is accepted and ends all actors; the store is closed when it resolves. */
  async stop(): Promise<void> {
    this.#pool.expectStop();
    await this.#backups.stop();
    await this.#forks.stop();
    await this.controllers.stop();
    await Promise.all([...this.shards.values()].map((shard) => shard.call('stop', undefined)));
    await this.#sequencer?.call('stop', undefined);
    for (const shard of this.shards.values()) shard.close();
    this.#sequencer?.close();
    this.controllers.close();
    await this.#pool.stopped();
  }

  /** Resolves once it has leased versions. */
  #startSequencer(): Promise<void> {
    const [mine, main] = portPair();
    return new Promise<void>((resolve) => {
      this.#sequencer = new Link<SequencerCalls, SequencerEvents>({
        peer: 'sequencer',
        port: mine,
        sends: SEQUENCER_VERBS,
        receives: SEQUENCER_EVENTS,
        handlers: { started: () => resolve() },
      });
      this.#pool.start('sequencer', { actor: 'sequencer', init: {}, ports: { main } });
    });
  }

  #ownInit(resource: string, log = resource): OwnShardInit {
    const isUntranslated = this.#options.untranslated.includes(log);
    const restoreCell = this.snapshots.cellOf(resource);
    return { resource, isUntranslated, heldFrom: this.snapshots.heldFrom, restoreCell };
  }

  /** Joins a shard to the main thread; resolves when it has started. */
  #connect(name: string, ports: Record<string, MessagePort>): Promise<void> {
    const [mine, its] = portPair();
    ports[clientPort('main')] = its;
    return new Promise((resolve) => {
      const link: ShardLink = new Link<ShardCalls, ShardEvents>({
        peer: name,
        port: mine,
        sends: SHARD_VERBS,
        receives: SHARD_EVENTS,
        handlers: {
          started: ({ objects }) => {
            this.objects += objects;
            resolve();
          },
          published: () => undefined,
          ended: () => undefined,
          counted: () => undefined,
        },
        onPort: (given, port) => this.#passPort(given as TypePort, port),
      });
      this.shards.set(name, link);
    });
  }
}

function forksOf(
  { config, buildDir, place, backupFacts: facts }: ClusterOptions,
  state: ForksOptions['state'],
): Forks {
  const { flags, dataDir } = config;
  return new Forks({
    dataDir,
    program: `${buildDir}/main.js`,
    flags: flagsOfFork(flags),
    place,
    facts,
    state,
    makeFolder: async (job) => {
      const jobs = new JobPool(`${buildDir}/worker.js`);
      try {
        await jobs.run('makeFork', job);
      } finally {
        await jobs.stop();
      }
    },
  });
}
