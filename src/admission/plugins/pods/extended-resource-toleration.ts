/**
 * ExtendedResourceToleration: a pod that asks for an extended resource tolerates the taint of that
 * name, by which nodes that have some are kept for such pods.
 */
import type { Pod, Toleration } from '#messages/core.v1';
import { compareTexts } from '../../../base/text/compare-texts.ts';
import { tolerationText } from '../../../resources/core/pods/pod-scheduling.ts';
import { isExtendedResource } from '../../../resources/core/resource-names.ts';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

export const EXTENDED_RESOURCE_TOLERATION: AdmissionPlugin = {
  admit({ object }: Proposal): void {
    const { spec = {} } = object as Pod;
    const { containers = [], initContainers = [] } = spec;
    const resources = new Set<string>();
    for (const { resources: { requests = {} } = {} } of [...containers, ...initContainers]) {
      for (const name in requests) if (isExtendedResource(name)) resources.add(name);
    }
    for (const key of [...resources].sort(compareTexts)) {
      spec.tolerations = withToleration(spec.tolerations ?? [], key);
    }
  },
};

/** One that differs in its seconds alone is replaced. */
function withToleration(tolerations: readonly Toleration[], key: string): Toleration[] {
  const wanted = { key, operator: 'Exists', effect: 'NoSchedule' };
  const text = tolerationText(wanted);
  const isThere = tolerations.some((one) => tolerationText(one) === text);
  if (!isThere) return [...tolerations, wanted];
  return tolerations.map((one) => (tolerationText(one) === text ? wanted : one));
}
