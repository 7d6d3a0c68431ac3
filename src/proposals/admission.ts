/**
 * Who has a say in a write (src/admission/README.md#proposals): what is proposed is shown to them,
 * at once where none of them has to wait.
 */
import type { Interest } from '../admission/chain.ts';
import { Proposal } from '../admission/proposal.ts';
import type { AdmissionOperation, ProposedForms } from '../admission/proposal.ts';
import { WAITING_REQUEST_MS_MAX } from '../limits.ts';
import type { ApiObject } from '../resources/kind.ts';
import { META_GROUP } from '../semantics/metadata/object-meta.ts';
import { warnedOf, type Said } from '../semantics/errors/status.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { ChangeRequest, Target } from '../protocol/shard-protocol.ts';
import { ObjectForms, ScaleForms } from './proposed-forms.ts';
import { kindOf, type ProposalContext } from './proposal-context.ts';
import type { Asked, Proposed } from './proposed.ts';
import type { Steps } from './steps.ts';

/** The facts of a write that admission looks at. */
export interface AskedWrite extends Target {
  /** '' or absent for the object itself. */
  readonly subresource?: string;
  readonly dryRun: boolean;
  readonly user?: string | undefined;
  /** The answer is to have what the audit log says of it. */
  readonly isAudited?: boolean | undefined;
}

/** A proposed change: the old object, the new one, and the operation. */
export interface ProposedChange {
  readonly operation: AdmissionOperation;
  /** The name that the object has, if it has one. */
  readonly name: string;
  readonly oldObject: ApiObject | undefined;
  /** Gives the options of the request as a document. */
  readonly options: (() => object) | undefined;
}

export class Admission implements Asked {
  readonly #write: Proposed;
  readonly #interest: Interest;
  readonly #proposal: Proposal;
  readonly #isAudited: boolean;

  constructor(write: Proposed, interest: Interest, proposal: Proposal, isAudited: boolean) {
    this.#write = write;
    this.#interest = interest;
    this.#proposal = proposal;
    this.#isAudited = isAudited;
  }

  /** Whether somebody is to see what was sent, and not only what the server makes of it. */
  get showsSent(): boolean {
    return this.#interest.showsSent;
  }

  warn(texts: readonly string[]): void {
    for (const text of texts) this.#proposal.warn(text);
  }

  /** Lets those who have a say change what is proposed, and gives what has become of it. */
  *admit<Proposed extends ApiObject | undefined>(object: Proposed): Steps<Proposed> {
    this.#proposal.object = object;
    const waiting = this.#interest.admit(this.#proposal);
    if (waiting !== undefined) yield waiting;
    return this.#proposal.object as Proposed;
  }

  /** Shows what is to be written, and is not changed any more. */
  *validate(object: ApiObject | undefined): Steps<void> {
    this.#proposal.object = object;
    const waiting = this.#interest.validate(this.#proposal);
    if (waiting !== undefined) yield waiting;
    // The write keeps the proposal until its commit, and must not keep the objects in memory.
    this.#proposal.forget();
    this.#write.isAdmitted = true;
  }

  whenSettled(told: (isDone: boolean) => void): void {
    this.#proposal.whenSettled(told);
  }

  settle(isDone: boolean): void {
    this.#proposal.settle(isDone);
  }

  saidWith<T extends Said>(said: T): T {
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

/** The write is proposed, and shown to nobody yet. */
export function propose(
  write: Proposed,
  asked: AskedWrite,
  { operation, name: givenName, oldObject, options }: ProposedChange,
): Admission {
  const { context } = write;
  const { namespace, name, dryRun, user, subresource = '', isAudited = false } = asked;
  const { resource: type, version } = context.kind.version(asked.version);
  const proposed = { operation, ...type, subresource };
  const interest = context.admission.interestIn(proposed);
  const isNamespace = context.kind.definition.emptiesNamespace === true;
  const proposal = new Proposal({
    ...proposed,
    version,
    forms: formsOf(context, asked),
    namespace: isNamespace ? name : namespace,
    name: name || givenName,
    user,
    dryRun,
    options,
    object: undefined,
    oldObject,
    deadlineMs: performance.now() + WAITING_REQUEST_MS_MAX,
  });
  const admission = new Admission(write, interest, proposal, isAudited);
  write.admission = admission;
  return admission;
}

/** Whether nobody would have a say in a write as things are. */
export function isUncontested(
  { kind, admission }: Pick<ProposalContext, 'kind' | 'admission'>,
  operation: AdmissionOperation,
  { version, subresource }: Pick<ChangeRequest, 'version' | 'subresource'>,
): boolean {
  const { resource } = kind.version(version);
  return admission.interestIn({ operation, ...resource, subresource }).isIdle;
}

/** Made once for each version of a type as it is now. */
const FORMS = new WeakMap<ResourceType, Map<string, ProposedForms>>();

function formsOf(
  context: ProposalContext,
  { version = 0, subresource = '' }: AskedWrite,
): ProposedForms {
  const kind = kindOf(context, { version });
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

/** Whether the request is a patch or an apply, not the object as a whole. */
export function isPatch(request: ChangeRequest): boolean {
  return 'patchType' in request;
}

/** The options of a write as a document of that kind. */
export function writeOptions(
  kind: 'CreateOptions' | 'UpdateOptions',
  request: ChangeRequest,
): object {
  const { dryRun, sentManager, sentFieldValidation } = request;
  return {
    ...optionsOf(kind),
    ...(dryRun && { dryRun: ['All'] }),
    ...(sentManager !== undefined && { fieldManager: sentManager }),
    ...(sentFieldValidation !== undefined && { fieldValidation: sentFieldValidation }),
  };
}

/** The beginning of a document of options. */
export function optionsOf(kind: string): object {
  return { kind, apiVersion: `${META_GROUP}/v1` };
}
