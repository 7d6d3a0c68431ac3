/** A policy with its bindings, made ready to be looked for among many. */
import type {
  MatchResources,
  MutatingAdmissionPolicyBindingSpec,
  MutatingAdmissionPolicySpec,
  ParamRef,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from '#messages/admissionregistration.v1';
import type { ApiObject } from '../../../resources/kind.ts';
import { ruleOf, selecting, type MatchCriteria, type Rule } from '../../match-criteria.ts';

export type PolicySpec = ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec;

/** A stored policy. */
export type Policy<Spec extends PolicySpec> = ApiObject & { readonly spec?: Spec };

/** A stored binding. */
export type PolicyBinding = ApiObject & {
  readonly spec?: ValidatingAdmissionPolicyBindingSpec | MutatingAdmissionPolicyBindingSpec;
};

/** The writes that a policy or a binding is for. */
export interface PolicyCriteria extends MatchCriteria {
  /** These are left out, whatever the rules say. */
  readonly excluded: readonly Rule[];
}

export interface ConfiguredBinding {
  readonly name: string;
  readonly criteria: PolicyCriteria;
  readonly paramRef: ParamRef | undefined;
  /** `Deny`, `Warn`, `Audit` of a validating policy. */
  readonly actions: readonly string[];
}

export interface ConfiguredPolicy<Spec extends PolicySpec = PolicySpec> {
  readonly name: string;
  readonly criteria: PolicyCriteria;
  /** A write passes where an expression cannot be evaluated, or parameters cannot be found. */
  readonly failsOpen: boolean;
  readonly spec: Spec;
  readonly bindings: readonly ConfiguredBinding[];
}

/** A stored policy with those of the bindings that name it. */
export function configuredPolicy<Spec extends PolicySpec>(
  { metadata, spec = {} as Spec }: Policy<Spec>,
  bindings: readonly PolicyBinding[],
): ConfiguredPolicy<Spec> {
  return {
    name: metadata.name ?? '',
    criteria: criteriaOf(spec.matchConstraints),
    failsOpen: spec.failurePolicy === 'Ignore',
    spec,
    bindings: bindings.map(configuredBinding),
  };
}

function configuredBinding({ metadata, spec = {} }: PolicyBinding): ConfiguredBinding {
  return {
    name: metadata.name ?? '',
    criteria: criteriaOf(spec.matchResources),
    paramRef: spec.paramRef,
    actions: ('validationActions' in spec ? spec.validationActions : undefined) ?? [],
  };
}

function criteriaOf(resources: MatchResources = {}): PolicyCriteria {
  const { resourceRules = [], excludeResourceRules = [] } = resources;
  return {
    rules: resourceRules.map(ruleOf),
    excluded: excludeResourceRules.map(ruleOf),
    selectsNamespaces: selecting(resources.namespaceSelector),
    selectsObjects: selecting(resources.objectSelector),
    takesEquivalent: resources.matchPolicy !== 'Exact',
  };
}
