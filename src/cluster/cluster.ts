/**
 * The actors of one server, started in order and stopped in reverse: the fronts, the sequencer, a
 * shard per resource type, the controllers. Each pair that talks has a channel of its own.
 */
import type { MessagePort } from 'node:worker_threads';
import { ActorPool, type RunningActor } from '../actors/actor-pool.ts';
import { Link, type Handlers } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import { givenPort, portPair } from '../actors/ports.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import { withCompiledCode } from '../actors/compiled-code.ts';
import type { Config } from '../config/config.ts';
import type { ApiEndpoint } from '../controllers/bootstrap/bootstrap-objects.ts';
import { servedKind } from './served-kind.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from '../controllers/controller-protocol.ts';
import type { Begins, ConcernedType } from '../controllers/controller-entry.ts';
import {
  beginning,
  controllerPort,
  CONTROLLERS,
  controllerSteps,
  type ControllerName,
} from '../controllers/registry.ts';
import type {
  ControllerCalls,
  ControllerEvents,
  ServedKind,
} from '../controllers/controller-protocol.ts';
import { CONTROL_PORT, shardPort } from '../controllers/run-controller.ts';
import type { HealthCheck } from '../front/documents/health.ts';
import type { StartSteps } from '../front/documents/start-steps.ts';
import { TYPE_VERBS, TYPES_PORT } from '../controllers/definitions/type-protocol.ts';
import type { TypeCalls } from '../controllers/definitions/type-protocol.ts';
import { LogFile } from '../audit/log-file.ts';
import type { AuditSettings } from '../audit/settings.ts';
import type { SharedMetrics } from '../observability/metrics/metric-store.ts';
import { AnsweredVersions } from '../replicas/answered-versions.ts';
import { firstServiceAddress, serviceRanges } from '../resources/core/services/service-ranges.ts';
import type { KindDefinition } from '../resources/kind.ts';
import { resourceKey } from '../resources/registry.ts';
import { otherDialect } from '../semantics/dialect/dialect.ts';
import { SEQUENCER_EVENTS, SEQUENCER_VERBS } from '../protocol/sequencer-protocol.ts';
import type { SequencerCalls, SequencerEvents } from '../protocol/sequencer-protocol.ts';
import { VersionClock } from '../sequencer/version-clock.ts';
import { CacheBudget } from '../shard/representation/cache-budget.ts';
import { clientPort, SHARD_EVENTS, SHARD_VERBS } from '../protocol/shard-protocol.ts';
import type { ShardCalls, ShardEvents, TypePort } from '../protocol/shard-protocol.ts';
import { Fronts } from './fronts.ts';
import type { OwnControllerInit, OwnShardInit, PoolInit } from './run-actor.ts';
import { customLogName, type CustomTypeFacts } from '../types/custom/custom-type-facts.ts';
import { ownDialect } from '../semantics/dialect/own-names.ts';

type ShardLink = Link<ShardCalls, ShardEvents>;

interface StartedShard {
  readonly actor: RunningActor;
  /** Resolves when it answers. */
  readonly started: Promise<void>;
}

/** Where others reach the server and what they are to trust; '' where there is nothing. */
export type Published = Pick<ApiEndpoint, 'address' | 'authentication' | 'trusted'>;

export interface ClusterOptions {
  readonly config: Config;
  readonly admission: AdmissionConfig;
  /** Absent where nothing is audited. */
  readonly audit: AuditSettings | undefined;
  readonly buildDir: string;
  /** The built-in ones that have a shard. */
  readonly kinds: readonly KindDefinition[];
  /** Logs that may hold records of the other dialect. */
  readonly untranslated: readonly string[];
  readonly published: () => Promise<Published>;
  /** The name by which the server tells of itself; '' where it does not. */
  readonly serverId: string;
  readonly onCrash: (actor: string, error: Error) => void;
  /** The checks by which fronts tell the health of the server. */
  readonly checks: readonly HealthCheck[];
  readonly livezGraceUntilMs: number;
  readonly metrics: SharedMetrics;
  /** The handlers of types that come and go. */
  readonly typeHandlers: Handlers<TypeCalls>;
}

export class Cluster {
  /** The main thread is a client of every shard. */
  readonly shards = new Map<string, ShardLink>();
  readonly fronts: Fronts;
  readonly #options: ClusterOptions;
  readonly #pool: ActorPool;
  readonly #clock = new VersionClock();
  readonly #cacheBudget = new CacheBudget();
  readonly #answered = new AnsweredVersions();
  #sequencer: Link<SequencerCalls, SequencerEvents> | undefined;
  readonly #controllerPorts = new Map<ControllerName, Record<string, MessagePort>>();
  readonly #controllers = new Map<string, Link<ControllerCalls, ControllerEvents>>();
  readonly #custom = new Map<string, RunningActor>();
  /** Custom types as controllers know them. */
  readonly #servedKinds = new Map<string, ServedKind>();
  readonly #shardsStarted: Promise<void>;
  #shardsAreStarted: () => void = () => undefined;
  /** To the controllers that serve types. */
  readonly #types: Link<Record<never, never>, TypeCalls>[] = [];

  constructor(options: ClusterOptions) {
    const { config, admission, audit, buildDir, onCrash, checks } = options;
    const { livezGraceUntilMs, metrics, serverId } = options;
    this.#options = options;
    this.#shardsStarted = new Promise((resolve) => (this.#shardsAreStarted = resolve));
    this.#pool = new ActorPool({
      entry: `${buildDir}/worker.js`,
      threads: config.shardThreads,
      shared: this.#poolInit(),
      env: withCompiledCode(buildDir, 'actors'),
      onCrash,
    });
    this.fronts = new Fronts({
      config,
      admission,
      buildDir,
      onCrash,
      checks,
      livezGraceUntilMs,
      serverId,
      answered: this.#answered.shared,
      metrics,
      audit: audit && { settings: audit, logFile: LogFile.shared() },
      join: async (resource, port) => {
        await this.#shardsStarted;
        this.#giveClient(resource, port);
      },
    });
  }

  /** Objects of all types together, known once started. */
  objects = 0;

  /** Resolves when the sequencer and every shard answer: requests can be served then. */
  async start(): Promise<void> {
    this.fronts.start();
    await this.#startSequencer();
    for (const name of this.#options.config.controllers) this.#controllerPorts.set(name, {});
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
    this.#servedKinds.set(resource, kind);
    const init = this.#ownInit(resource, customLogName(facts.definition));
    const { actor, started } = this.#startShard(kind, { ...init, custom: facts });
    this.#custom.set(resource, actor);
    await started;
  }

  /** Starts the shard of a type, and gives ports to it to all who need one. */
  #startShard(type: ConcernedType, init: OwnShardInit): StartedShard {
    const { resource } = type;
    const ports: Record<string, MessagePort> = {};
    ports['sequencer'] = givenPort((its) => this.#sequencer?.givePort(undefined, its));
    const started = this.#connect(resource, ports);
    this.fronts.connect(resource, ports);
    for (const [name, its] of this.#controllerPorts) {
      if (!CONTROLLERS[name].concerns(type)) continue;
      ports[controllerPort(name)] = givenPort((port) => {
        const controller = this.#controllers.get(name);
        // One that is not there yet is started with it.
        if (controller === undefined) its[shardPort(resource)] = port;
        else controller.givePort(this.#servedKinds.get(resource), port);
      });
    }
    return { actor: this.#pool.start(resource, { actor: 'shard', init, ports }), started };
  }

  /** Gives the shard of a type one more client. */
  #giveClient(resource: string, port: Port): void {
    const shard = this.shards.get(resource);
    if (shard === undefined) port.close();
    else shard.givePort(undefined, port);
  }

  /** Resolves when the type is served as its definition says now. */
  async changeType(facts: CustomTypeFacts): Promise<void> {
    const kind = servedKind(facts);
    this.#servedKinds.set(kind.resource, kind);
    await this.shards.get(kind.resource)?.call('retype', facts);
    await Promise.all(
      Array.from(this.#controllerPorts.keys(), async (name) => {
        if (!CONTROLLERS[name].concerns(kind)) return;
        await this.#controllers.get(name)?.call('typeChanged', kind);
      }),
    );
  }

  /** Ends the shard of a type that no front serves any more; resolves when it has ended. */
  async stopType(resource: string): Promise<void> {
    const shard = this.shards.get(resource);
    const actor = this.#custom.get(resource);
    if (shard === undefined || actor === undefined) return;
    this.shards.delete(resource);
    this.#custom.delete(resource);
    this.#servedKinds.delete(resource);
    actor.expectEnd();
    await shard.call('stop', undefined);
    shard.close();
    await actor.ended;
  }

  /** Starts those that serve types; resolves when all types that are defined are served. */
  async startTypes(steps: StartSteps): Promise<void> {
    await this.#startThose('withTypes', steps, {});
  }

  /** Starts the others that work by themselves, as far as they begin then. */
  async startControllers(
    begins: Exclude<Begins, 'withTypes'>,
    steps: StartSteps,
    tokens: OwnControllerInit['tokens'],
  ): Promise<void> {
    if (beginning(this.#controllerPorts.keys(), begins).length === 0) return;
    const init: OwnControllerInit = { ...(await this.#controllerInit()), tokens };
    await this.#startThose(begins, steps, init);
  }

  async #startThose(begins: Begins, steps: StartSteps, init: object): Promise<void> {
    await Promise.all(
      beginning(this.#controllerPorts.keys(), begins).map((name) => {
        const ports = { ...this.#controllerPorts.get(name) };
        if (begins === 'withTypes') ports[TYPES_PORT] = this.#typesPort(name);
        return steps.run(controllerSteps(name), this.#startController(name, ports, init));
      }),
    );
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

  /** Versions may be handed out and shown. */
  checkSequencer(): Promise<void> {
    if (this.#clock.leased() > 0) return Promise.resolve();
    return Promise.reject(new Error('no versions are leased'));
  }

  /** Resolves once every shard has answered. */
  async checkShards(): Promise<void> {
    await Promise.all([...this.shards.values()].map((shard) => shard.call('ping', undefined)));
  }

  /** Finishes what is accepted and ends all actors; the store is closed when it resolves. */
  async stop(): Promise<void> {
    this.#pool.expectStop();
    const controllers = [...this.#controllers.values()];
    await Promise.all(controllers.map((controller) => controller.call('stop', undefined)));
    await Promise.all([...this.shards.values()].map((shard) => shard.call('stop', undefined)));
    await this.#sequencer?.call('stop', undefined);
    for (const shard of this.shards.values()) shard.close();
    this.#sequencer?.close();
    for (const controller of controllers) controller.close();
    for (const types of this.#types) types.close();
    await this.#pool.stopped();
  }

  #poolInit(): PoolInit {
    const { config, admission, buildDir, metrics } = this.#options;
    const { dataDir, durability, apiDomain, release, observability } = config;
    const { watchHistoryMs, kindSettings, featureGates, authorization } = config;
    return {
      apiDomain,
      release,
      log: observability.log,
      metrics,
      dataDir,
      durability,
      clock: this.#clock.shared,
      historyMs: watchHistoryMs,
      kindSettings,
      featureGates,
      cacheBudget: this.#cacheBudget.shared,
      answered: this.#answered.shared,
      authorization,
      admission,
      buildDir,
    };
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
    return { resource, isUntranslated: this.#options.untranslated.includes(log) };
  }

  /** Types come and go over it. */
  #typesPort(peer: ControllerName): MessagePort {
    const [port, its] = portPair();
    const handlers = this.#options.typeHandlers;
    this.#types.push(new Link({ peer, port, sends: [], receives: TYPE_VERBS, handlers }));
    return its;
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
        },
        onPort: (given, port) => this.#giveClient((given as TypePort).type, port),
      });
      this.shards.set(name, link);
    });
  }

  async #controllerInit(): Promise<Omit<OwnControllerInit, 'tokens'>> {
    const { config, published } = this.#options;
    const { runtimeConfig, eventTtlMs, kindSettings, port, securePort } = config;
    const endpoint: ApiEndpoint = {
      ...(await published()),
      service: ownDialect().apiService,
      otherService: otherDialect(ownDialect()).apiService,
      serviceAddress: firstServiceAddress(kindSettings.serviceClusterIpRange),
      port: securePort === 0 ? port : securePort,
      protocol: securePort === 0 ? 'http' : 'https',
    };
    return {
      runtimeConfig,
      eventTtlMs,
      serverId: this.#options.serverId,
      endpoint,
      serviceRanges: serviceRanges(kindSettings.serviceClusterIpRange),
      leadership: config.leadership,
      legacyTokensPeriodMs: config.legacyTokensPeriodMs,
      nodePortRange: kindSettings.serviceNodePortRange,
      types: [...this.#servedKinds.values()],
      signing: { dataDir: config.dataDir, ...config.signing },
    };
  }

  /** Resolves when it works. */
  #startController(name: string, ports: Record<string, MessagePort>, init: object): Promise<void> {
    const [mine, its] = portPair();
    return new Promise((resolve) => {
      const link = new Link<ControllerCalls, ControllerEvents>({
        peer: name,
        port: mine,
        sends: CONTROLLER_VERBS,
        receives: CONTROLLER_EVENTS,
        handlers: {
          started: ({ objectsMade }) => {
            this.objects += objectsMade;
            resolve();
          },
        },
        onPort: (given, port) => this.#giveClient((given as TypePort).type, port),
      });
      this.#controllers.set(name, link);
      this.#pool.start(name, { actor: name, init, ports: { ...ports, [CONTROL_PORT]: its } });
    });
  }
}
