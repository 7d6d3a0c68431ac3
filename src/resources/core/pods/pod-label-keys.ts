/** Completes a new pod by its labels and by what it waits for. */
import type { LabelSelector } from '#messages/meta.v1';
import type { Pod, PodAffinity, PodAffinityTerm, PodSpec } from '#messages/core.v1';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';

type Labels = Readonly<Record<string, string>>;

/** Adds what the pod's own labels ask for to selectors that name them by their keys. */
export function mergeLabelKeys(
  { affinity = {}, topologySpreadConstraints = [] }: PodSpec,
  labels: Labels = {},
  gates: FeatureGates,
): void {
  if (gates.has('MatchLabelKeysInPodAffinity')) {
    mergeTerms(affinity.podAffinity, labels);
    mergeTerms(affinity.podAntiAffinity, labels);
  }
  if (!gates.has('MatchLabelKeysInPodTopologySpread')) return;
  if (!gates.has('MatchLabelKeysInPodTopologySpreadSelectorMerge')) return;
  for (const { labelSelector, matchLabelKeys } of topologySpreadConstraints) {
    require(labelSelector, 'In', matchLabelKeys, labels);
  }
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function mergeTerms(
  { [REQUIRED]: terms = [], [PREFERRED]: weighted = [] }: PodAffinity = {},
  labels: Labels,
): void {
  const all: PodAffinityTerm[] = [
    ...weighted.map(({ podAffinityTerm = {} }) => podAffinityTerm),
    ...terms,
  ];
  for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of all) {
    require(labelSelector, 'In', matchLabelKeys, labels);
    require(labelSelector, 'NotIn', mismatchLabelKeys, labels);
  }
}

/** A selector that is absent selects nothing, with more requirements too. */
function require(
  selector: LabelSelector | undefined,
  operator: string,
  keys: readonly string[] = [],
  labels: Labels,
): void {
  if (selector === undefined) return;
  for (const key of keys) {
    const value = labels[key];
    if (value === undefined) continue;
    selector.matchExpressions ??= [];
    selector.matchExpressions.push({ key, operator, values: [value] });
  }
}

/** Says of a pod that waits for something why no node is looked for. */
export function addGatedCondition({ metadata, spec, status }: Pod): void {
  if (status === undefined || (spec?.schedulingGates ?? []).length === 0) return;
  if (!ownRelease().has('conditionsOfGatedPods')) return;
  status.conditions = [
    {
      type: 'PodScheduled',
      status: 'False',
      ...(ownRelease().has('timesOfGatedPods') && {
        lastTransitionTime: metadata.creationTimestamp ?? '',
      }),
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
  ];
}
