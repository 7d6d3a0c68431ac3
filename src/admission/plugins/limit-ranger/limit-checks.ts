/**
 * Problems of pods and claims with limits, in the reference's words. Resource names are in order.
 */
import type { LimitRangeItem, Pod, ResourceRequirements } from '#messages/core.v1';
import {
  canonicalQuantity,
  compareQuantities,
  milliQuantity,
  wholeQuantity,
} from '../../../codec/leaves/quantity.ts';
import type { ResourceList } from '../../../resources/core/resource-names.ts';

/** The part of a claim that limits concern. */
export interface Claim {
  readonly spec?: { readonly resources?: ResourceRequirements };
}

/** The problems of each container, and of all of them together. */
export function podProblems({ spec = {} }: Pod, limits: readonly LimitRangeItem[]): string[] {
  const { containers = [], initContainers = [] } = spec;
  const used = [...containers, ...initContainers].map(({ resources = {} }) => resources);
  return limits.flatMap((limit) => {
    if (limit.type === 'Container') return used.flatMap((one) => usageProblems(one, limit));
    if (limit.type !== 'Pod') return [];
    const both = (member: 'limits' | 'requests'): ResourceList =>
      totalOf(
        containers.map(({ resources }) => resources?.[member] ?? {}),
        initContainers.map(({ resources }) => resources?.[member] ?? {}),
      );
    return usageProblems({ requests: both('requests'), limits: both('limits') }, limit);
  });
}

/** The problems of a claim: only what it requests counts. */
export function claimProblems({ spec }: Claim, limits: readonly LimitRangeItem[]): string[] {
  const { requests = {} } = spec?.resources ?? {};
  return limits.flatMap((limit) => {
    if (limit.type !== 'PersistentVolumeClaim') return [];
    return [
      ...eachOf(limit.min, (name, bound) => {
        const least = `minimum ${name} usage per ${limit.type} is ${bound}`;
        return minProblem(least, bound, requests[name], undefined);
      }),
      ...eachOf(limit.max, (name, bound) => {
        const most = `maximum ${name} usage per ${limit.type} is ${bound}`;
        const request = requests[name];
        if (request === undefined) return `${most}.  No request is specified`;
        return isMore(request, bound) ? `${most}, but request is ${request}` : '';
      }),
    ];
  });
}

function usageProblems(
  { requests = {}, limits = {} }: ResourceRequirements,
  limit: LimitRangeItem,
): string[] {
  const { type = '', min, max, maxLimitRequestRatio } = limit;
  return [
    ...eachOf(min, (name, bound) => {
      const least = `minimum ${name} usage per ${type} is ${bound}`;
      return minProblem(least, bound, requests[name], limits[name]);
    }),
    ...eachOf(max, (name, bound) => {
      const most = `maximum ${name} usage per ${type} is ${bound}`;
      return maxProblem(most, bound, requests[name], limits[name]);
    }),
    ...eachOf(maxLimitRequestRatio, (name, bound) => {
      const ratio = `${name} max limit to request ratio per ${type} is ${bound}`;
      return ratioProblem(ratio, bound, requests[name], limits[name]);
    }),
  ];
}

/** The problems, '' for none, of the bounds of a list. */
function eachOf(
  bounds: ResourceList = {},
  problem: (name: string, bound: string) => string,
): string[] {
  return Object.keys(bounds)
    .sort()
    .map((name) => problem(name, bounds[name] ?? '0'))
    .filter((text) => text !== '');
}

function isMore(amount: string, bound: string): boolean {
  return compareQuantities(amount, bound) > 0;
}

function minProblem(
  least: string,
  bound: string,
  request: string | undefined,
  limit: string | undefined,
): string {
  if (request === undefined) return `${least}.  No request is specified`;
  if (isMore(bound, request)) return `${least}, but request is ${request}`;
  return limit !== undefined && isMore(bound, limit) ? `${least}, but limit is ${limit}` : '';
}

function maxProblem(
  most: string,
  bound: string,
  request: string | undefined,
  limit: string | undefined,
): string {
  if (limit === undefined) return `${most}.  No limit is specified`;
  if (isMore(limit, bound)) return `${most}, but limit is ${limit}`;
  return request !== undefined && isMore(request, bound)
    ? `${most}, but request is ${request}`
    : '';
}

function ratioProblem(
  most: string,
  bound: string,
  request: string | undefined,
  limit: string | undefined,
): string {
  const asked = milliQuantity(request ?? '0');
  if (asked === 0n) return `${most}, but no request is specified or request is 0`;
  const given = milliQuantity(limit ?? '0');
  if (given === 0n) return `${most}, but no limit is specified or limit is 0`;
  const ratio = Number(given) / Number(asked);
  if (ratio * 1000 <= Number(milliQuantity(bound))) return '';
  return `${most}, but provided ratio is ${ratio.toFixed(6)}`;
}

/**
 * The sum of containers that run together, for each resource that all of them name, or the amount
 * of one that runs alone before them, if that is more.
 */
function totalOf(together: readonly ResourceList[], alone: readonly ResourceList[]): ResourceList {
  const total: ResourceList = {};
  for (const name of Object.keys(together[0] ?? {})) {
    if (together.every((list) => list[name] !== undefined)) {
      total[name] = sumOf(
        name,
        together.map((list) => list[name] ?? '0'),
      );
    }
  }
  for (const list of alone) {
    for (const [name, amount] of Object.entries(list)) {
      const known = total[name];
      if (known === undefined || isMore(amount, known)) total[name] = amount;
    }
  }
  return total;
}

/** The sum, of cpu in thousandths, of other resources in whole ones, as a decimal number. */
function sumOf(name: string, amounts: readonly string[]): string {
  const [unit, part] = name === 'cpu' ? ['m', milliQuantity] : ['', wholeQuantity];
  return canonicalQuantity(`${amounts.map(part).reduce((a, b) => a + b, 0n)}${unit}`);
}
