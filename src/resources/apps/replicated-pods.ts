/** The rules for replicated pods that Deployments and ReplicaSets share (README.md#workloads). */
import type { ReplicaSetSpec } from '#messages/apps.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { invalidSelector } from '../../semantics/metadata/label-validation.ts';
import { checkPodTemplate } from '../core/pods/pod-template.ts';
import {
  checkDisksShareable,
  checkRunsAlways,
  checkTemplateSelected,
  checkWorkloadSelector,
} from '../workload.ts';

/** The reference speaks of Deployments and ReplicaSets alike in both kinds. */
export function checkReplicatedPods(
  spec: ReplicaSetSpec,
  gates: FeatureGates,
  errors: FieldError[],
  stored?: ReplicaSetSpec,
): void {
  const { selector, template = {}, replicas = 0 } = spec;
  const empty = 'empty selector is invalid for deployment';
  checkWorkloadSelector(selector, empty, errors, stored?.selector);
  if (!checkTemplateSelected(spec, errors)) {
    errors.push(invalidSelector('spec.selector', selector, 'invalid label selector'));
    return;
  }
  checkPodTemplate(template, gates, 'spec.template', errors, stored?.template);
  if (replicas > 1) checkDisksShareable(template, gates, errors);
  checkRunsAlways(template, 'ReplicaSet', errors);
}
