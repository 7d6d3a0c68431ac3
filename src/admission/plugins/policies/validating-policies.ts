/**
 * ValidatingAdmissionPolicy: rules in CEL that may refuse writes, evaluated where the write is made
 * (README.md).
 */
import type { ValidatingAdmissionPolicySpec } from '#messages/admissionregistration.v1';
import type { FollowedType } from '../../../replicas/follow-type.ts';
import type { AdmissionContext, AdmissionPlugin, Manifests, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { BoundPolicies } from './bound-policies.ts';

export class ValidatingPolicies implements AdmissionPlugin {
  readonly #policies: BoundPolicies<ValidatingAdmissionPolicySpec>;

  constructor(context: AdmissionContext, settings?: PluginSettings) {
    this.#policies = new BoundPolicies(context, 'validating', settings, async (...given) => {
      const { PolicyDispatcher } = await import('./policy-dispatcher.ts');
      return new PolicyDispatcher(...given);
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

  /** Rejects with StatusError: what the first policy refuses with. */
  validate(proposal: Proposal): Promise<void> | undefined {
    return this.#policies.dispatch(proposal);
  }
}
