/**
 * The quality of service of a pod: who is evicted last when its node runs short (README.md#pods).
 */
import type { Container, PodSpec } from '#messages/core.v1';
import { compareQuantities, quantitySign } from '../../../codec/leaves/quantity.ts';

const COUNTED = ['cpu', 'memory'] as const;

/** `Guaranteed` when requests equal limits. Requests have their defaults already. */
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
