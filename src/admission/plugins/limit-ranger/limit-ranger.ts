/**
 * LimitRanger: what the limits of a namespace say of containers, pods and claims. Containers that
 * say nothing get their defaults; who asks for too much or too little is refused.
 */
import type { LimitRange, LimitRangeItem, Pod } from '#messages/core.v1';
import type { FollowedType, TypeIndex } from '../../../replicas/follow-type.ts';
import { aggregateText } from '../../../semantics/errors/aggregate-text.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { claimProblems, podProblems } from './limit-checks.ts';
import type { Claim } from './limit-checks.ts';
import { setDefaults } from './limit-defaults.ts';

export type Limits = readonly LimitRangeItem[];

class LimitRanges implements TypeIndex {
  readonly #namespaces = new Map<string, Map<string, Limits>>();

  put({ metadata: { namespace = '', name = '' }, spec }: LimitRange): void {
    const ranges = this.#namespaces.get(namespace) ?? new Map<string, Limits>();
    this.#namespaces.set(namespace, ranges.set(name, spec?.limits ?? []));
  }

  remove({ metadata: { namespace = '', name = '' } }: LimitRange): void {
    const ranges = this.#namespaces.get(namespace);
    ranges?.delete(name);
    if (ranges?.size === 0) this.#namespaces.delete(namespace);
  }

  /** In the order of their names. */
  of(namespace: string): readonly Limits[] {
    const ranges = this.#namespaces.get(namespace);
    if (ranges === undefined) return [];
    return [...ranges.keys()].sort().map((name) => ranges.get(name) ?? []);
  }
}

export class LimitRanger implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #ranges = new LimitRanges();

  constructor({ follow }: Pick<AdmissionContext, 'follow'>) {
    this.knows = [follow('limitranges', this.#ranges)];
  }

  admit({ resource, namespace, object }: Proposal): void {
    if (resource !== 'pods') return;
    for (const limits of this.#ranges.of(namespace)) setDefaults(object as Pod, limits);
  }

  /** Throws StatusError 403 with all that one range does not allow. */
  validate(proposal: Proposal): void {
    const { resource, namespace, object, oldObject } = proposal;
    // An object that is being deleted must still be able to lose its finalizers.
    if (oldObject?.metadata.deletionTimestamp !== undefined) return;
    for (const limits of this.#ranges.of(namespace)) {
      const problems =
        resource === 'pods'
          ? podProblems(object as Pod, limits)
          : claimProblems(object as Claim, limits);
      if (problems.length > 0) throw refused(proposal, aggregateText(problems));
    }
  }
}
