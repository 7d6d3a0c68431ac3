/**
 * The quality of service of a pod: who is evicted last when its node runs short (README.md#pods).
 */
import type { Container, PodSpec, ResourceRequirements } from '#messages/core.v1';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { DEFAULT_GATES } from '../../../release/own-gates.ts';
import { compareQuantities, quantitySign } from '../../../codec/leaves/quantity.ts';
import { isPodResource } from './pod-resources.ts';

const COUNTED = ['cpu', 'memory'] as const;

/** `Guaranteed` when requests equal limits. Requests have their defaults already. */
export function qosClass(spec: PodSpec, gates: FeatureGates = DEFAULT_GATES): string {
  const { containers = [], initContainers = [], resources } = spec;
  if (resources !== undefined && decides(resources, gates)) {
    if (!asksForSomething({ resources })) return 'BestEffort';
    return isGuaranteed({ resources }) ? 'Guaranteed' : 'Burstable';
  }
  const all = [...containers, ...initContainers];
  if (!all.some(asksForSomething)) return 'BestEffort';
  return all.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

/** Whether what the pod asks for as a whole counts, and not what its containers ask for. */
function decides({ requests = {}, limits = {} }: ResourceRequirements, gates: FeatureGates) {
  if (!gates.has('PodLevelResources')) return false;
  if (!gates.has('PodLevelResourcesFixKubeletQOSClass')) return true;
  return [...Object.keys(requests), ...Object.keys(limits)].some(isPodResource);
}

function asksForSomething({ resources = {} }: Container): boolean {
  return COUNTED.some(
    (name) => isPositive(resources.requests?.[name]) || isPositive(resources.limits?.[name]),
  );
}

/** Requests are within limits: sums of them are equal only when each is. */
function isGuaranteed({ resources: { requests, limits } = {} }: Container): boolean {
  return COUNTED.every((name) => {
    const limit = limits?.[name];
    if (limit === undefined || !isPositive(limit)) return false;
    return compareQuantities(requests?.[name] ?? '0', limit) === 0;
  });
}

function isPositive(quantity: string | undefined): boolean {
  return quantity !== undefined && quantitySign(quantity) > 0;
}
