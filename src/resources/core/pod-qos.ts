/** How well a pod is served when its node runs short (API-FACTS 13.4). */
import { compareQuantities, quantitySign } from '../../codec/quantity.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './pod-spec.ts';

const COUNTED = ['cpu', 'memory'] as const;

/** `Guaranteed` when all is reserved that may be used; requests are already defaulted. */
export function qosClass({ containers = [], initContainers = [] }: PodSpec): string {
  const all = [...containers, ...initContainers];
  if (!all.some(asksForSomething)) return 'BestEffort';
  return all.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
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
