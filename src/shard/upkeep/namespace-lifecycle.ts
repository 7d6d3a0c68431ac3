/**
 * The work of the shard of namespaces besides serving them: it makes the system ones, and begins
 * and completes their end (../README.md#namespaces).
 */
import type { Answer } from '../../actors/link.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { NAMESPACE_FINALIZER, SYSTEM_NAMESPACES } from '../../resources/core/namespace.ts';
import { OPERATION } from '../../storage/record.ts';
import { replaceNamespace } from './controller-writes.ts';
import { createObject } from '../verbs/create.ts';
import { runWrite } from '../write/driver.ts';
import { ALL_KEYS } from '../table/object-table.ts';
import type { Shard } from '../state/shard.ts';
import { SERVER_MANAGER } from '../../protocol/shard-protocol.ts';
import type { ObjectReply } from '../../protocol/shard-protocol.ts';
import type { NamespaceState } from '../../protocol/upkeep-protocol.ts';
import type { StagedWrite } from '../state/write-pipeline.ts';

/** Makes what is missing of the system namespaces. Rejects when one cannot be made. */
export async function makeSystemNamespaces(shard: Shard): Promise<void> {
  const missing = SYSTEM_NAMESPACES.filter((name) => !shard.exists(name));
  const made = missing.map((name) => makeNamespace(shard, name));
  shard.pipeline.kick();
  await Promise.all(made);
}

function makeNamespace(shard: Shard, name: string): Promise<void> {
  const request = {
    namespace: '',
    name,
    subresource: '',
    dryRun: false,
    manager: SERVER_MANAGER,
  } as const;
  const object: ApiObject = { metadata: { name } };
  return new Promise((resolve, reject) => {
    const answer: Answer<ObjectReply> = { reply: () => resolve(), fail: reject };
    runWrite(shard, (write) => createObject(write, request, { object, warnings: [] }), answer);
  });
}

/** Whether the write leaves a namespace that is to be emptied. */
export function leavesTerminating({ operation, fields }: StagedWrite): boolean {
  return operation !== OPERATION.deleted && stateOf(fields) === 'terminating';
}

function stateOf(fields: readonly string[]): NamespaceState['state'] {
  return fields[0] === 'Terminating' ? 'terminating' : 'active';
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
  replaceNamespace(shard, { stored, updated, subresource: 'finalize' }, answer);
}
