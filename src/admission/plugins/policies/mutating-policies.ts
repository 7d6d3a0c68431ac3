/**
 * MutatingAdmissionPolicy: rules in CEL that change writes, evaluated where the write is made
 * (README.md#mutations).
 */
import type { MutatingAdmissionPolicySpec } from '#messages/admissionregistration.v1';
import type { FollowedType } from '../../../replicas/follow-type.ts';
import type { AdmissionContext, AdmissionPlugin, Manifests, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { BoundPolicies } from './bound-policies.ts';

export class MutatingPolicies implements AdmissionPlugin {
  readonly #policies: BoundPolicies<MutatingAdmissionPolicySpec>;

  constructor(context: AdmissionContext, settings?: PluginSettings) {
    this.#policies = new BoundPolicies(context, 'mutating', settings, async (...given) => {
      const { MutationDispatcher } = await import('./mutation-dispatcher.ts');
      return new MutationDispatcher(...given);
    });
  }

  get knows(): readonly FollowedType[] {
    return this.#policies.knows;
  }

  get isIdle(): boolean {
    return this.#policies.isIdle;
  }

  useManifests(manifests: Manifests): void {
    this.#policies.useManifests(manifests);
  }

  /** Rejects with StatusError: what policies fail with. */
  admit(proposal: Proposal): Promise<void> | undefined {
    return this.#policies.dispatch(proposal);
  }
}
