/** The links of a shard to the controllers: each controller has its own verbs and events. */
import { Link } from '../../actors/link.ts';
import type { Calls, Handlers } from '../../actors/link.ts';
import type { Port } from '../../actors/port.ts';
import { emptyNamespace } from './empty-namespace.ts';
import { Expiry } from './expire.ts';
import { Garbage } from './garbage.ts';
import type { ErrorsAsReplies } from '../state/errors-as-replies.ts';
import { setConditions } from './namespace-conditions.ts';
import { finalizeNamespace, namespaceStates } from './namespace-lifecycle.ts';
import type { Shard } from '../state/shard.ts';
import {
  EXPIRY_VERBS,
  GARBAGE_EVENTS,
  GARBAGE_VERBS,
  NAMESPACE_UPKEEP_EVENTS,
  NAMESPACE_UPKEEP_VERBS,
} from '../../protocol/upkeep-protocol.ts';
import type {
  ExpiryCalls,
  GarbageCalls,
  GarbageEvents,
  NamespaceUpkeepCalls,
  NamespaceUpkeepEvents,
  NoEvents,
  OwnershipChanges,
} from '../../protocol/upkeep-protocol.ts';

/** A port for each controller that is switched on and has to do with this type. */
export interface ControllerPorts {
  readonly namespace?: Port | undefined;
  readonly garbageCollector?: Port | undefined;
  readonly eventExpiry?: Port | undefined;
}

export class ControllerLinks {
  #shard: Shard | undefined;
  #namespace: Link<NamespaceUpkeepEvents, NamespaceUpkeepCalls> | undefined;
  #garbage: Link<GarbageEvents, GarbageCalls> | undefined;
  #expiry: Link<NoEvents, ExpiryCalls> | undefined;

  /** Begins to serve the controllers. */
  open(ports: ControllerPorts, shard: Shard, guarded: ErrorsAsReplies): void {
    this.#shard = shard;
    const { namespace, garbageCollector, eventExpiry } = ports;
    if (namespace !== undefined) {
      const handlers = namespaceHandlers(shard, guarded);
      this.#namespace = this.#link(
        namespace,
        NAMESPACE_UPKEEP_EVENTS,
        NAMESPACE_UPKEEP_VERBS,
        handlers,
      );
    }
    if (garbageCollector !== undefined) {
      const garbage = new Garbage(shard, (owned) => this.#lookAgain(owned));
      const handlers = garbageHandlers(garbage, guarded);
      this.#garbage = this.#link(garbageCollector, GARBAGE_EVENTS, GARBAGE_VERBS, handlers);
    }
    if (eventExpiry !== undefined) {
      const handlers = expiryHandlers(new Expiry(shard));
      this.#expiry = this.#link<NoEvents, ExpiryCalls>(eventExpiry, [], EXPIRY_VERBS, handlers);
    }
  }

  namespaceTerminating(name: string): void {
    this.#namespace?.tell('namespaceTerminating', { name });
  }

  ownershipChanged(changes: OwnershipChanges): void {
    this.#garbage?.tell('ownershipChanged', changes);
  }

  /** Not as a part of a commit. */
  #lookAgain(owned: readonly string[]): void {
    this.ownershipChanged({ gone: [], released: [], owned, awaiting: [] });
    this.#garbage?.flush();
  }

  flush(): void {
    for (const link of [this.#namespace, this.#garbage, this.#expiry]) link?.flush();
  }

  close(): void {
    for (const link of [this.#namespace, this.#garbage, this.#expiry]) link?.close();
  }

  #link<Out extends Calls<Out>, In extends Calls<In>>(
    port: Port,
    sends: readonly (keyof Out & string)[],
    receives: readonly (keyof In & string)[],
    handlers: Handlers<In>,
  ): Link<Out, In> {
    const onTurnEnd = (): void => this.#shard?.pipeline.kick();
    return new Link<Out, In>({ peer: 'controller', port, sends, receives, handlers, onTurnEnd });
  }
}

function namespaceHandlers(shard: Shard, guarded: ErrorsAsReplies): Handlers<NamespaceUpkeepCalls> {
  return {
    emptyNamespace: guarded(({ namespace }, _body, answer) =>
      emptyNamespace(shard, namespace, answer),
    ),
    finalizeNamespace: guarded(({ name }, _body, answer) => finalizeNamespace(shard, name, answer)),
    setConditions: guarded(({ name, conditions }, _body, answer) =>
      setConditions(shard, name, conditions, answer),
    ),
    namespaceStates: (_request, _body, answer) => answer.reply(namespaceStates(shard)),
  };
}

function garbageHandlers(garbage: Garbage, guarded: ErrorsAsReplies): Handlers<GarbageCalls> {
  return {
    ownership: ({ after }, _body, answer) => answer.reply(garbage.ownership(after)),
    ownedObjects: guarded(({ keys }, _body, answer) => answer.reply(garbage.ownedObjects(keys))),
    ownerStates: guarded(({ keys }, _body, answer) => answer.reply(garbage.ownerStates(keys))),
    dependentKeys: ({ owners }, _body, answer) => answer.reply(garbage.dependentKeys(owners)),
    dependentCounts: ({ owners }, _body, answer) => answer.reply(garbage.dependentCounts(owners)),
    collect: guarded((orders, _body, answer) => garbage.collect(orders, answer)),
    orphanDependents: guarded(({ owners, restores }, _body, answer) =>
      garbage.orphanDependents(owners, restores, answer),
    ),
    release: guarded(({ objects, waited }, _body, answer) =>
      garbage.release(objects, waited, answer),
    ),
  };
}

function expiryHandlers(expiry: Expiry): Handlers<ExpiryCalls> {
  return {
    expire: ({ writtenUntilMs }, _body, answer) => {
      expiry.expire(writtenUntilMs).then(
        (expired) => answer.reply({ expired }),
        (error: unknown) => answer.fail(error),
      );
    },
  };
}
