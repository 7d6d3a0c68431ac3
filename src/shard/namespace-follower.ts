/**
 * What the shards of a thread know of namespaces: one replica for all of them, which the shard of
 * namespaces tells of each change before it answers whoever made it (README.md#namespaces).
 */
import type { MessagePort } from 'node:worker_threads';
import { Link } from '../actors/link.ts';
import { NamespaceReplica } from './namespace-replica.ts';
import { REPLICA_VERBS } from './upkeep-protocol.ts';
import type { NoEvents, ReplicaCalls } from './upkeep-protocol.ts';

export class NamespaceFollower {
  readonly replica = new NamespaceReplica();
  /** Resolves when it is known which namespaces there are. */
  readonly known: Promise<void>;
  readonly #link: Link<NoEvents, ReplicaCalls>;
  #users = 0;

  constructor(port: MessagePort) {
    let resolveKnown: () => void = () => undefined;
    this.known = new Promise((resolve) => (resolveKnown = resolve));
    this.#link = new Link<NoEvents, ReplicaCalls>({
      peer: 'namespaces',
      port,
      sends: [],
      receives: REPLICA_VERBS,
      handlers: {
        namespacesChanged: (changes, _body, answer) => {
          this.replica.update(changes);
          answer.reply(undefined);
          resolveKnown();
        },
      },
    });
  }

  /** A shard of the thread goes by it from now on. */
  join(): void {
    this.#users++;
  }

  /** A shard has stopped. True when it was the last one: it is told of no changes then. */
  leave(): boolean {
    this.#users--;
    if (this.#users > 0) return false;
    this.#link.close();
    return true;
  }
}
