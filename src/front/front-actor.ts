/**
 * A front as an actor (README.md#fronts): it is given ports to all shards and told which types are
 * served, and takes connections from when it is opened until it is told to stop.
 */
import { givenPort } from '../actors/ports.ts';
import { Link } from '../actors/link.ts';
import type { Handlers } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import { answerWith } from '../actors/answer-with.ts';
import { assert } from '../base/assert.ts';
import { BoundedTurns } from '../base/turns/bounded-turns.ts';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import { MAILBOX_BYTES_MAX, MAILBOX_REQUESTS_MAX, shareOf } from '../limits.ts';
import {
  KEPT_DOCUMENTS_BYTES_MAX,
  LAST_EVENTS_MS_MAX,
  LIST_TURN_BYTES,
  WATCHES_TO_OPEN_MAX,
} from './limits.ts';
import { builtInCell } from '../replicas/answered-versions.ts';
import type { AnsweredVersions } from '../replicas/answered-versions.ts';
import type { Audit } from '../audit/audit.ts';
import type { StoredObjects } from '../flow-control/work-estimate.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../protocol/shard-protocol.ts';
import type { ShardCalls, ShardEvents } from '../protocol/shard-protocol.ts';
import { customKey } from '../types/custom/custom-type-facts.ts';
import type { SnapshotRequest } from '../protocol/snapshot-protocol.ts';
import type { CustomTypeFacts } from '../types/custom/custom-type-facts.ts';
import { customServedTypes } from '../types/custom/custom-served-types.ts';
import { shardKey } from '../types/served-types.ts';
import type { TypeCatalog } from '../types/type-catalog.ts';
import { sampleEverySecond } from '../observability/metrics/thread-metrics.ts';
import { FanoutMetrics } from './watch/fanout-metrics.ts';
import type { FlowDump } from './flows/flow-dumps.ts';
import type { Front } from './front.ts';
import { FRONT_EVENTS, FRONT_VERBS } from './front-protocol.ts';
import type {
  BackupBegun,
  FrontCalls,
  FrontEvents,
  FrontPort,
  Opening,
  ServerRow,
} from './front-protocol.ts';
import type { HealthPath, Outcome } from './documents/health.ts';
import { KeptDocuments, KeptRoom } from './kept-documents.ts';
import type { Proposer } from '../proposals/proposer.ts';
import { ProposedCreates } from './proposed-creates.ts';
import type { LargeBodies } from './requests/large-bodies.ts';
import type { ShardClient } from './resource-requests.ts';
import type { ServedApi } from './stages/stage.ts';
import { WatchFanout } from './watch/watch-fanout.ts';

/** A front, and what it serves of a catalog. */
export interface OpenedFront {
  readonly front: Front;
  readonly apiOf: (catalog: TypeCatalog) => ServedApi;
  readonly audit: Audit | undefined;
  /** Resolves when all that it follows was read. */
  readonly whenInformed: () => Promise<void>;
  /** Nobody is asked any more. */
  readonly close: () => void;
}

export interface FrontActorOptions {
  readonly control: Port;
  /** The number of fronts that the server has. */
  readonly fronts: number;
  /** The built-in types. */
  readonly catalog: TypeCatalog;
  readonly largeBodies: LargeBodies;
  /** The changes that were answered; absent where the shard is always asked. */
  readonly answered: AnsweredVersions | undefined;
  /**
   * Makes what proposes new objects of a built-in type, by the name of its shard; undefined where
   * its shard alone does.
   */
  readonly proposerOf: (resource: string) => (() => Promise<Proposer>) | undefined;
  readonly logError: (text: string) => void;
  /** Makes the front for what is served, and has it listen. */
  readonly open: (opening: Opening, catalog: TypeCatalog) => Promise<OpenedFront>;
}

export class FrontActor {
  /** By the name that routes give. */
  readonly shards = new Map<string, ShardClient>();
  /** The objects of each type, as its shard has told. */
  readonly objects = new Map<string, StoredObjects>();
  readonly #options: FrontActorOptions;
  /** Functions that end the metrics of the way to a shard, by the name of the shard. */
  readonly #endSamples = new Map<string, () => void>();
  readonly #control: Link<FrontEvents, FrontCalls>;
  readonly #kept: KeptRoom;
  #catalog: TypeCatalog;
  #opened: OpenedFront | undefined;
  /** What is served has changed since the front was begun. */
  #isOld = false;
  readonly #stopped: Promise<void>;
  #resolveStopped: () => void = () => undefined;
  #rejectStopped: (error: Error) => void = () => undefined;

  constructor(options: FrontActorOptions) {
    this.#options = options;
    this.#kept = new KeptRoom(shareOf(KEPT_DOCUMENTS_BYTES_MAX, options.fronts));
    this.#catalog = options.catalog;
    this.#stopped = new Promise((resolve, reject) => {
      this.#resolveStopped = resolve;
      this.#rejectStopped = reject;
    });
    this.#control = new Link<FrontEvents, FrontCalls>({
      peer: 'main',
      port: options.control,
      sends: FRONT_EVENTS,
      receives: FRONT_VERBS,
      handlers: this.#handlers(),
      onPort: (given, port) => this.#connect((given as FrontPort).shard, port),
    });
  }

  /** Resolves when it was told to stop; rejects when it cannot go on. All is closed then. */
  async run(): Promise<void> {
    try {
      await this.#stopped;
    } finally {
      this.#opened?.front.close();
      this.#opened?.close();
      this.#opened?.audit?.flush();
      this.#control.close();
    }
  }

  /** Runs a health check of the server. Rejects with the reason when it does not pass. */
  async check(name: string, path: HealthPath): Promise<void> {
    const { reason } = await this.#control.call('check', { name, path });
    if (reason !== undefined) throw new Error(reason);
  }

  /** Undefined where no other server shares the store. */
  servers(): Promise<readonly ServerRow[] | undefined> {
    return this.#control.call('servers', undefined);
  }

  /** What flow control has now, of all fronts. */
  flowDumps(): Promise<readonly FlowDump[]> {
    return this.#control.call('flowDumps', undefined);
  }

  async resign(): Promise<void> {
    await this.#control.call('resign', undefined);
  }

  backupBegin(): Promise<BackupBegun> {
    return this.#control.call('backupBegin', undefined);
  }

  /** A frame of a backup; empty after the last one. */
  backupFrame(id: string, frame: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#control.ask('backupFrame', { id, frame }, undefined, (error, _reply, body) => {
        if (error === undefined) resolve(body.slice());
        else reject(error);
      });
    });
  }

  async backupEnd(id: string): Promise<void> {
    await this.#control.call('backupEnd', { id });
  }

  /** What the main thread knows of snapshots. Rejects with StatusError. */
  snapshots(request: SnapshotRequest): Promise<object> {
    return this.#control.call('snapshots', request);
  }

  /** Tells the main thread of the health checks of a request, for it to count them. */
  healthSeen(path: HealthPath, outcomes: readonly Outcome[]): void {
    this.#control.tell('healthSeen', { path, outcomes });
  }

  /** The documents that describe built-in types (openapi/document-pack.ts). */
  documents(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#control.ask('describe', undefined, undefined, (error, _reply, body) => {
        if (error === undefined) resolve(body.slice());
        else reject(error);
      });
    });
  }

  /** A port of its own to the shard of a type; it is closed where there is no such type. */
  requestPort(resource: string): Port {
    return givenPort((its) => this.#control.givePort({ shard: resource } satisfies FrontPort, its));
  }

  /** Ends the actor, because something that the front needs has failed. */
  fail(error: Error): void {
    this.#rejectStopped(error);
  }

  #handlers(): Handlers<FrontCalls> {
    return {
      open: (opening, _body, answer) => answerWith(answer, this.#open(opening)),
      informed: (_request, _body, answer) => answerWith(answer, this.#informed()),
      typesServed: (types, _body, answer) => answerWith(answer, this.#typesServed(types)),
      typeSettled: ({ name }, _body, answer) => answerWith(answer, this.#typeSettled(name)),
      typeGone: ({ name }, _body, answer) => answerWith(answer, this.#typeGone(name)),
      flowDump: (_request, _body, answer) => answer.reply(this.#opened?.front.flowDump()),
      stopListening: (_request, _body, answer) => {
        this.#opened?.front.stopListening();
        answer.reply(undefined);
      },
      finish: (_request, _body, answer) => answerWith(answer, this.#finish()),
      stop: (_request, _body, answer) => {
        answer.reply(undefined);
        // The answer goes first.
        setImmediate(this.#resolveStopped);
      },
    };
  }

  async #open(opening: Opening): Promise<undefined> {
    for (const type of this.#catalog.types) {
      const name = shardKey(type);
      assert(this.shards.has(name), `no shard of ${name}`);
    }
    const catalog = this.#catalog;
    this.#opened = await this.#options.open(opening, catalog);
    // Types may have come meanwhile.
    if (this.#catalog !== catalog || this.#isOld) this.#swap(this.#catalog);
    return undefined;
  }

  /** The front serves more, or less, than its catalog says. */
  renew(): void {
    this.#isOld = true;
    if (this.#opened !== undefined) this.#swap(this.#catalog);
  }

  async #informed(): Promise<undefined> {
    await this.#opened?.whenInformed();
    return undefined;
  }

  /** Watches in versions that are not served any more end. */
  async #typesServed(types: readonly CustomTypeFacts[]): Promise<undefined> {
    this.#swap(this.#catalog.with(types));
    for (const facts of types) {
      const served = new Set(customServedTypes(facts).map(({ index }) => index));
      const shard = this.shards.get(customKey(facts.definition.name));
      void shard?.fanout.endAll((version) => served.has(version));
    }
    return undefined;
  }

  async #typeSettled(name: string): Promise<undefined> {
    await this.shards.get(customKey(name))?.fanout.whenSentAll(LAST_EVENTS_MS_MAX);
    return undefined;
  }

  /** Takes the type away; the shard answers what is under way, and closes the link when it ends. */
  async #typeGone(name: string): Promise<undefined> {
    this.#swap(this.#catalog.without(name));
    const key = customKey(name);
    await this.shards.get(key)?.fanout.endAll();
    this.shards.delete(key);
    this.objects.delete(key);
    this.#endSamples.get(key)?.();
    this.#endSamples.delete(key);
    return undefined;
  }

  async #finish(): Promise<undefined> {
    await this.#opened?.front.finish();
    await this.#opened?.audit?.close();
    return undefined;
  }

  #swap(catalog: TypeCatalog): void {
    this.#catalog = catalog;
    this.#opened?.front.swap(this.#opened.apiOf(catalog));
  }

  #connect(name: string, port: Port): void {
    const { fronts, largeBodies } = this.#options;
    const link = new Link<ShardCalls, ShardEvents>({
      peer: name,
      port,
      sends: SHARD_VERBS,
      receives: SHARD_EVENTS,
      handlers: {
        started: ({ objects }) => void this.objects.set(name, { objects, bytes: 0 }),
        published: (event, frame) => fanout.published(event, frame),
        ended: (event) => fanout.ended(event),
        counted: (objects) => void this.objects.set(name, objects),
      },
      requestsMax: shareOf(MAILBOX_REQUESTS_MAX, fronts),
      bytesMax: shareOf(MAILBOX_BYTES_MAX, fronts),
      onTurnEnd: () => fanout.turnEnd(),
    });
    const toOpenMax = shareOf(WATCHES_TO_OPEN_MAX, fronts);
    const metrics = new FanoutMetrics(name);
    const fanout = new WatchFanout(link, SYSTEM_TIMERS, Math.random, toOpenMax, metrics);
    const pageTurns = new BoundedTurns(LIST_TURN_BYTES);
    const documents = this.#documentsOf(name);
    const proposals = this.#proposalsOf(name, link, () => metrics.proposed());
    this.shards.set(name, { link, fanout, pageTurns, largeBodies, documents, proposals });
    const endSamples = sampleEverySecond(() => fanout.sample(link.pendingCount));
    this.#endSamples.set(name, () => {
      endSamples();
      metrics.release();
    });
  }

  #proposalsOf(
    name: string,
    link: Link<ShardCalls, ShardEvents>,
    onProposed: () => void,
  ): ProposedCreates | undefined {
    const { proposerOf, logError } = this.#options;
    const load = proposerOf(name);
    return load && new ProposedCreates({ link, load, onProposed, logError });
  }

  /** Only built-in types have cells that tell of changes. */
  #documentsOf(name: string): KeptDocuments | undefined {
    const { answered } = this.#options;
    const cell = builtInCell(name);
    if (answered === undefined || cell === undefined) return undefined;
    return new KeptDocuments(this.#kept, answered, cell);
  }
}
