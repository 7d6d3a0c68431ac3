/** The policies of one sort, as a plugin knows them, and what holds writes against them. */
import type { FollowedType } from '../../../replicas/follow-type.ts';
import {
  manifestsIn,
  type AdmissionContext,
  type Manifests,
  type PluginSettings,
} from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { ServedKindIndex } from '../../served-kinds.ts';
import type { ConfiguredPolicy, PolicySpec } from './configured-policy.ts';
import { PolicyIndex } from './policy-index.ts';

interface Dispatcher<Spec extends PolicySpec> {
  dispatch(proposal: Proposal, policies: readonly ConfiguredPolicy<Spec>[]): Promise<void>;
}

/** Loads what evaluates policies, with the first that may be for a write. */
type LoadDispatcher<Spec extends PolicySpec> = (
  context: AdmissionContext,
  kinds: ServedKindIndex,
) => Promise<Dispatcher<Spec>>;

export class BoundPolicies<Spec extends PolicySpec> {
  readonly knows: readonly FollowedType[];
  readonly #index: PolicyIndex<Spec>;
  readonly #load: () => Promise<Dispatcher<Spec>>;
  #dispatcher: Promise<Dispatcher<Spec>> | undefined;

  constructor(
    context: AdmissionContext,
    sort: 'validating' | 'mutating',
    settings: PluginSettings | undefined,
    load: LoadDispatcher<Spec>,
  ) {
    const kinds = new ServedKindIndex();
    this.#index = new PolicyIndex<Spec>(context, sort, manifestsIn(settings));
    this.#load = () => load(context, kinds);
    this.knows = [
      ...this.#index.knows,
      context.follow('customresourcedefinitions.apiextensions.cluster.io', kinds),
      context.namespaces,
    ];
  }

  useManifests(manifests: Manifests): void {
    this.#index.useManifests(manifests);
  }

  get isIdle(): boolean {
    return this.#index.isEmpty;
  }

  /** Undefined where none is for such a write. Rejects with StatusError: with what they refuse. */
  dispatch(proposal: Proposal): Promise<void> | undefined {
    if (this.#index.isEmpty) return undefined;
    const concerned = this.#index.concerned(proposal);
    return concerned.length === 0 ? undefined : this.#dispatched(proposal, concerned);
  }

  async #dispatched(
    proposal: Proposal,
    policies: readonly ConfiguredPolicy<Spec>[],
  ): Promise<void> {
    this.#dispatcher ??= this.#load();
    return (await this.#dispatcher).dispatch(proposal, policies);
  }
}
