/**
 * A write on its way through admission (src/admission/README.md#proposals): what is proposed is
 * shown to whoever has a say in it, at once where none of them has to wait. Where somebody has, the
 * write goes on in a later turn, if the object is still what it was; else it is begun again.
 */
import type { Answer } from '../actors/link.ts';
import type { Interest } from '../admission/chain.ts';
import { Proposal } from '../admission/proposal.ts';
import type { AdmissionOperation, ProposedForms } from '../admission/proposal.ts';
import { WAITING_REQUEST_MS_MAX } from '../limits.ts';
import { NAMESPACE } from '../resources/core/namespace.ts';
import type { ApiObject } from '../resources/kind.ts';
import { META_GROUP } from '../semantics/object-meta.ts';
import { StatusError, warnedOf, type Said } from '../semantics/status.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { isUnsettled, later } from './attempt.ts';
import { kindOf } from './converting.ts';
import type { DeleteOptions } from './delete-options.ts';
import { ObjectMoved } from './object-moved.ts';
import { ObjectForms, ScaleForms } from './proposed-forms.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest, ObjectReply, Target } from './shard-protocol.ts';
import { refusedWhenSettled } from './storage-failure.ts';
import type { Basis } from './write-steps.ts';

/** What is asked for, as far as those care who have a say in it. */
export interface AskedWrite extends Target {
  /** '' or absent for the object itself. */
  readonly subresource?: string;
  readonly dryRun: boolean;
  readonly user?: string | undefined;
  /** The answer is to have what the audit log says of it. */
  readonly isAudited?: boolean | undefined;
}

/** What is to be made of what. */
export interface ProposedChange {
  readonly operation: AdmissionOperation;
  /** The name that the object has, if it has one. */
  readonly name: string;
  readonly oldObject: ApiObject | undefined;
  /** Gives the options of the request as a document. */
  readonly options: (() => object) | undefined;
}

export class Admission implements Answer<ObjectReply> {
  readonly #shard: Shard;
  readonly #kind: ResourceType;
  readonly #interest: Interest;
  readonly #proposal: Proposal;
  readonly #answer: Answer<ObjectReply>;
  readonly #isAudited: boolean;
  #isEnded = false;
  #isWaiting = false;

  constructor(
    shard: Shard,
    interest: Interest,
    proposal: Proposal,
    answer: Answer<ObjectReply>,
    isAudited = false,
  ) {
    this.#isAudited = isAudited;
    this.#shard = shard;
    this.#kind = shard.kind;
    this.#interest = interest;
    this.#proposal = proposal;
    this.#answer = answer;
  }

  /** Whether somebody was or is waited for. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Whether somebody is to see what was sent, and not only what the server makes of it. */
  get showsSent(): boolean {
    return this.#interest.showsSent;
  }

  /** What the client is told, whatever becomes of the write. */
  warn(texts: readonly string[] = []): void {
    for (const text of texts) this.#proposal.warn(text);
  }

  /** Does what comes before anybody is asked. Throws what it throws. */
  begin(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw this.#ended(error);
    }
  }

  /**
   * Lets those who have a say change what is proposed, and then calls `then` with what has become
   * of it: now, or in a later turn. Throws what it is refused with, and what `then` throws.
   */
  admit<Proposed extends ApiObject | undefined>(
    object: Proposed,
    basis: Basis | undefined,
    then: (object: Proposed) => void,
  ): void {
    this.#proposal.object = object;
    const ask = (): Promise<void> | undefined => this.#interest.admit(this.#proposal);
    this.#run(ask, basis, () => then(this.#proposal.object as Proposed));
  }

  /** The same once whoever asks is known to be let do that. `check` refuses others. */
  authorize(check: () => Promise<void> | undefined, basis: Basis, then: () => void): void {
    this.#run(check, basis, then);
  }

  /** The same for what is to be written, and is not changed any more. */
  validate(object: ApiObject | undefined, basis: Basis | undefined, then: () => void): void {
    this.#proposal.object = object;
    const ask = (): Promise<void> | undefined => this.#interest.validate(this.#proposal);
    this.#run(ask, basis, () => {
      // What waits for the commit keeps this, and is not to keep the objects.
      this.#proposal.forget();
      then();
    });
  }

  reply(reply: ObjectReply, ...documents: Uint8Array[]): void {
    this.#isEnded = true;
    const told = this.#saidWith(reply);
    this.#proposal.settle(true);
    this.#answer.reply(told, ...documents);
  }

  fail(error: unknown): void {
    this.#answer.fail(this.#ended(error));
  }

  #run(ask: () => Promise<void> | undefined, basis: Basis | undefined, then: () => void): void {
    let waiting: Promise<void> | undefined;
    try {
      waiting = ask();
      if (waiting === undefined) {
        then();
        return;
      }
    } catch (error) {
      throw this.#ended(error);
    }
    this.#isWaiting = true;
    const isLarge = this.#shard.writeSteps.isInStep;
    waiting.then(
      () => this.#goOn(basis, isLarge, then),
      (error: unknown) => this.fail(error),
    );
  }

  #goOn(basis: Basis | undefined, isLarge: boolean, then: () => void): void {
    const shard = this.#shard;
    const run = (): void => {
      const isAsBefore =
        shard.kind === this.#kind &&
        (basis === undefined || (shard.newestRv(basis.key) ?? 0) === basis.rv);
      if (!isAsBefore) throw new ObjectMoved();
      if (basis === undefined) then();
      else refusedWhenSettled(shard, basis.key, this, then);
    };
    if (isLarge) shard.writeSteps.begin(Infinity, undefined, this, run);
    else later(shard, this, run);
  }

  /** What the client is told of an error, once the write has come to nothing. */
  #ended(error: unknown): unknown {
    if (this.#isEnded) return error;
    this.#isEnded = true;
    this.#proposal.settle(false);
    // A request that is handled again is told anew.
    if (!(error instanceof StatusError) || isUnsettled(error)) return error;
    error.said = this.#saidWith(error.said);
    return error;
  }

  /** The same with what those say who have a say in the write. */
  #saidWith<T extends Said>(said: T): T {
    const { warnings, annotations: noted, webhookMs } = this.#proposal;
    const annotations = this.#isAudited ? noted : undefined;
    if (warnings === undefined && annotations === undefined && webhookMs === 0) return said;
    return {
      ...(warnings === undefined ? said : warnedOf(warnings, said)),
      ...(annotations !== undefined && { annotations: Object.fromEntries(annotations) }),
      ...(webhookMs > 0 && { webhookMs }),
    };
  }
}

/** A write before it is shown to anybody. The answer of the client is given through it. */
export function admissionOf(
  shard: Shard,
  asked: AskedWrite,
  { operation, name: givenName, oldObject, options }: ProposedChange,
  answer: Answer<ObjectReply>,
): Admission {
  const { namespace, name, dryRun, user, subresource = '', isAudited = false } = asked;
  const { resource: type, version } = shard.kind.version(asked.version);
  const write = { operation, ...type, subresource };
  const interest = shard.admission.interestIn(write);
  const isNamespace = shard.kind.definition === NAMESPACE;
  const proposal = new Proposal({
    ...write,
    version,
    forms: formsOf(shard, asked),
    namespace: isNamespace ? name : namespace,
    name: name || givenName,
    user,
    dryRun,
    options,
    object: undefined,
    oldObject,
    deadlineMs: performance.now() + WAITING_REQUEST_MS_MAX,
  });
  return new Admission(shard, interest, proposal, answer, isAudited);
}

/** Whether nobody would have a say in a write as things are. */
export function isUncontested(
  shard: Shard,
  operation: AdmissionOperation,
  { version, subresource }: Pick<ChangeRequest, 'version' | 'subresource'>,
): boolean {
  const { resource } = shard.kind.version(version);
  return shard.admission.interestIn({ operation, ...resource, subresource }).isIdle;
}

/** Made once for each version of a type as it is now. */
const FORMS = new WeakMap<ResourceType, Map<string, ProposedForms>>();

function formsOf(shard: Shard, { version = 0, subresource = '' }: AskedWrite): ProposedForms {
  const kind = kindOf(shard, { version });
  let forms = FORMS.get(kind);
  if (forms === undefined) FORMS.set(kind, (forms = new Map<string, ProposedForms>()));
  const isScale = subresource === 'scale';
  const key = `${version} ${isScale}`;
  let found = forms.get(key);
  if (found === undefined) {
    found = isScale
      ? new ScaleForms(kind, kind.scale(version))
      : new ObjectForms(kind, kind.version(version));
    forms.set(key, found);
  }
  return found;
}

/** The options of a write as a document of that kind. */
export function writeOptions(
  kind: 'CreateOptions' | 'UpdateOptions',
  request: ChangeRequest,
): object {
  const { dryRun, sentManager, fieldValidation } = request;
  return {
    ...optionsOf(kind),
    ...(dryRun && { dryRun: ['All'] }),
    ...(sentManager !== undefined && { fieldManager: sentManager }),
    ...(fieldValidation !== undefined && { fieldValidation }),
  };
}

/** The same of a deletion. */
export function deletionOptions(options: DeleteOptions): object {
  const { dryRun, uid, resourceVersion, propagationPolicy, orphanDependents } = options;
  const { gracePeriodSeconds } = options;
  const preconditions = {
    ...(uid !== '' && { uid }),
    ...(resourceVersion !== '' && { resourceVersion }),
  };
  return {
    ...optionsOf('DeleteOptions'),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== '' && { propagationPolicy }),
    ...(dryRun && { dryRun: ['All'] }),
  };
}

function optionsOf(kind: string): object {
  return { kind, apiVersion: `${META_GROUP}/v1` };
}
