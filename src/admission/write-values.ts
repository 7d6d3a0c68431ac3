/**
 * Values of one write that expressions of webhooks and policies see: made once for all that ask for
 * the same version.
 */
import type { Namespace } from '#messages/core.v1';
import type { Authorizer } from '../auth/authorizer.ts';
import { jsonValue } from '../schema/cel/json-values.ts';
import type { RequestInputs } from '../schema/cel/request-program.ts';
import type { Value } from '../schema/cel/values.ts';
import type { Matched } from './matching.ts';
import type { Proposal } from './proposal.ts';
import { RequestAccess } from './request-access.ts';
import { requestDocument } from './request-document.ts';
import { shownIn, type Conversions } from './shown-objects.ts';

interface ShownValues extends Pick<RequestInputs, 'object' | 'oldObject'> {
  /** The document of the new object, or `null`. */
  readonly text: string;
}

export class WriteValues {
  readonly #proposal: Proposal;
  readonly #conversions: Conversions;
  readonly #access: RequestAccess;
  readonly #shown = new Map<string, ShownValues>();
  readonly #requests = new Map<string, Value>();

  /** Reads the write as it is now. */
  constructor(proposal: Proposal, conversions: Conversions, authorizer: () => Authorizer) {
    this.#proposal = proposal;
    this.#conversions = conversions;
    this.#access = new RequestAccess(authorizer, proposal);
  }

  /** Gives all but parameters and the namespace. Rejects with StatusError 500 where that fails. */
  async inputs(matched: Matched): Promise<RequestInputs> {
    const { object, oldObject } = await this.#objects(matched.groupVersion);
    return {
      object,
      oldObject,
      params: null,
      request: this.#request(matched),
      namespaceObject: null,
      decide: (question) => this.#access.decide(question),
      requestResource: this.#access.requested,
    };
  }

  /** Gives the inputs of conditions, which see the type as it was asked for. */
  async conditionInputs({ groupVersion }: Matched): Promise<RequestInputs> {
    const { group, version, resource } = this.#proposal;
    return this.inputs({ groupVersion, resource: { group, version, resource } });
  }

  get operation(): Proposal['operation'] {
    return this.#proposal.operation;
  }

  /** The document of the new object as it is now. Rejects with StatusError 500 where that fails. */
  async text(groupVersion: string): Promise<string> {
    return (await this.#objects(groupVersion)).text;
  }

  /** The object has changed. */
  forgetObjects(): void {
    this.#shown.clear();
  }

  /** Gives the value of `evaluate` once it has all the answers about access that it asks for. */
  settled<T>(evaluate: () => T): Promise<T> {
    return this.#access.settled(evaluate);
  }

  async #objects(groupVersion: string): Promise<ShownValues> {
    let shown = this.#shown.get(groupVersion);
    if (shown === undefined) {
      const texts = await this.#conversions.done(() => shownIn(this.#proposal, groupVersion));
      const { object, oldObject } = texts;
      shown = {
        text: object,
        object: jsonValue(JSON.parse(object)),
        oldObject: jsonValue(JSON.parse(oldObject)),
      };
      this.#shown.set(groupVersion, shown);
    }
    return shown;
  }

  #request(matched: Matched): Value {
    const { group, version, resource } = matched.resource;
    const key = `${group}/${version}/${resource} ${matched.groupVersion}`;
    let value = this.#requests.get(key);
    if (value === undefined) {
      value = jsonValue(requestDocument(this.#proposal, matched));
      this.#requests.set(key, value);
    }
    return value;
  }
}

/** The variable `namespaceObject`: what expressions may know of a namespace. */
export function namespaceValue(namespace: Namespace | undefined): Value {
  if (namespace === undefined) return null;
  const { ownerReferences: _owners, managedFields: _fields, ...metadata } = namespace.metadata;
  return jsonValue({ ...namespace, metadata });
}
