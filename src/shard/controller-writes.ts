/** What controllers write: as a client's requests do, but nobody reads the answer. */
import type { Answer } from '../actors/link.ts';
import { whenKnown } from '../base/when-known.ts';
import { controllerUser } from '../auth/controller-users.ts';
import type { ApiObject } from '../resources/kind.ts';
import { staleVersion, type StatusError } from '../semantics/status.ts';
import { proposeAdmitted } from '../types/prepare-object.ts';
import { admissionOf, writeOptions } from './admission.ts';
import { deleteUnseen } from './delete.ts';
import type { Latest } from './latest.ts';
import { ObjectMoved } from './object-moved.ts';
import { splitKey } from './selection.ts';
import type { Shard } from './shard.ts';
import { CONTROLLER_MANAGER } from './shard-protocol.ts';
import type { ObjectReply } from './shard-protocol.ts';
import type { PropagationPolicy } from './upkeep-protocol.ts';
import { UNSEEN, writeUpdate } from './write-update.ts';
import { trackWrite } from './record-owners.ts';

/** A controller that writes in a shard. */
export interface ShardWriter {
  readonly shard: Shard;
  /** As `userText` writes it. */
  readonly user: string;
}

export const GARBAGE_COLLECTOR = controllerUser('generic-garbage-collector');
export const NAMESPACE_CONTROLLER = controllerUser('namespace-controller');

/** Called when what was staged could not be committed, and when it is refused. */
export type Failed = (error: unknown) => void;

/**
 * Puts `updated` in the place of `stored`; one that nothing holds back any more is removed. It is
 * changed through a subresource, or '' the object itself. Gives a promise where somebody is waited
 * for before it is staged, which resolves when it is committed or has failed. Throws StatusError.
 */
export function replaceStored(
  { shard, user }: ShardWriter,
  key: string,
  stored: Latest,
  updated: ApiObject,
  failed: Failed,
  subresource = '',
): Promise<void> | undefined {
  const [namespace, name] = splitKey(key);
  const manager = CONTROLLER_MANAGER;
  const asked = { namespace, name, subresource, dryRun: false, manager, user };
  const options = (): object => writeOptions('UpdateOptions', asked);
  const change = { operation: 'UPDATE', name, oldObject: stored.object, options } as const;
  let settle: (() => void) | undefined;
  const answer: Answer<ObjectReply> = {
    reply: () => settle?.(),
    fail: (error) => {
      const { resource } = shard.kind.stored;
      failed(error instanceof ObjectMoved ? staleVersion(resource, name) : error);
      settle?.();
    },
  };
  const admission = admissionOf(shard, asked, change, answer);
  const basis = { key, rv: stored.rv };
  trackWrite(shard, updated, stored, asked);
  admission.admit(updated, basis, (admitted) => {
    const whole =
      admitted === updated
        ? updated
        : proposeAdmitted(shard.kind, admitted, stored.object, subresource);
    admission.validate(whole, basis, () => {
      const representation = UNSEEN;
      const replacement = { key, stored, updated: whole, dryRun: false, code: 200, representation };
      writeUpdate(shard, replacement, admission);
    });
  });
  if (!admission.isWaiting) return undefined;
  return new Promise((resolve) => (settle = resolve));
}

/**
 * Puts `updated` in the place of a stored namespace, through a subresource, and answers once that
 * is committed. Throws StatusError.
 */
export function replaceNamespace(
  shard: Shard,
  stored: Latest,
  updated: ApiObject,
  subresource: string,
  answer: Answer<undefined>,
): void {
  let failure: unknown;
  const failed: Failed = (error) => void (failure ??= error);
  const writer = { shard, user: NAMESPACE_CONTROLLER };
  const { name = '' } = stored.object.metadata;
  const waiting = replaceStored(writer, name, stored, updated, failed, subresource);
  void (waiting ?? shard.pipeline.settled()).then(() => {
    if (failure === undefined) answer.reply(undefined);
    else answer.fail(failure);
  });
}

/**
 * As a client's DELETE. Gives why it is refused; undefined when it is done or was before, and a
 * promise of that where somebody is waited for first.
 */
export function deleteOrRefuse(
  { shard, user }: ShardWriter,
  key: string,
  propagationPolicy: PropagationPolicy,
  failed: Failed,
): StatusError | undefined | Promise<StatusError | undefined> {
  const options = {
    dryRun: false,
    uid: '',
    resourceVersion: '',
    propagationPolicy,
    orphanDependents: undefined,
    gracePeriodSeconds: undefined,
    view: {},
    user,
  };
  // A webhook may refuse with 404, too.
  const unlessGone = (refusal: StatusError | undefined): StatusError | undefined =>
    refusal?.code === 404 && shard.latest(key) === undefined ? undefined : refusal;
  return whenKnown(deleteUnseen(shard, key, options, failed), unlessGone);
}
