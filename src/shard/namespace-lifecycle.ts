/**
 * What the shard of namespaces does besides serving them: makes the system ones, tells every other
 * shard which exist before it answers that they do, and begins their end (README.md#namespaces).
 */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { NAMESPACE_FINALIZER, SYSTEM_NAMESPACES } from '../resources/core/namespace.ts';
import { OPERATION } from '../storage/record.ts';
import { createObject } from './create.ts';
import { ALL_KEYS } from './object-table.ts';
import type { Shard } from './shard.ts';
import { CONTROLLER_MANAGER, SERVER_MANAGER } from './shard-protocol.ts';
import type { ObjectReply } from './shard-protocol.ts';
import { UNSEEN, writeUpdate } from './update.ts';
import type { NamespaceState } from './upkeep-protocol.ts';
import type { Write } from './write-pipeline.ts';
import { trackWrite } from './record-owners.ts';

/** Another shard's replica: calls `then` once it knows. */
export type ReplicaRef = (changes: NamespaceState[], then: (error?: Error) => void) => void;

function stateOf(fields: readonly string[]): NamespaceState['state'] {
  return fields[0] === 'Terminating' ? 'terminating' : 'active';
}

export class NamespaceLifecycle {
  readonly #replicas = new Set<ReplicaRef>();
  readonly #onTerminating: (name: string) => void;

  constructor(onTerminating: (name: string) => void) {
    this.#onTerminating = onTerminating;
  }

  /** Tells a replica what there is; it is told of changes from then on. */
  add(shard: Shard, replica: ReplicaRef): void {
    this.#replicas.add(replica);
    replica(namespaceStates(shard), () => undefined);
  }

  remove(replica: ReplicaRef): void {
    this.#replicas.delete(replica);
  }

  /** Makes what is missing of the system namespaces. */
  async start(shard: Shard): Promise<void> {
    for (const name of SYSTEM_NAMESPACES) {
      if (shard.exists(name)) continue;
      const request = {
        namespace: '',
        name,
        subresource: '',
        dryRun: false,
        manager: SERVER_MANAGER,
      } as const;
      const object: ApiObject = { metadata: { name } };
      createObject(shard, request, { object, warnings: [] }, THROW_ON_FAILURE);
    }
    await shard.pipeline.idle();
  }

  /** The pipeline's step between the application of a write and its answer. */
  beforeAnswer(write: Write, then: () => void): void {
    const gone = write.operation === OPERATION.deleted;
    const state = gone ? 'gone' : stateOf(write.fields);
    this.#push([{ name: write.key, state }], (error) => {
      if (error !== undefined) throw error;
      if (state === 'terminating') this.#onTerminating(write.key);
      then();
    });
  }

  #push(changes: NamespaceState[], then: (error?: Error) => void): void {
    let waiting = this.#replicas.size;
    if (waiting === 0) {
      then();
      return;
    }
    let failure: Error | undefined;
    for (const replica of this.#replicas) {
      replica(changes, (error) => {
        failure ??= error;
        waiting--;
        if (waiting === 0) then(failure);
      });
    }
  }
}

/** All namespaces with their state. */
export function namespaceStates(shard: Shard): NamespaceState[] {
  const states: NamespaceState[] = [];
  shard.table.scan(ALL_KEYS, ({ key, fields }) => {
    states.push({ name: key, state: stateOf(fields) });
  });
  return states;
}

/** Removes the server's own finalizer; the namespace goes if nothing else holds it. */
export function finalizeNamespace(shard: Shard, name: string, answer: Answer<undefined>): void {
  const stored = shard.latest(name);
  // The namespace may be gone, or have been created anew, since it was asked to terminate.
  if (stored?.object.metadata.deletionTimestamp === undefined) {
    answer.reply(undefined);
    return;
  }
  const spec = stored.object['spec'] as { finalizers?: string[] } | undefined;
  const { finalizers: held = [], ...others } = spec ?? {};
  const finalizers = held.filter((entry) => entry !== NAMESPACE_FINALIZER);
  const updated: ApiObject = {
    ...stored.object,
    metadata: { ...stored.object.metadata },
    // An empty list is dropped, so that nobody owns it.
    spec: finalizers.length === 0 ? others : { ...others, finalizers },
  };
  const settled: Answer<ObjectReply> = {
    reply: () => answer.reply(undefined),
    fail: (error) => answer.fail(error),
  };
  trackWrite(shard, updated, stored, { manager: CONTROLLER_MANAGER, subresource: 'finalize' });
  writeUpdate(
    shard,
    { key: name, stored, updated, dryRun: false, code: 200, representation: UNSEEN },
    settled,
  );
}

const THROW_ON_FAILURE: Answer<ObjectReply> = {
  reply: () => undefined,
  fail: (error) => {
    throw error;
  },
};
