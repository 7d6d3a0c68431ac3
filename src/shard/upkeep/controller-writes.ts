/** Writes of controllers: they go the way of a client's requests, but nobody reads the answer. */
import type { Answer } from '../../actors/link.ts';
import { controllerUser } from '../../auth/controller-users.ts';
import { whenKnown } from '../../base/turns/when-known.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { staleVersion, type StatusError } from '../../semantics/errors/status.ts';
import { proposeAdmitted } from '../../types/prepare-object.ts';
import type { Latest } from '../log/latest.ts';
import { splitKey } from '../table/selection.ts';
import type { Shard } from '../state/shard.ts';
import { CONTROLLER_MANAGER } from '../../protocol/shard-protocol.ts';
import type { PropagationPolicy } from '../../protocol/upkeep-protocol.ts';
import { deleteStored } from '../verbs/delete.ts';
import { propose, writeOptions } from '../../proposals/admission.ts';
import { trackWrite } from '../write/record-owners.ts';
import { NO_DOCUMENT, replaceObject } from '../write/replace-object.ts';
import { writeInternally, type Failed } from '../write/internal-write.ts';
import { orRestart, type Steps } from '../../proposals/steps.ts';
import type { Outcome, Write } from '../write/write.ts';

/** A controller that writes in a shard. */
export interface ShardWriter {
  readonly shard: Shard;
  /** As `userText` writes it. */
  readonly user: string;
}

export const GARBAGE_COLLECTOR = controllerUser('generic-garbage-collector');
export const NAMESPACE_CONTROLLER = controllerUser('namespace-controller');

/** A change of an object that a controller has looked at. */
export interface ControllerUpdate {
  readonly key: string;
  readonly stored: Latest;
  readonly updated: ApiObject;
  /** Through which it is changed; '' or absent for the object itself. */
  readonly subresource?: string;
}

/**
 * Puts an object in the place of the stored one; one that nothing holds back any more is removed.
 * `failed` is told of a refusal, and of a commit that failed. Gives whether it is staged, or a
 * promise of that where somebody is waited for first.
 */
export function replaceStored(
  { shard, user }: ShardWriter,
  update: ControllerUpdate,
  failed: Failed,
): boolean | Promise<boolean> {
  const replacement = writeInternally(shard, (write) => updateStored(write, user, update), failed);
  return whenKnown(replacement, (refusal) => {
    if (refusal !== undefined) failed(refusal);
    return refusal === undefined;
  });
}

/** Throws StatusError 409 when the object has changed since: the controller looks at it again. */
function* updateStored(
  write: Write,
  user: string,
  { key, stored, updated, subresource = '' }: ControllerUpdate,
): Steps<Outcome> {
  const { shard } = write;
  const { kind } = shard;
  const [namespace, name] = splitKey(key);
  write.restOn(key, stored.rv);
  if (!write.isAsBefore) throw staleVersion(kind.stored.resource, name);
  const manager = CONTROLLER_MANAGER;
  const asked = { namespace, name, subresource, dryRun: false, manager, user };
  const options = (): object => writeOptions('UpdateOptions', asked);
  const change = { operation: 'UPDATE', name, oldObject: stored.object, options } as const;
  const admission = propose(write, asked, change);
  yield* orRestart(() => trackWrite(shard, updated, stored, asked));
  const admitted = yield* admission.admit(updated);
  const isSame = admitted === updated;
  const whole = isSame ? updated : proposeAdmitted(kind, admitted, stored.object, subresource);
  yield* admission.validate(whole);
  const replacement = { key, stored, updated: whole, dryRun: false, code: 200 };
  return yield* replaceObject(write, { ...replacement, representation: NO_DOCUMENT });
}

/** Replaces a namespace; answers once that is committed. */
export function replaceNamespace(
  shard: Shard,
  update: Omit<ControllerUpdate, 'key'>,
  answer: Answer<undefined>,
): void {
  let failure: unknown;
  const failed: Failed = (error) => void (failure ??= error);
  const writer = { shard, user: NAMESPACE_CONTROLLER };
  const { name = '' } = update.stored.object.metadata;
  void Promise.resolve(replaceStored(writer, { key: name, ...update }, failed))
    .then(() => shard.pipeline.settled())
    .then(() => {
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
    uid: undefined,
    resourceVersion: undefined,
    propagationPolicy,
    orphanDependents: undefined,
    gracePeriodSeconds: undefined,
    view: {},
    user,
  };
  // A webhook may refuse with 404, too.
  const unlessGone = (refusal: StatusError | undefined): StatusError | undefined =>
    refusal?.code === 404 && shard.latest(key) === undefined ? undefined : refusal;
  const deletion = writeInternally(shard, (write) => deleteStored(write, key, options), failed);
  return whenKnown(deletion, unlessGone);
}
