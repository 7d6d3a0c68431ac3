/**
 * Empties terminating namespaces: asks every shard of a namespaced type to delete what is in one,
 * again after a while where something holds objects back, and has the namespace finalized once
 * nothing is left. Meanwhile its conditions say what is waited for
 * (src/controllers/README.md#namespaces).
 */
import { Link } from '../../actors/link.ts';
import type { Port } from '../../actors/port.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { TaskLimiter } from '../../base/turns/task-limiter.ts';
import { NAMESPACE_RETRY_MS, NAMESPACE_TYPES_AT_ONCE } from '../../limits.ts';
import { ownResource } from '../../semantics/dialect/own-names.ts';
import { NAMESPACE_UPKEEP_EVENTS, NAMESPACE_UPKEEP_VERBS } from '../../protocol/upkeep-protocol.ts';
import type {
  NamespaceContent,
  NamespaceUpkeepCalls,
  NamespaceUpkeepEvents,
} from '../../protocol/upkeep-protocol.ts';
import { namespaceConditions } from './namespace-conditions.ts';
import type { Round } from './namespace-conditions.ts';
import { runController, shardPorts } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

const NAMESPACES = 'namespaces';

type ShardLink = Link<NamespaceUpkeepCalls, NamespaceUpkeepEvents>;

export class NamespaceController {
  readonly #ports: Ports;
  readonly #logError: (text: string) => void;
  /** Links to the shards of namespaced types, by the types' names. */
  readonly #shards = new Map<string, ShardLink>();
  #namespaces: ShardLink | undefined;
  /** Terminating namespaces. One that is told of again meanwhile was perhaps made anew. */
  readonly #queue: WorkQueue;
  readonly #emptying = new TaskLimiter(NAMESPACE_TYPES_AT_ONCE);
  #stopping = false;

  /** Ports: `control`, and one for the shard of namespaces and of each namespaced type. */
  constructor(ports: Ports, logError: (text: string) => void) {
    this.#ports = ports;
    this.#logError = logError;
    const work = (namespace: string): Promise<void> => this.#empty(namespace);
    this.#queue = new WorkQueue({ name: 'namespace', work, timers: SYSTEM_TIMERS, logError });
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    for (const [resource, port] of shardPorts(this.#ports)) {
      const link = this.#shardLink(resource, port);
      if (resource === NAMESPACES) this.#namespaces = link;
      else this.#shards.set(resource, link);
    }
    await runController(this.#ports, {
      begin: () => void this.#resume(),
      stop: () => {
        this.#stopping = true;
        return this.#queue.stop();
      },
      onType: ({ resource }, port) => this.#shards.set(resource, this.#shardLink(resource, port)),
    });
    for (const link of [...this.#shards.values(), this.#namespaces]) link?.close();
  }

  #shardLink(peer: string, port: Port): ShardLink {
    const link: ShardLink = new Link<NamespaceUpkeepCalls, NamespaceUpkeepEvents>({
      peer,
      port,
      sends: NAMESPACE_UPKEEP_VERBS,
      receives: NAMESPACE_UPKEEP_EVENTS,
      handlers: { namespaceTerminating: ({ name }) => this.#queue.add(name) },
      onClose: () => {
        if (this.#shards.get(peer) === link) this.#shards.delete(peer);
      },
    });
    return link;
  }

  /** Takes up what a stop or crash interrupted. */
  async #resume(): Promise<void> {
    const states = await this.#namespaces?.call('namespaceStates', undefined);
    for (const { name, state } of states ?? []) {
      if (state === 'terminating') this.#queue.add(name);
    }
  }

  async #empty(namespace: string): Promise<void> {
    const isFinalized = await this.#emptyOnce(namespace);
    if (!isFinalized) this.#queue.addAfter(namespace, NAMESPACE_RETRY_MS);
  }

  /** One round; true once the namespace is finalized. What fails is tried again. */
  async #emptyOnce(namespace: string): Promise<boolean> {
    try {
      const shards = [...this.#shards];
      const contents = await Promise.allSettled(
        shards.map(([, shard]) =>
          this.#emptying.run(() => shard.call('emptyNamespace', { namespace })),
        ),
      );
      const emptied = contents.filter((content) => content.status === 'fulfilled');
      // Gone, or made anew: finalizing could hit a later one that was not emptied.
      if (emptied.some(({ value }) => !value.terminating)) return true;
      const isEmpty = emptied.every(({ value }) => value.remaining === 0);
      if (isEmpty && emptied.length === contents.length) {
        await this.#namespaces?.call('finalizeNamespace', { name: namespace });
        return true;
      }
      const round = roundOf(
        shards.map(([resource]) => resource),
        contents,
      );
      // Most often all for the same reason.
      for (const error of new Set(round.errors)) this.#failed(namespace, error);
      const conditions = namespaceConditions(round);
      await this.#namespaces?.call('setConditions', { name: namespace, conditions });
      return false;
    } catch (error) {
      this.#failed(namespace, (error as Error).message);
      return false;
    }
  }

  /** Logs a failure, unless a stop has interrupted the work. */
  #failed(namespace: string, why: string): void {
    if (!this.#stopping) this.#logError(`emptying namespace ${namespace}: ${why}`);
  }
}

function roundOf(
  resources: readonly string[],
  contents: readonly PromiseSettledResult<NamespaceContent>[],
): Round {
  const remaining: { resource: string; count: number }[] = [];
  const finalizers = new Map<string, number>();
  const errors: string[] = [];
  contents.forEach((content, index) => {
    if (content.status === 'rejected') {
      errors.push((content.reason as Error).message);
      return;
    }
    const resource = ownResource(resources[index] ?? '');
    remaining.push({ resource, count: content.value.remaining });
    for (const [finalizer, count] of Object.entries(content.value.finalizers)) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
    }
  });
  return { remaining, finalizers, errors };
}
