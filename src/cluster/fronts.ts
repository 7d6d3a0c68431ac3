/** The fronts of a server, each an actor on a thread of its own (src/front/README.md#fronts). */
import type { MessagePort } from 'node:worker_threads';
import type { ActorPool } from '../actors/actor-pool.ts';
import { Link } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import { portPair } from '../actors/ports.ts';
import { answerWith } from '../actors/answer-with.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import type { Config } from '../config/config.ts';
import { FRONT_ACTOR, FRONT_EVENTS, FRONT_VERBS } from '../front/front-protocol.ts';
import type { FlowDump } from '../front/flows/flow-dumps.ts';
import type {
  FrontCalls,
  FrontEvents,
  FrontPort,
  Opening,
  ServerRow,
} from '../front/front-protocol.ts';
import { countHealthChecks } from '../front/documents/health-metrics.ts';
import type { HealthCheck, HealthPath } from '../front/documents/health.ts';
import type { SharedMetrics } from '../observability/metrics/metric-store.ts';
import { clientPort } from '../protocol/shard-protocol.ts';
import type { SnapshotRequest } from '../protocol/snapshot-protocol.ts';
import type { CustomTypeFacts } from '../types/custom/custom-type-facts.ts';
import { ApiDescription } from './api-description.ts';
import type { Backups } from './backups.ts';
import type { AuditInit } from './front-audit.ts';
import { ClosedFronts } from './closed-fronts.ts';
import { claimPorts } from './port-claim.ts';
import { sharedFlow, type SharedFlow } from './request-gate.ts';
import type { OwnFrontInit } from './run-front.ts';

/** The longest wait for fronts at the end of the process: one that is busy may take longer. */
const CLOSE_MS_MAX = 2_000;

type FrontLink = Link<FrontCalls, FrontEvents>;

export interface FrontsOptions {
  readonly config: Config;
  readonly admission: AdmissionConfig;
  readonly buildDir: string;
  readonly checks: readonly HealthCheck[];
  readonly livezGraceUntilMs: number;
  /** '' where the server has none. */
  readonly serverId: string;
  readonly answered: SharedArrayBuffer;
  readonly metrics: SharedMetrics;
  /** Absent where nothing is audited. */
  readonly audit: AuditInit | undefined;
  /** Gives the shard of a type one more client, once it answers; closes the port of no type. */
  readonly join: (resource: string, port: Port) => Promise<void>;
  /** Its threads. */
  readonly pool: ActorPool;
  /** The servers that share the store; undefined where no other does. */
  readonly servers: () => Promise<readonly ServerRow[] | undefined>;
  readonly resign: () => Promise<undefined>;
  readonly backups: Backups;
  readonly snapshots: (request: SnapshotRequest) => Promise<object>;
}

export class Fronts {
  readonly #options: FrontsOptions;
  readonly #pool: ActorPool;
  readonly #description: ApiDescription;
  readonly #closed = new ClosedFronts();
  readonly #flow: SharedFlow;
  #links: readonly FrontLink[] = [];

  constructor(options: FrontsOptions) {
    const { config, buildDir, pool } = options;
    this.#options = options;
    this.#flow = sharedFlow(config);
    this.#description = new ApiDescription(config, buildDir);
    this.#pool = pool;
  }

  /** Starts them; they take connections when they are opened. */
  start(): void {
    const numbers = Array.from({ length: this.#options.config.fronts }, (_, index) => index);
    this.#links = numbers.map((number) => this.#start(number));
  }

  #start(number: number): FrontLink {
    const { config, admission, buildDir, checks, livezGraceUntilMs, serverId } = this.#options;
    const { answered, audit } = this.#options;
    const [mine, control] = portPair();
    const name = `${FRONT_ACTOR} ${number}`;
    const link: FrontLink = new Link<FrontCalls, FrontEvents>({
      peer: name,
      port: mine,
      sends: FRONT_VERBS,
      receives: FRONT_EVENTS,
      handlers: {
        check: ({ name, path }, _body, answer) => answerWith(answer, this.#check(name, path)),
        servers: (_request, _body, answer) => answerWith(answer, this.#options.servers()),
        flowDumps: (_request, _body, answer) => answerWith(answer, this.#flowDumps()),
        resign: (_request, _body, answer) => answerWith(answer, this.#options.resign()),
        backupBegin: (_request, _body, answer) => answerWith(answer, this.#options.backups.begin()),
        backupFrame: ({ id, frame }, _body, answer) => {
          this.#options.backups.frame(id, frame).then(
            (bytes) => answer.reply(undefined, bytes),
            (error: unknown) => answer.fail(error),
          );
        },
        backupEnd: ({ id }, _body, answer) => {
          this.#options.backups.end(id);
          answer.reply(undefined);
        },
        snapshots: (request, _body, answer) => answerWith(answer, this.#options.snapshots(request)),
        healthSeen: ({ path, outcomes }) => countHealthChecks(path, outcomes),
        describe: (_request, _body, answer) => {
          this.#description.documents().then(
            (documents) => answer.reply(undefined, documents),
            (error: unknown) => answer.fail(error),
          );
        },
      },
      onPort: (given, its) => void this.#options.join((given as FrontPort).shard, its),
    });
    const init: OwnFrontInit = {
      config,
      admission,
      number,
      checks: checks.map(({ name: check, notIn = [] }) => ({ name: check, notIn })),
      livezGraceUntilMs,
      serverId,
      answered,
      audit,
      closed: this.#closed.shared,
      flow: this.#flow,
      buildDir,
    };
    this.#pool.start(name, { actor: FRONT_ACTOR, init, ports: { control } });
    return link;
  }

  /** Joins each to a shard that is to be started with these ports. */
  connect(shard: string, ports: Record<string, MessagePort>): void {
    for (const [number, link] of this.#links.entries()) {
      const [mine, its] = portPair();
      ports[clientPort(`${FRONT_ACTOR} ${number}`)] = its;
      link.givePort({ shard } satisfies FrontPort, mine);
    }
  }

  /** Resolves when all of them take connections. Rejects with ListenError. */
  async open(opening: Opening): Promise<void> {
    const { bindAddress, port, securePort, fronts } = this.#options.config;
    process.on('exit', this.#closeAtExit);
    const openAll = (): Promise<void> => this.#callAll('open', opening);
    // A single one takes its ports for itself.
    if (fronts === 1) await openAll();
    else await claimPorts(bindAddress, { port, securePort }, openAll);
  }

  /** Resolves when all of them know what they follow of stored types. */
  informed(): Promise<void> {
    return this.#callAll('informed', undefined);
  }

  /** From when it resolves on every request finds these types as their definitions say. */
  typesServed(types: readonly CustomTypeFacts[]): Promise<void> {
    return this.#callAll('typesServed', types);
  }

  /** Resolves when its watches know what has happened, or are too slow to wait for. */
  typeSettled(name: string): Promise<void> {
    return this.#callAll('typeSettled', { name });
  }

  /** From when it resolves on no request finds the type, and its watches have ended. */
  typeGone(name: string): Promise<void> {
    return this.#callAll('typeGone', { name });
  }

  stopListening(): Promise<void> {
    return this.#callAll('stopListening', undefined);
  }

  /** Ends the watches; resolves when all requests are answered. */
  finish(): Promise<void> {
    return this.#callAll('finish', undefined);
  }

  /** Cuts all connections; resolves when the threads have ended. */
  async stop(): Promise<void> {
    this.#pool.expectStop();
    await this.#callAll('stop', undefined);
    for (const link of this.#links) link.close();
    await this.#pool.stopped();
    process.off('exit', this.#closeAtExit);
  }

  /**
   * However the process ends. A thread that ends with open sockets of the HTTP library aborts the
   * process, which then has another exit code.
   */
  readonly #closeAtExit = (): void => {
    for (const link of this.#links) {
      link.call('stop', undefined).catch(() => undefined);
      link.flush();
    }
    this.#closed.wait(this.#links.length, CLOSE_MS_MAX);
  };

  async #callAll<V extends keyof FrontCalls>(
    verb: V,
    request: FrontCalls[V]['request'],
  ): Promise<void> {
    await Promise.all(this.#links.map((link) => link.call(verb, request)));
  }

  async #flowDumps(): Promise<readonly FlowDump[]> {
    const dumps = await Promise.all(this.#links.map((link) => link.call('flowDump', undefined)));
    return dumps.filter((dump) => dump !== undefined);
  }

  async #check(name: string, path: HealthPath): Promise<{ reason?: string }> {
    try {
      await this.#options.checks.find((check) => check.name === name)?.run(path);
      return {};
    } catch (error) {
      return { reason: (error as Error).message };
    }
  }
}
