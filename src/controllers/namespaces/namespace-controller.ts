/**
 * Empties terminating namespaces: asks every shard of a namespaced type to delete what is in one,
 * again after a while where something holds objects back, and has the namespace finalized once
 * nothing is left. Meanwhile its conditions say what is waited for
 * (src/controllers/README.md#namespaces).
 */
import { Link, LinkClosedError } from '../../actors/link.ts';
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
import type { OtherServers } from './other-servers.ts';
import type { RemoteType } from './remote-content.ts';
import { runController, shardPorts } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

const NAMESPACES = 'namespaces';
const PODS = 'pods';
const NOTHING: NamespaceContent = { terminating: true, remaining: 0, finalizers: {} };

type ShardLink = Link<NamespaceUpkeepCalls, NamespaceUpkeepEvents>;
/** The answer of a type, by its name. */
type Emptied = readonly [resource: string, content: PromiseSettledResult<NamespaceContent>];

interface Settings {
  /** Whether other objects wait until the pods are gone, that they may be used until then. */
  readonly podsFirst: boolean;
  /** Absent where no other server may have anything. */
  readonly others?: OtherServers;
  readonly logError: (text: string) => void;
}

export class NamespaceController {
  readonly #ports: Ports;
  readonly #podsFirst: boolean;
  readonly #others: OtherServers | undefined;
  readonly #logError: (text: string) => void;
  /** Links to the shards of namespaced types, by the types' names. */
  readonly #shards = new Map<string, ShardLink>();
  #namespaces: ShardLink | undefined;
  /** Terminating namespaces. One that is told of again meanwhile was perhaps made anew. */
  readonly #queue: WorkQueue;
  readonly #emptying = new TaskLimiter(NAMESPACE_TYPES_AT_ONCE);
  #stopping = false;

  /** Ports: `control`, and one for the shard of namespaces and of each namespaced type. */
  constructor(ports: Ports, { podsFirst, others, logError }: Settings) {
    this.#ports = ports;
    this.#podsFirst = podsFirst;
    this.#others = others;
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
      begin: (portTo) => {
        this.#others?.begin(portTo);
        void this.#resume();
      },
      stop: () => {
        this.#stopping = true;
        return this.#queue.stop();
      },
      onType: ({ resource }, port) => this.#shards.set(resource, this.#shardLink(resource, port)),
    });
    for (const link of [...this.#shards.values(), this.#namespaces]) link?.close();
    await this.#others?.close();
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
      const pods = this.#podsFirst ? this.#shards.get(PODS) : undefined;
      const first = pods === undefined ? [] : await this.#emptyTypes(namespace, [[PODS, pods]]);
      if (first.some(([, content]) => remain(content))) {
        // As in the reference: what remains is told of once all were asked.
        await this.#tell(namespace, roundOf([]));
        return false;
      }
      const others = [...this.#shards].filter(([, shard]) => shard !== pods);
      const { types = [], failures = [] } = (await this.#others?.types()) ?? {};
      const contents = [
        ...first,
        ...(await this.#emptyTypes(namespace, others)),
        ...(await this.#emptyRemote(namespace, types)),
      ];
      const emptied = contents.flatMap(([, content]) =>
        content.status === 'fulfilled' ? [content.value] : [],
      );
      // A type has gone meanwhile: the next round is without it.
      if (contents.some(([, content]) => isGone(content))) return false;
      // Gone, or made anew: finalizing could hit a later one that was not emptied.
      if (emptied.some(({ terminating }) => !terminating)) return true;
      const isEmpty = emptied.every(({ remaining }) => remaining === 0);
      if (isEmpty && failures.length === 0 && emptied.length === contents.length) {
        await this.#namespaces?.call('finalizeNamespace', { name: namespace });
        return true;
      }
      const round = roundOf(contents, failures);
      // Most often all for the same reason.
      for (const error of new Set(round.errors)) this.#failed(namespace, error);
      await this.#tell(namespace, round);
      return false;
    } catch (error) {
      this.#failed(namespace, (error as Error).message);
      return false;
    }
  }

  #emptyTypes(
    namespace: string,
    shards: readonly (readonly [resource: string, shard: ShardLink])[],
  ): Promise<Emptied[]> {
    return Promise.all(
      shards.map(async ([resource, shard]) => {
        const empty = (): Promise<NamespaceContent> => shard.call('emptyNamespace', { namespace });
        const [content] = await Promise.allSettled([this.#emptying.run(empty)]);
        return [resource, content] as const;
      }),
    );
  }

  #emptyRemote(namespace: string, types: readonly RemoteType[]): Promise<Emptied[]> {
    return Promise.all(
      types.map(async (type) => {
        const empty = async (): Promise<NamespaceContent> =>
          (await this.#others?.empty(namespace, type)) ?? NOTHING;
        const [content] = await Promise.allSettled([this.#emptying.run(empty)]);
        return [type.name, content] as const;
      }),
    );
  }

  async #tell(namespace: string, round: Round): Promise<void> {
    const conditions = namespaceConditions(round);
    await this.#namespaces?.call('setConditions', { name: namespace, conditions });
  }

  /** Logs a failure, unless a stop has interrupted the work. */
  #failed(namespace: string, why: string): void {
    if (!this.#stopping) this.#logError(`emptying namespace ${namespace}: ${why}`);
  }
}

function remain(content: PromiseSettledResult<NamespaceContent>): boolean {
  return content.status === 'fulfilled' && content.value.terminating && content.value.remaining > 0;
}

function isGone(content: PromiseSettledResult<NamespaceContent>): boolean {
  return content.status === 'rejected' && content.reason instanceof LinkClosedError;
}

function roundOf(contents: readonly Emptied[], undiscovered: readonly string[] = []): Round {
  const remaining: { resource: string; count: number }[] = [];
  const finalizers = new Map<string, number>();
  const errors: string[] = [];
  for (const [name, content] of contents) {
    if (content.status === 'rejected') {
      errors.push((content.reason as Error).message);
      continue;
    }
    remaining.push({ resource: ownResource(name), count: content.value.remaining });
    for (const [finalizer, count] of Object.entries(content.value.finalizers)) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
    }
  }
  return { remaining, finalizers, errors, undiscovered };
}
