/**
 * All policies with their bindings, in the order of their names. Made anew with the first write
 * after a change.
 */
import type { FollowedType, TypeIndex } from '../../../replicas/follow-type.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { isOfPolicies } from '../../concerns.ts';
import type { AdmissionContext, Manifests } from '../../plugin.ts';
import type { Proposal, ProposedForms } from '../../proposal.ts';
import {
  configuredPolicy,
  type ConfiguredPolicy,
  type Policy,
  type PolicyBinding,
  type PolicySpec,
} from './configured-policy.ts';
import { mayConcern } from './policy-matching.ts';

const GROUP = 'admissionregistration.cluster.io';

/** Objects of a type by their names. */
class Named<T extends ApiObject> implements TypeIndex {
  readonly #objects = new Map<string, T>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  put(object: T): void {
    this.#objects.set(object.metadata.name ?? '', object);
    this.#onChange();
  }

  remove({ metadata: { name = '' } }: ApiObject): void {
    this.#objects.delete(name);
    this.#onChange();
  }

  get isEmpty(): boolean {
    return this.#objects.size === 0;
  }

  /** In the order of their names. */
  get sorted(): readonly T[] {
    return [...this.#objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }
}

/** The policies of one sort: `Spec` is what they say. */
export class PolicyIndex<Spec extends PolicySpec> {
  readonly knows: readonly FollowedType[];
  readonly #policies = new Named<Policy<Spec>>(() => this.#forget());
  readonly #bindings = new Named<PolicyBinding>(() => this.#forget());
  /** They come before all others. */
  #inFiles: readonly ConfiguredPolicy<Spec>[] = [];
  #configured: readonly ConfiguredPolicy<Spec>[] | undefined;
  /** By the forms of a type in a version as it is served now, and the sort of write. */
  #concerned = new WeakMap<ProposedForms, Map<string, readonly ConfiguredPolicy<Spec>[]>>();

  constructor(
    { follow }: Pick<AdmissionContext, 'follow'>,
    sort: 'validating' | 'mutating',
    manifests: Manifests | undefined,
  ) {
    if (manifests !== undefined) this.useManifests(manifests);
    this.knows = [
      follow(`${sort}admissionpolicies.${GROUP}`, this.#policies),
      follow(`${sort}admissionpolicybindings.${GROUP}`, this.#bindings),
    ];
  }

  /** From now on it goes by these files. */
  useManifests({ objects: [policies = [], bindings = []] }: Manifests): void {
    this.#inFiles = configured(policies as readonly Policy<Spec>[], bindings);
    this.#forget();
  }

  /** Whether no policy is bound: nothing is asked. */
  get isEmpty(): boolean {
    return this.#inFiles.length === 0 && (this.#policies.isEmpty || this.#bindings.isEmpty);
  }

  /** The policies that may be for such a write: found once for its sort. */
  concerned(proposal: Proposal): readonly ConfiguredPolicy<Spec>[] {
    const { forms, operation, subresource, namespace } = proposal;
    let ofType = this.#concerned.get(forms);
    if (ofType === undefined) this.#concerned.set(forms, (ofType = new Map()));
    const sort = `${operation} ${subresource} ${namespace === ''}`;
    let policies = ofType.get(sort);
    if (policies === undefined) {
      const all = isOfPolicies(proposal) ? this.#inFiles : this.#all();
      policies = all.filter(({ criteria }) => mayConcern(criteria, proposal));
      ofType.set(sort, policies);
    }
    return policies;
  }

  #all(): readonly ConfiguredPolicy<Spec>[] {
    return (this.#configured ??= [
      ...this.#inFiles,
      ...configured(this.#policies.sorted, this.#bindings.sorted),
    ]);
  }

  #forget(): void {
    this.#configured = undefined;
    this.#concerned = new WeakMap();
  }
}

/** Policies with their bindings: those without one do nothing. */
function configured<Spec extends PolicySpec>(
  policies: readonly Policy<Spec>[],
  bindings: readonly PolicyBinding[],
): readonly ConfiguredPolicy<Spec>[] {
  const byPolicy = Map.groupBy(bindings, ({ spec }) => spec?.policyName ?? '');
  return policies.flatMap((policy) => {
    const bound = byPolicy.get(policy.metadata.name ?? '') ?? [];
    return bound.length === 0 ? [] : [configuredPolicy(policy, bound)];
  });
}
