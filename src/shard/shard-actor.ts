/**
 * The shard as an actor. Read this first: it names every verb of a resource type, and each has a
 * file of its own beside this one. Messages are handled in mailbox order, each without awaiting
 * from the moment it looks at a stored object until its write is staged, so the type needs no
 * locks; the writes of a turn are committed together at its end.
 */
import { answerWith } from '../actors/answer-with.ts';
import { Link } from '../actors/link.ts';
import { assert } from '../base/assert.ts';
import type { Answer, Handlers } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import { SEQUENCER_EVENTS, SEQUENCER_VERBS } from '../protocol/sequencer-protocol.ts';
import type { SequencerCalls, SequencerEvents } from '../protocol/sequencer-protocol.ts';
import type { RunJob } from './state/shard-options.ts';
import type { PageBuffer } from './state/page-buffer.ts';
import type { EncodingCache } from './representation/encoding-cache.ts';
import type { Clock } from '../sequencer/version-clock.ts';
import type { JournaledType } from '../journal/journaled-type.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { CustomTypeFacts } from '../types/custom/custom-type-facts.ts';
import type { AdmissionChain } from '../admission/chain.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { GrantCheck } from '../auth/rbac/grant-check.ts';
import type { OtherTypes } from '../resources/allocator.ts';
import type { KindSettings } from '../resources/kind.ts';
import type { TypeLog } from '../storage/store.ts';
import { sampleEverySecond } from '../observability/metrics/thread-metrics.ts';
import { ownResource } from '../semantics/dialect/own-names.ts';
import { adopt } from './state/adopt.ts';
import { bookmark } from './watch/bookmark.ts';
import { create } from './verbs/create.ts';
import { createProposed } from './verbs/create-proposed.ts';
import { deleteObject } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { ControllerLinks } from './upkeep/controller-links.ts';
import type { ControllerPorts } from './upkeep/controller-links.ts';
import { get } from './read/get.ts';
import { pastVersion } from './read/past-version.ts';
import { whenNewest } from './read/when-newest.ts';
import { errorsAsReplies } from './state/errors-as-replies.ts';
import { Lists } from './read/list.ts';
import { ObjectCounts } from './read/object-counts.ts';
import { OwnersShard } from './owners-shard.ts';
import { leavesTerminating, makeSystemNamespaces } from './upkeep/namespace-lifecycle.ts';
import type { NamespaceReplica } from '../admission/namespace-replica.ts';
import { ownVerbs } from './upkeep/own-verbs.ts';
import type { RestoreState } from './state/restore-state.ts';
import type { SnapshotVerbs } from './upkeep/snapshot-verbs.ts';
import { Shard } from './state/shard.ts';
import { AllocatorMetrics } from './log/allocator-metrics.ts';
import { ShardMetrics } from './log/shard-metrics.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../protocol/shard-protocol.ts';
import type { ShardCalls, ShardEvents, TypePort } from '../protocol/shard-protocol.ts';
import type { SnapshotCalls } from '../protocol/snapshot-protocol.ts';
import { patch } from './verbs/patch.ts';
import { replyTimes } from './state/reply-times.ts';
import { update } from './verbs/update.ts';
import { warmUp } from './read/warm-up.ts';
import { Watches } from './watch/watch.ts';
import { writing } from './write/driver.ts';
import type { StagedWrite } from './state/write-pipeline.ts';

export interface ShardActorOptions {
  readonly kind: ResourceType;
  readonly log: TypeLog;
  /** Where other servers share the type. */
  readonly journaled?: JournaledType | undefined;
  readonly clock: Clock;
  /** The encoded objects that the thread keeps. */
  readonly encodings: EncodingCache;
  readonly runJob: RunJob;
  /** Where the thread puts pages together: none is in two turns. */
  readonly page: PageBuffer;
  readonly historyMs: number;
  /** See `EventHistory.hold`. */
  readonly heldFrom: number;
  readonly restores: RestoreState;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
  readonly continueTokenKey: string;
  readonly kindSettings: KindSettings;
  readonly otherTypes: OtherTypes;
  /** Makes a custom type of what its definition has become. */
  readonly customType: (facts: CustomTypeFacts) => ResourceType;
  /** Decides whether users may write roles and bindings. */
  readonly grants?: GrantCheck | undefined;
  /** Decides what users may do. */
  readonly authorizer: () => Authorizer;
  /** The admission of writes. */
  readonly admission: AdmissionChain;
  /** Told that no record of the other dialect is left, and how many there were; absent if none. */
  readonly onTranslated: ((records: number) => void) | undefined;
  readonly sequencer: Port;
  /** The main thread, which is a client too, and knows the way to all shards. */
  readonly main: Port;
  /** Whoever else asks this shard for a client. */
  readonly clients: readonly Port[];
  readonly controllers: ControllerPorts;
  /** Told of the writes of a commit before any of them is answered, or seen by anybody. */
  readonly onApplied?: ((writes: readonly StagedWrite[]) => void) | undefined;
  /** The namespaces that the thread knows; undefined for a type without namespaces. */
  readonly namespaces: NamespaceReplica | undefined;
}

type ClientLink = Link<ShardEvents, ShardCalls>;

export class ShardActor {
  readonly #options: ShardActorOptions;
  readonly #shard: Shard;
  readonly #metrics: ShardMetrics;
  /** Something has changed since the metrics were told. */
  #isUntold = true;
  readonly #lists: Lists;
  readonly #ownVerbs: ReturnType<typeof ownVerbs>;
  #snapshotVerbs: SnapshotVerbs | undefined;
  readonly #clients: ClientLink[] = [];
  #counts: ObjectCounts | undefined;
  #main: ClientLink | undefined;
  readonly #controllers = new ControllerLinks();
  readonly #sequencer: Link<SequencerCalls, SequencerEvents>;
  /** Where writes go as long as another server decides them. */
  readonly #owners: OwnersShard;
  #translated: Promise<void> | undefined;
  readonly #stopped: Promise<void>;
  #resolveStopped: () => void = () => undefined;

  /** Reads the log; throws when it is damaged. */
  constructor(options: ShardActorOptions) {
    const { kind, clock, historyMs, nowMs, journaled } = options;
    const { key, definition } = kind;
    this.#metrics = new ShardMetrics({ key, message: definition.message });
    this.#options = options;
    this.#stopped = new Promise((resolve) => (this.#resolveStopped = resolve));
    this.#sequencer = new Link<SequencerCalls, SequencerEvents>({
      peer: 'sequencer',
      port: options.sequencer,
      sends: SEQUENCER_VERBS,
      receives: SEQUENCER_EVENTS,
      handlers: { started: () => undefined },
    });
    this.#shard = new Shard({
      kind,
      log: options.log,
      metrics: this.#metrics,
      clock,
      groups: journaled?.groups,
      refusal: journaled && (() => journaled.refusal()),
      encodings: options.encodings,
      page: options.page,
      runJob: options.runJob,
      namespaces: options.namespaces,
      restores: options.restores,
      historyMs,
      nowMs,
      continueTokenKey: options.continueTokenKey,
      kindSettings: options.kindSettings,
      otherTypes: options.otherTypes,
      grants: options.grants,
      authorizer: options.authorizer,
      admission: options.admission,
      isUntranslated: options.onTranslated !== undefined,
      lease: async (rv) => void (await this.#sequencer.call('lease', { atLeast: rv })),
      onApplied: options.onApplied,
      onPublished: kind.definition.emptiesNamespace
        ? (write) => this.#onNamespace(write)
        : undefined,
      onOwnership:
        options.controllers.garbageCollector === undefined
          ? undefined
          : (changes) => {
              if (this.#isOwn) this.#controllers.ownershipChanged(changes);
            },
      onCommitEnd: () => this.#afterCommit(),
      logError: options.logError,
    });
    this.#shard.history.hold(options.heldFrom);
    this.#lists = new Lists(this.#shard);
    this.#ownVerbs = ownVerbs(this.#shard);
    this.#owners = new OwnersShard(ownResource(kind.key), (its) =>
      this.#main?.givePort({ type: kind.key, isOwners: true }, its),
    );
    const { pipeline } = this.#shard;
    journaled?.attach({
      adopt: (entries) => adopt(this.#shard, entries),
      oldest: () => pipeline.oldest(),
      oldestStaged: () => pipeline.oldestStaged(),
    });
  }

  /** Whether writes of the type are decided here. */
  get #isOwn(): boolean {
    return this.#options.journaled?.isOwn !== false;
  }

  /** Serves until it is told to stop. */
  async run(): Promise<void> {
    const { kind, main, clients, controllers, namespaces, logError } = this.#options;
    this.#main = this.#addClient(main);
    this.#counts = new ObjectCounts(
      this.#shard,
      clients.map((port) => this.#addClient(port)),
    );
    this.#controllers.open(controllers, this.#shard, errorsAsReplies(logError));
    await namespaces?.whenCurrent();
    if (kind.definition.emptiesNamespace && this.#isOwn) await makeSystemNamespaces(this.#shard);
    this.#shard.history.start();
    this.#translated = this.#translate();
    const started = { objects: this.#shard.table.size, lastRv: this.#shard.pipeline.appliedRv };
    for (const client of this.#clients) client.tell('started', started);
    warmUp(this.#shard);
    const allocations = new AllocatorMetrics();
    const endSamples = sampleEverySecond(() => {
      this.#tellMetrics();
      allocations.tell(this.#shard.allocated);
    });
    this.#tellMetrics();
    await this.#stopped;
    endSamples();
    this.#metrics.release();
    allocations.release();
    for (const link of [...this.#clients, this.#sequencer, this.#owners]) link.close();
    this.#options.journaled?.close();
    this.#controllers.close();
  }

  /** Old versions go without a write. */
  #tellMetrics(): void {
    if (!this.#isUntold) return;
    const { table, history, pipeline } = this.#shard;
    const objects = table.size;
    const versions = this.#options.log.count();
    const newestRv = pipeline.appliedRv;
    this.#metrics.tell({ objects, versions, newestRv, horizonRv: history.horizon() });
    this.#counts?.tell();
    this.#isUntold = versions > objects;
  }

  /** Translates records of the other dialect. One that fails is translated whenever it is read. */
  async #translate(): Promise<void> {
    const { kind, logError, onTranslated } = this.#options;
    try {
      const records = await this.#shard.translation?.run();
      if (records !== undefined) onTranslated?.(records);
    } catch (error) {
      const why = (error as Error).message;
      logError(`translation of ${kind.key}, which goes on after the next start: ${why}`);
    }
  }

  /** Gives the shard of a type, wherever that is, one more client. */
  passPort(type: string, port: Port): void {
    if (this.#main === undefined) port.close();
    else this.#main.givePort({ type } satisfies TypePort, port);
  }

  #addClient(port: Port): ClientLink {
    const watches = new Watches(this.#shard, {
      publish: (channels, rv, ...frame) => link.tell('published', { channels, rv }, ...frame),
      end: (channels) => link.tell('ended', { channels }),
    });
    const link: ClientLink = new Link<ShardEvents, ShardCalls>({
      peer: 'client',
      port,
      sends: SHARD_EVENTS,
      receives: SHARD_VERBS,
      handlers: this.#handlers(watches),
      markOf: (request) => replyTimes(this.#shard, request),
      onTurnEnd: () => this.#shard.pipeline.kick(),
      onPort: (_given, its) => void this.#addClient(its),
      onClose: () => {
        this.#clients.splice(this.#clients.indexOf(link), 1);
        watches.closeAll();
      },
    });
    this.#clients.push(link);
    return link;
  }

  /** Its controller is told that one ends once all that creates in it can know. */
  #onNamespace(write: StagedWrite): void {
    if (this.#isOwn && leavesTerminating(write)) this.#controllers.namespaceTerminating(write.key);
  }

  #handlers(watches: Watches): Handlers<ShardCalls> {
    const shard = this.#shard;
    const lists = this.#lists;
    const { logError, journaled } = this.#options;
    const guarded = errorsAsReplies(logError);
    const newest = whenNewest(shard, journaled, guarded);
    const owned = this.#owners.unlessOwn(() => this.#isOwn);
    return {
      get: newest((request, _body, answer) => get(shard, request, answer)),
      list: newest((request, _body, answer) => lists.list(request, answer)),
      listMore: guarded(({ listId }, _body, answer) => lists.more(listId, answer)),
      listClosed: ({ listId }) => lists.close(listId),
      create: owned('create', writing(shard, create)),
      createProposed: owned('createProposed', writing(shard, createProposed)),
      update: owned('update', writing(shard, update)),
      patch: owned('patch', writing(shard, patch)),
      delete: owned('delete', writing(shard, deleteObject)),
      deleteCollection: owned(
        'deleteCollection',
        guarded((request, body, answer) => deleteCollection(shard, request, body, answer)),
      ),
      own: owned(
        'own',
        guarded(({ verb, request }, _body, answer) => {
          const own = this.#ownVerbs.get(verb);
          assert(own !== undefined, `shards of ${shard.kind.key} know the verb ${verb}`);
          own(request as never, answer);
        }),
      ),
      watch: newest((request, _body, answer) => watches.open(request, answer)),
      watchMore: guarded((request, _body, answer) => watches.more(request, answer)),
      watchClosed: ({ watchId }) => watches.close(watchId),
      bookmark: (request, _body, answer) => bookmark(shard, request, answer),
      version: newest(({ past }, _body, answer) => {
        const rv = past === undefined ? shard.pipeline.listVersion() : pastVersion(shard, past);
        answer.reply({ rv });
      }),
      ping: (_request, _body, answer) => {
        const storageError = shard.failures.newest?.message ?? '';
        answer.reply({ storageError, objects: shard.table.size });
      },
      snapshot: ({ verb, request }, _body, answer) =>
        answerWith(answer, this.#onSnapshot(verb, request)),
      retype: (facts, _body, answer) => {
        shard.retype(this.#options.customType(facts));
        answer.reply(undefined);
      },
      takeOver: ({ fence }, _body, answer) => answerWith(answer, this.#takeOver(fence)),
      stop: (_request, _body, answer) => void this.#stop(answer),
    };
  }

  /** Loads what it needs where there are snapshots. */
  async #onSnapshot(verb: keyof SnapshotCalls, request: unknown): Promise<unknown> {
    const { snapshotVerbs } = await import('./upkeep/snapshot-verbs.ts');
    this.#snapshotVerbs ??= snapshotVerbs(this.#shard);
    return this.#snapshotVerbs[verb](request as never);
  }

  /** From when it resolves on writes are decided here. */
  async #takeOver(fence: number): Promise<undefined> {
    const { journaled, kind } = this.#options;
    await journaled?.own(fence);
    if (kind.definition.emptiesNamespace) await makeSystemNamespaces(this.#shard);
    return undefined;
  }

  async #stop(answer: Answer<undefined>): Promise<void> {
    this.#shard.stopping = true;
    await this.#shard.pipeline.idle();
    await this.#shard.history.stop();
    this.#shard.translation?.stop();
    await this.#translated;
    this.#shard.pageTurns.stop();
    this.#shard.past.stop();
    answer.reply(undefined);
    this.#resolveStopped();
  }

  #afterCommit(): void {
    this.#isUntold = true;
    this.#options.journaled?.committed();
    for (const client of this.#clients) client.flush();
    this.#controllers.flush();
    const { clock } = this.#options;
    if (!this.#isOwn) return;
    // Lease the next block long before this one is used up, so that no commit waits for it.
    if (clock.leased() - clock.current() < LEASE_AHEAD) this.#leaseAhead();
  }

  #leaseAhead(): void {
    const atLeast = this.#options.clock.current() + LEASE_AHEAD;
    if (this.#sequencer.pendingCount > 0) return;
    this.#sequencer.call('lease', { atLeast }).catch((error: unknown) => {
      this.#options.logError(`lease of versions: ${(error as Error).message}`);
    });
  }
}

const LEASE_AHEAD = 25_000;
