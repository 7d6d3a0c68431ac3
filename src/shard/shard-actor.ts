/**
 * The shard as an actor. Read this first: it names every verb of a resource type, and each has a
 * file of its own beside this one. Messages are handled in mailbox order, each without awaiting
 * from the moment it looks at a stored object until its write is staged, so the type needs no
 * locks; the writes of a turn are committed together at its end.
 */
import type { MessagePort } from 'node:worker_threads';
import { Link } from '../actors/link.ts';
import type { Answer, Handlers } from '../actors/link.ts';
import { AssertionError } from '../base/assert.ts';
import { SEQUENCER_EVENTS, SEQUENCER_VERBS } from '../sequencer/sequencer-protocol.ts';
import type { SequencerCalls, SequencerEvents } from '../sequencer/sequencer-protocol.ts';
import type { VersionClock } from '../sequencer/version-clock.ts';
import type { KindRuntime } from '../resources/kind-runtime.ts';
import { NAMESPACE } from '../resources/core/namespace.ts';
import { internalError, StatusError } from '../semantics/status.ts';
import type { TypeLog } from '../storage/store.ts';
import { bookmark } from './bookmark.ts';
import { create } from './create.ts';
import { deleteObject } from './delete.ts';
import { deleteCollection } from './delete-collection.ts';
import { emptyNamespace } from './empty-namespace.ts';
import { get } from './get.ts';
import { Lists } from './list.ts';
import { finalizeNamespace, NamespaceLifecycle, namespaceStates } from './namespace-lifecycle.ts';
import type { ReplicaRef } from './namespace-lifecycle.ts';
import { Shard } from './shard.ts';
import { SHARD_EVENTS, SHARD_VERBS } from './shard-protocol.ts';
import type { ShardCalls, ShardEvents } from './shard-protocol.ts';
import { refusedWhenSettled } from './storage-failure.ts';
import { update } from './update.ts';
import { Watches } from './watch.ts';

export interface ShardActorOptions {
  readonly kind: KindRuntime;
  readonly log: TypeLog;
  readonly clock: VersionClock;
  readonly historyMs: number;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
  readonly continueTokenKey: string;
  readonly sequencer: MessagePort;
  /** Whoever asks this shard: the front, the controllers, the shard of namespaces. */
  readonly clients: readonly MessagePort[];
  /** Of the namespaces shard: all shards of namespaced types. */
  readonly replicas: readonly MessagePort[];
}

type ClientLink = Link<ShardEvents, ShardCalls>;

export class ShardActor {
  readonly #options: ShardActorOptions;
  readonly #shard: Shard;
  readonly #lists: Lists;
  readonly #clients: ClientLink[] = [];
  readonly #replicas: Link<ShardCalls, ShardEvents>[];
  readonly #sequencer: Link<SequencerCalls, SequencerEvents>;
  readonly #lifecycle: NamespaceLifecycle | undefined;
  readonly #stopped: Promise<void>;
  #resolveStopped: () => void = () => undefined;

  /** Reads the log; throws when it is damaged. */
  constructor(options: ShardActorOptions) {
    const { kind, log, clock, historyMs, nowMs } = options;
    this.#options = options;
    this.#stopped = new Promise((resolve) => (this.#resolveStopped = resolve));
    this.#sequencer = new Link<SequencerCalls, SequencerEvents>({
      peer: 'sequencer',
      port: options.sequencer,
      sends: SEQUENCER_VERBS,
      receives: SEQUENCER_EVENTS,
      handlers: { started: () => undefined },
    });
    this.#replicas = options.replicas.map((port, index) => replicaLink(port, index));
    const isNamespaces = kind.definition === NAMESPACE;
    this.#lifecycle = isNamespaces ? this.#newLifecycle() : undefined;
    this.#shard = new Shard({
      kind,
      log,
      clock,
      historyMs,
      nowMs,
      continueTokenKey: options.continueTokenKey,
      lease: async (rv) => void (await this.#sequencer.call('lease', { atLeast: rv })),
      beforeAnswer: this.#lifecycle?.beforeAnswer.bind(this.#lifecycle),
      onCommitEnd: () => this.#afterCommit(),
      onError: (error) => options.logError(`compaction of ${kind.key}: ${error.message}`),
    });
    this.#lists = new Lists(this.#shard);
  }

  /** Serves until it is told to stop. */
  async run(): Promise<void> {
    for (const port of this.#options.clients) this.#addClient(port);
    await this.#lifecycle?.start(this.#shard);
    this.#shard.history.start();
    const started = { objects: this.#shard.table.size, lastRv: this.#shard.pipeline.appliedRv };
    for (const client of this.#clients) client.tell('started', started);
    await this.#stopped;
    for (const link of [...this.#clients, ...this.#replicas, this.#sequencer]) link.close();
  }

  #addClient(port: MessagePort): void {
    const link: ClientLink = new Link<ShardEvents, ShardCalls>({
      peer: 'client',
      port,
      sends: SHARD_EVENTS,
      receives: SHARD_VERBS,
      handlers: this.#handlers(() => link),
      onTurnEnd: () => this.#shard.pipeline.kick(),
    });
    this.#clients.push(link);
  }

  #handlers(link: () => ClientLink): Handlers<ShardCalls> {
    const shard = this.#shard;
    const lists = this.#lists;
    const watches = new Watches(shard, {
      publish: (channels, rv, ...frame) => link().tell('published', { channels, rv }, ...frame),
    });
    const guarded = guard(this.#options.logError);
    return {
      get: guarded((request, _body, answer) => get(shard, request, answer)),
      list: guarded((request, _body, answer) => lists.list(request, answer)),
      listMore: guarded(({ listId }, _body, answer) => lists.more(listId, answer)),
      listClosed: ({ listId }) => lists.close(listId),
      create: guarded((request, body, answer) => create(shard, request, body, answer)),
      update: guarded((request, body, answer) =>
        refusedWhenSettled(shard, shard.keyOf(request.namespace, request.name), answer, () =>
          update(shard, request, body, answer),
        ),
      ),
      delete: guarded((request, body, answer) =>
        refusedWhenSettled(shard, shard.keyOf(request.namespace, request.name), answer, () =>
          deleteObject(shard, request, body, answer),
        ),
      ),
      deleteCollection: guarded((request, body, answer) =>
        deleteCollection(shard, request, body, answer),
      ),
      watch: guarded((request, _body, answer) => watches.open(request, answer)),
      watchMore: guarded(({ watchId }, _body, answer) => watches.more(watchId, answer)),
      watchClosed: ({ watchId }) => watches.close(watchId),
      bookmark: (_request, _body, answer) => bookmark(shard, answer),
      ping: (_request, _body, answer) => {
        answer.reply({ storageError: shard.recentFailure()?.message ?? '' });
      },
      namespacesChanged: (changes, _body, answer) => {
        shard.namespaces.update(changes);
        answer.reply(undefined);
      },
      emptyNamespace: guarded(({ namespace }, _body, answer) =>
        emptyNamespace(shard, namespace, answer),
      ),
      finalizeNamespace: guarded(({ name }, _body, answer) =>
        finalizeNamespace(shard, name, answer),
      ),
      namespaceStates: (_request, _body, answer) => answer.reply(namespaceStates(shard)),
      stop: (_request, _body, answer) => void this.#stop(answer),
    };
  }

  async #stop(answer: Answer<undefined>): Promise<void> {
    this.#shard.stopping = true;
    await this.#shard.pipeline.idle();
    await this.#shard.history.stop();
    this.#shard.pageTurns.stop();
    this.#shard.past.stop();
    answer.reply(undefined);
    this.#resolveStopped();
  }

  #afterCommit(): void {
    for (const client of this.#clients) client.flush();
    const { clock } = this.#options;
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

  #newLifecycle(): NamespaceLifecycle {
    const refs: ReplicaRef[] = this.#replicas.map((link) => (changes, then) => {
      link.ask('namespacesChanged', changes, undefined, (error) => then(error));
    });
    return new NamespaceLifecycle(refs, (name) => {
      for (const client of this.#clients) client.tell('namespaceTerminating', { name });
    });
  }
}

const LEASE_AHEAD = 25_000;

function replicaLink(port: MessagePort, index: number): Link<ShardCalls, ShardEvents> {
  return new Link<ShardCalls, ShardEvents>({
    peer: `replica ${index}`,
    port,
    sends: SHARD_VERBS,
    receives: SHARD_EVENTS,
    handlers: {
      started: () => undefined,
      published: () => undefined,
      namespaceTerminating: () => undefined,
    },
  });
}

/**
 * A verb that throws answers with what it threw: a Status as it is, an unforeseen error as 500
 * with its stack in the log. A broken invariant ends the actor.
 */
function guard(logError: (text: string) => void) {
  return <Request, Reply>(
      verb: (request: Request, body: Uint8Array, answer: Answer<Reply>) => void,
    ) =>
    (request: Request, body: Uint8Array, answer: Answer<Reply>): void => {
      try {
        verb(request, body, answer);
      } catch (error) {
        if (error instanceof StatusError) {
          answer.fail(error);
        } else if (error instanceof AssertionError) {
          throw error;
        } else {
          const { message, stack } = error as Error;
          logError(stack ?? message);
          answer.fail(internalError(message));
        }
      }
    };
}
