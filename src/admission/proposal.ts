/**
 * A write before it is made: what somebody wants an object to become. Everybody who may have a say
 * in writes looks at this and at nothing else (README.md#proposals).
 */
import type { ApiObject } from '../resources/kind.ts';
import type { GroupResource } from '../semantics/errors/status.ts';
import type { StructType } from '../semantics/fields/field-types.ts';
import { userOfText, type User } from '../semantics/user.ts';

/** The user of writes that the server makes by itself. */
const SERVER: User = Object.freeze({
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters'],
});

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The facts of a write besides its object: a chain is made of them once, and kept. */
export interface ProposedWrite {
  readonly operation: AdmissionOperation;
  /** '' for the core group. */
  readonly group: string;
  /** The resource type in the URL: `pods`. */
  readonly resource: string;
  /** '' for the object itself. */
  readonly subresource: string;
}

/** The forms of a proposal's objects in the versions of their type, as JSON text. */
export interface ProposedForms {
  /** The kind of the objects: that of the type, or of the body of a subresource (`Scale`). */
  readonly kind: string;
  /** The version of `kind` in the request, with its group: `apps/v1`. */
  readonly groupVersion: string;
  /** All versions that the type is served in: as `apps/v1`, with the group and type of each. */
  readonly versions: readonly (GroupResource & { readonly groupVersion: string })[];
  /** The whole document in that version. Throws ConversionNeeded. */
  text(object: ApiObject, groupVersion: string): string;
  /**
   * An object from its document, with its defaults. Throws DecodeError for what is none of the
   * kind, and ConversionNeeded.
   */
  read(text: string, groupVersion: string): ApiObject;
  /** The unknown and repeated members of a document, where its kind has a fixed shape. */
  strictProblems(text: string, groupVersion: string): readonly string[];
  /** The types of its fields in that version; undefined for what nobody can apply to. */
  fieldTypes(groupVersion: string): StructType | undefined;
}

export interface ProposalFacts extends ProposedWrite {
  /** The version of the request: `v1`. */
  readonly version: string;
  readonly forms: ProposedForms;
  /** '' where the type has none; of a namespace itself its name, where the path has it. */
  readonly namespace: string;
  /** '' where the server is to choose one. */
  readonly name: string;
  /** The user who asks, as `userText` writes it; absent is the server itself. */
  readonly user?: string | undefined;
  readonly dryRun: boolean;
  /** Gives the options of the request as a document: CreateOptions, DeleteOptions. */
  readonly options: (() => object) | undefined;
  /** The new object: undefined for a deletion. */
  readonly object: ApiObject | undefined;
  /** The old object: undefined for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** When the request is to be answered at the latest, by `performance.now()`. */
  readonly deadlineMs: number;
}

export class Proposal implements ProposedWrite {
  readonly operation: AdmissionOperation;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly forms: ProposedForms;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  /** Those who admit change it, or put another in its place. */
  object: ApiObject | undefined;
  readonly deadlineMs: number;
  readonly #userText: string | undefined;
  #optionsOf: ProposalFacts['options'];
  #oldObject: ApiObject | undefined;
  #user: User | undefined;
  #warnings: string[] | undefined;
  #annotations: Map<string, string> | undefined;
  #settled: ((isDone: boolean) => void)[] | undefined;
  #admitWebhookMs = 0;
  #validateWebhookMs = 0;
  #round: 'first' | 'asked for' | 'second' = 'first';

  constructor(facts: ProposalFacts) {
    this.operation = facts.operation;
    this.group = facts.group;
    this.version = facts.version;
    this.resource = facts.resource;
    this.subresource = facts.subresource;
    this.forms = facts.forms;
    this.namespace = facts.namespace;
    this.name = facts.name;
    this.#userText = facts.user;
    this.dryRun = facts.dryRun;
    this.#optionsOf = facts.options;
    this.object = facts.object;
    this.#oldObject = facts.oldObject;
    this.deadlineMs = facts.deadlineMs;
  }

  /** The old object. Nobody changes it. */
  get oldObject(): ApiObject | undefined {
    return this.#oldObject;
  }

  /** Nobody is asked any more: what follows is not to keep the objects alive. */
  forget(): void {
    this.object = undefined;
    this.#oldObject = undefined;
    this.#optionsOf = undefined;
  }

  /** The user who asks. */
  get user(): User {
    this.#user ??= this.#userText === undefined ? SERVER : userOfText(this.#userText);
    return this.#user;
  }

  /** The options of the request as a document: CreateOptions, DeleteOptions; undefined for none. */
  get options(): object | undefined {
    return this.#optionsOf?.();
  }

  /** As errors name the type. */
  get groupResource(): GroupResource {
    return { group: this.group, resource: this.resource };
  }

  /** As errors name the object: after what is to be generated, where it has no name. */
  get shownName(): string {
    const { name, generateName } = this.object?.metadata ?? {};
    return this.name || name || generateName || 'Unknown';
  }

  /** A webhook was waited for: one after the other to admit, all together to validate. */
  webhookTook(phase: 'admit' | 'validate', ms: number): void {
    if (phase === 'admit') this.#admitWebhookMs += ms;
    else this.#validateWebhookMs = Math.max(this.#validateWebhookMs, ms);
  }

  /** The time that the write has waited for webhooks. */
  get webhookMs(): number {
    return this.#admitWebhookMs + this.#validateWebhookMs;
  }

  /** The client gets this as a `Warning` header, whatever becomes of the write. */
  warn(text: string): void {
    (this.#warnings ??= []).push(text);
  }

  get warnings(): readonly string[] | undefined {
    return this.#warnings;
  }

  /** Adds an annotation for the audit log. Of two values for a key the first stays. */
  annotate(key: string, value: string): void {
    const annotations = (this.#annotations ??= new Map<string, string>());
    if (!annotations.has(key)) annotations.set(key, value);
  }

  /** By key; undefined for none. */
  get annotations(): ReadonlyMap<string, string> | undefined {
    return this.#annotations;
  }

  /**
   * A webhook or policy has changed the object: all who admit look at it once more, and not a third
   * time.
   */
  reinvoke(): void {
    if (this.#round === 'first') this.#round = 'asked for';
  }

  /** They look at it for the second time. */
  get isReinvoked(): boolean {
    return this.#round === 'second';
  }

  /** Whether all who admit are to look at it once more, now. */
  beginReinvocation(): boolean {
    if (this.#round !== 'asked for') return false;
    this.#round = 'second';
    return true;
  }

  /** Tells later whether the write was made, or came to nothing: once, in any case. */
  whenSettled(told: (isDone: boolean) => void): void {
    (this.#settled ??= []).push(told);
  }

  /** Whether somebody waits for `settle`. */
  get isAwaited(): boolean {
    return this.#settled !== undefined;
  }

  settle(isDone: boolean): void {
    const told = this.#settled ?? [];
    this.#settled = undefined;
    for (const one of told) one(isDone);
  }
}
