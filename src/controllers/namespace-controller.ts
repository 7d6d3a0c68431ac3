/**
 * Empties terminating namespaces: asks every shard of a namespaced type to delete what is in
 * one, again after a while where finalizers hold objects back, and has the namespace finalized
 * once nothing is left. It uses shards as any client does (API-FACTS 4.5).
 */
import type { MessagePort } from 'node:worker_threads';
import { Link } from '../actors/link.ts';
import { NAMESPACE_RETRY_MS } from '../limits.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from './controller-protocol.ts';
import type { ControllerCalls, ControllerEvents } from './controller-protocol.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../shard/shard-protocol.ts';
import type { ShardCalls, ShardEvents } from '../shard/shard-protocol.ts';

const NAMESPACES = 'shard:namespaces';
const CONTROL = 'control';

type ShardLink = Link<ShardCalls, ShardEvents>;

export class NamespaceController {
  readonly #ports: Readonly<Record<string, MessagePort>>;
  readonly #logError: (text: string) => void;
  readonly #shards: ShardLink[] = [];
  #namespaces: ShardLink | undefined;
  /** Namespaces that are being emptied now. */
  readonly #busy = new Set<string>();
  /** Of those, the ones that were told to terminate again: perhaps made anew meanwhile. */
  readonly #again = new Set<string>();
  #stopping = false;

  /** Ports: `control`, `shard:namespaces`, and `shard:<type>` for each namespaced type. */
  constructor(ports: Readonly<Record<string, MessagePort>>, logError: (text: string) => void) {
    this.#ports = ports;
    this.#logError = logError;
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    for (const [name, port] of Object.entries(this.#ports)) {
      if (name === CONTROL) continue;
      const link = this.#shardLink(name, port);
      if (name === NAMESPACES) this.#namespaces = link;
      else this.#shards.push(link);
    }
    await new Promise<void>((resolve) => {
      const { [CONTROL]: port } = this.#ports;
      if (port === undefined) throw new Error('the namespace controller needs a control port');
      const control = new Link<ControllerEvents, ControllerCalls>({
        peer: 'main',
        port,
        sends: CONTROLLER_EVENTS,
        receives: CONTROLLER_VERBS,
        handlers: {
          stop: (_request, _body, answer) => {
            this.#stopping = true;
            answer.reply(undefined);
            setImmediate(() => {
              control.close();
              resolve();
            });
          },
        },
      });
      control.tell('started', undefined);
      void this.#resume();
    });
    for (const link of [...this.#shards, this.#namespaces]) link?.close();
  }

  #shardLink(name: string, port: MessagePort): ShardLink {
    return new Link<ShardCalls, ShardEvents>({
      peer: name,
      port,
      sends: SHARD_VERBS,
      receives: SHARD_EVENTS,
      handlers: {
        started: () => undefined,
        published: () => undefined,
        namespaceTerminating: (event) => void this.#empty(event.name),
      },
    });
  }

  /** Takes up what a stop or crash interrupted. */
  async #resume(): Promise<void> {
    const states = await this.#namespaces?.call('namespaceStates', undefined);
    for (const { name, state } of states ?? []) {
      if (state === 'terminating') void this.#empty(name);
    }
  }

  async #empty(namespace: string): Promise<void> {
    if (this.#busy.has(namespace)) {
      this.#again.add(namespace);
      return;
    }
    this.#busy.add(namespace);
    do {
      this.#again.delete(namespace);
      while (!this.#stopping && !(await this.#emptyOnce(namespace))) {
        await new Promise((resolve) => setTimeout(resolve, NAMESPACE_RETRY_MS));
      }
    } while (this.#again.has(namespace) && !this.#stopping);
    this.#busy.delete(namespace);
  }

  /** One round; true once the namespace is finalized. What fails is tried again. */
  async #emptyOnce(namespace: string): Promise<boolean> {
    try {
      const counts = await Promise.all(
        this.#shards.map((shard) => shard.call('emptyNamespace', { namespace })),
      );
      // Gone, or made anew: finalizing could hit a later one that was not emptied.
      if (counts.some(({ terminating }) => !terminating)) return true;
      if (counts.some(({ remaining }) => remaining > 0)) return false;
      await this.#namespaces?.call('finalizeNamespace', { name: namespace });
      return true;
    } catch (error) {
      this.#logError(`emptying namespace ${namespace}: ${(error as Error).message}`);
      return false;
    }
  }
}
