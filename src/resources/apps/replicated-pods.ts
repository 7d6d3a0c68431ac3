/** The rules for replicated pods that Deployments and ReplicaSets share (API-FACTS 13.3). */
import { invalid, type FieldError } from '../../semantics/field-error.ts';
import { checkPodTemplate } from '../core/pod-template.ts';
import {
  checkDisksShareable,
  checkRunsAlways,
  checkTemplateSelected,
  checkWorkloadSelector,
  type WorkloadSpec,
} from '../workload.ts';

/** The reference speaks of Deployments and ReplicaSets alike in both kinds. */
export function checkReplicatedPods(spec: WorkloadSpec, errors: FieldError[]): void {
  const { selector, template = {}, replicas = 0 } = spec;
  checkWorkloadSelector(selector, 'empty selector is invalid for deployment', errors);
  if (!checkTemplateSelected(spec, errors)) {
    errors.push(invalid('spec.selector', selector, 'invalid label selector'));
    return;
  }
  checkPodTemplate(template, 'spec.template', errors);
  if (replicas > 1) checkDisksShareable(template, errors);
  checkRunsAlways(template, 'ReplicaSet', errors);
}
