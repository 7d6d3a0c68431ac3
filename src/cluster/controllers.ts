/** The controllers of a server, each an actor, which use shards as clients do. */
import type { MessagePort } from 'node:worker_threads';
import type { ActorPool } from '../actors/actor-pool.ts';
import { Link, type Handlers } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import { givenPort, portPair } from '../actors/ports.ts';
import type { Config } from '../config/config.ts';
import type { ApiEndpoint } from '../controllers/bootstrap/bootstrap-objects.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from '../controllers/controller-protocol.ts';
import type {
  ControllerCalls,
  ControllerEvents,
  ServedKind,
} from '../controllers/controller-protocol.ts';
import type { Begins, ConcernedType } from '../controllers/controller-entry.ts';
import { TYPE_VERBS, TYPES_PORT } from '../controllers/definitions/type-protocol.ts';
import type { TypeCalls } from '../controllers/definitions/type-protocol.ts';
import {
  beginning,
  controllerPort,
  CONTROLLERS,
  controllerSteps,
  type ControllerName,
} from '../controllers/registry.ts';
import { CONTROL_PORT, shardPort } from '../controllers/run-controller.ts';
import type { StartSteps } from '../front/documents/start-steps.ts';
import type { TypePort } from '../protocol/shard-protocol.ts';
import { firstServiceAddress, serviceRanges } from '../resources/core/services/service-ranges.ts';
import { otherDialect } from '../semantics/dialect/dialect.ts';
import { ownDialect } from '../semantics/dialect/own-names.ts';
import {
  customKey,
  groupVersionIn,
  type CustomTypeFacts,
} from '../types/custom/custom-type-facts.ts';
import type { OwnControllerInit } from './run-actor.ts';

/** Where others reach the server and what they are to trust; '' where there is nothing. */
export type Published = Pick<ApiEndpoint, 'address' | 'authentication' | 'trusted'>;

export interface ControllersOptions {
  readonly config: Config;
  readonly published: () => Promise<Published>;
  /** The name by which the server tells of itself; '' where it does not. */
  readonly serverId: string;
  /** The handlers of types that come and go. */
  readonly typeHandlers: Handlers<TypeCalls>;
  readonly pool: ActorPool;
  /** Gives the shard of a type one more client. */
  readonly giveClient: (type: string, port: Port) => void;
  /** Told how many objects a controller has made before it began. */
  readonly onMade: (objects: number) => void;
}

export class Controllers {
  readonly #options: ControllersOptions;
  /** Ports to shards for those that have not been started. */
  readonly #ports = new Map<ControllerName, Record<string, MessagePort>>();
  readonly #links = new Map<string, Link<ControllerCalls, ControllerEvents>>();
  /** Custom types as controllers know them. */
  readonly #servedKinds = new Map<string, ServedKind>();
  /** To the controllers that serve types. */
  readonly #types: Link<Record<never, never>, TypeCalls>[] = [];

  constructor(options: ControllersOptions) {
    this.#options = options;
    for (const name of options.config.controllers) this.#ports.set(name, {});
  }

  /** Joins those that it concerns to a shard that is to be started with these ports. */
  connect(type: ConcernedType, ports: Record<string, MessagePort>): void {
    const { resource } = type;
    for (const [name, its] of this.#ports) {
      if (!CONTROLLERS[name].concerns(type)) continue;
      ports[controllerPort(name)] = givenPort((port) => {
        const controller = this.#links.get(name);
        // One that is not there yet is started with it.
        if (controller === undefined) its[shardPort(resource)] = port;
        else controller.givePort(this.#servedKinds.get(resource), port);
      });
    }
  }

  /** A custom type is served, or is about to be. */
  typeServed(kind: ServedKind): void {
    this.#servedKinds.set(kind.resource, kind);
  }

  /** Resolves when those that it concerns know what has become of the type. */
  async typeChanged(kind: ServedKind): Promise<void> {
    this.#servedKinds.set(kind.resource, kind);
    await Promise.all(
      Array.from(this.#ports.keys(), async (name) => {
        if (!CONTROLLERS[name].concerns(kind)) return;
        await this.#links.get(name)?.call('typeChanged', kind);
      }),
    );
  }

  typeGone(resource: string): void {
    this.#servedKinds.delete(resource);
  }

  /** Starts those that serve types; resolves when all types that are defined are served. */
  async startTypes(steps: StartSteps): Promise<void> {
    await this.#startThose('withTypes', steps, {});
  }

  /** Starts the others that work by themselves, as far as they begin then. */
  async start(
    begins: Exclude<Begins, 'withTypes'>,
    steps: StartSteps,
    tokens: OwnControllerInit['tokens'],
  ): Promise<void> {
    if (beginning(this.#ports.keys(), begins).length === 0) return;
    const init: OwnControllerInit = { ...(await this.#init()), tokens };
    await this.#startThose(begins, steps, init);
  }

  /** Resolves when all have stopped; they are closed when shards need them no more. */
  async stop(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.call('stop', undefined)));
  }

  close(): void {
    for (const link of [...this.#links.values(), ...this.#types]) link.close();
  }

  async #startThose(begins: Begins, steps: StartSteps, init: object): Promise<void> {
    await Promise.all(
      beginning(this.#ports.keys(), begins).map((name) => {
        const ports = { ...this.#ports.get(name) };
        if (begins === 'withTypes') ports[TYPES_PORT] = this.#typesPort(name);
        return steps.run(controllerSteps(name), this.#startOne(name, ports, init));
      }),
    );
  }

  /** Types come and go over it. */
  #typesPort(peer: ControllerName): MessagePort {
    const [port, its] = portPair();
    const handlers = this.#options.typeHandlers;
    this.#types.push(new Link({ peer, port, sends: [], receives: TYPE_VERBS, handlers }));
    return its;
  }

  async #init(): Promise<Omit<OwnControllerInit, 'tokens'>> {
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
      fakeNodes: config.fakeNodes,
      serverId: this.#options.serverId,
      endpoint,
      serviceRanges: serviceRanges(kindSettings.serviceClusterIpRange),
      leadership: config.leadership,
      aggregation: config.aggregation,
      legacyTokensPeriodMs: config.legacyTokensPeriodMs,
      nodePortRange: kindSettings.serviceNodePortRange,
      types: [...this.#servedKinds.values()],
      signing: { dataDir: config.dataDir, ...config.signing },
    };
  }

  /** Resolves when it works. */
  #startOne(name: string, ports: Record<string, MessagePort>, init: object): Promise<void> {
    const { pool, giveClient, onMade } = this.#options;
    const [mine, its] = portPair();
    return new Promise((resolve) => {
      const link = new Link<ControllerCalls, ControllerEvents>({
        peer: name,
        port: mine,
        sends: CONTROLLER_VERBS,
        receives: CONTROLLER_EVENTS,
        handlers: {
          started: ({ objectsMade }) => {
            onMade(objectsMade);
            resolve();
          },
        },
        onPort: (given, port) => giveClient((given as TypePort).type, port),
      });
      this.#links.set(name, link);
      pool.start(name, { actor: name, init, ports: { ...ports, [CONTROL_PORT]: its } });
    });
  }
}

/** A custom type as controllers know it. */
export function servedKind({ definition }: CustomTypeFacts): ServedKind {
  const { name, names, scope, versions } = definition;
  const served = versions.filter((version) => version.served);
  return {
    resource: customKey(name),
    kind: names.kind,
    groupVersions: served.map((version) => groupVersionIn(definition, version)),
    namespaced: scope === 'Namespaced',
  };
}
