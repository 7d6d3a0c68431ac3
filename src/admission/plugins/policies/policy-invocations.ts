/** With which bindings and parameters policies are asked about a write. */
import type { Namespace } from '#messages/core.v1';
import { appendAll } from '../../../base/append-all.ts';
import { StatusError } from '../../../semantics/errors/status.ts';
import type { Matched } from '../../matching.ts';
import type { AdmissionContext } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import type { ServedKindIndex } from '../../served-kinds.ts';
import type { ConfiguredBinding, ConfiguredPolicy, PolicySpec } from './configured-policy.ts';
import { matched } from './policy-matching.ts';
import { ParamsError, PolicyParams, type Param } from './policy-params.ts';

const NAMESPACES = 'namespaces';

/** One evaluation of a policy. */
export interface PolicyInvocation<Spec extends PolicySpec> {
  readonly policy: ConfiguredPolicy<Spec>;
  readonly binding: ConfiguredBinding;
  readonly matched: Matched;
  readonly param: Param;
}

/** Told why a policy, or the binding where one is given, cannot be used on a write. */
export type Misconfigured = (binding: ConfiguredBinding | undefined, why: string) => void;

export class PolicyInvocations {
  readonly #context: AdmissionContext;
  readonly #params: PolicyParams;

  constructor(context: AdmissionContext, kinds: ServedKindIndex) {
    this.#context = context;
    this.#params = new PolicyParams(context.objects, kinds);
  }

  /** Gives those of a policy, at once where no parameters have to be read. */
  of<Spec extends PolicySpec>(
    policy: ConfiguredPolicy<Spec>,
    proposal: Proposal,
    misconfigured: Misconfigured,
  ): readonly PolicyInvocation<Spec>[] | Promise<readonly PolicyInvocation<Spec>[]> {
    const { namespaces } = this.#context;
    try {
      const asked = matched(policy.criteria, proposal, namespaces);
      if (asked === undefined) return [];
      const bindings = policy.bindings.filter((binding) =>
        this.#isBound(binding, proposal, misconfigured),
      );
      if (policy.spec.paramKind !== undefined && bindings.length > 0) {
        return this.#withParams(policy, asked, bindings, proposal, misconfigured);
      }
      return bindings.map((binding) => ({ policy, binding, matched: asked, param: undefined }));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      misconfigured(undefined, error.message);
      return [];
    }
  }

  /** Finds the namespace of an object that is in one. */
  async namespaceOf({ namespace, group, resource }: Proposal): Promise<Namespace | undefined> {
    const isNamespace = group === '' && resource === NAMESPACES;
    if (namespace === '' || isNamespace) return undefined;
    return this.#context.objects(NAMESPACES).get<Namespace>({ namespace: '', name: namespace });
  }

  #isBound(binding: ConfiguredBinding, proposal: Proposal, misconfigured: Misconfigured): boolean {
    try {
      return matched(binding.criteria, proposal, this.#context.namespaces) !== undefined;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      misconfigured(binding, error.message);
      return false;
    }
  }

  async #withParams<Spec extends PolicySpec>(
    policy: ConfiguredPolicy<Spec>,
    asked: Matched,
    bindings: readonly ConfiguredBinding[],
    { namespace }: Proposal,
    misconfigured: Misconfigured,
  ): Promise<readonly PolicyInvocation<Spec>[]> {
    const found: PolicyInvocation<Spec>[] = [];
    for (const binding of bindings) {
      try {
        const { paramKind } = policy.spec;
        const params = await this.#params.collect(paramKind, binding.paramRef, namespace);
        appendAll(
          found,
          params.map((param) => ({ policy, binding, matched: asked, param })),
        );
      } catch (error) {
        if (!(error instanceof ParamsError || error instanceof StatusError)) throw error;
        misconfigured(binding, error.message);
      }
    }
    return found;
  }
}
