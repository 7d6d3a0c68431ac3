/** The use of a quota by a pod, and the scopes that the pod is in (README.md#what-is-counted). */
import type { Container, Pod } from '#messages/core.v1';
import { qosClass } from '../resources/core/pods/pod-qos.ts';
import { HUGE_PAGES, isExtendedResource, isNative } from '../resources/core/resource-names.ts';
import { compareTexts } from '../base/text/compare-texts.ts';
import { ownRelease } from '../release/release.ts';
import { ownName } from '../semantics/dialect/own-names.ts';
import { largerOf, sumOf, type Amounts } from './amounts.ts';
import { resourcesOf, saysForAll } from './pod-resources.ts';

const COUNT_NAME = 'count/pods';
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const REQUESTS = 'requests.';
const LIMITS = 'limits.';
/** Before the name of a class. */
const DEVICE_CLASS = ownName('deviceclass.resource.cluster.io/c').slice(0, -1);

const NAMES: ReadonlySet<string> = new Set([
  COUNT_NAME,
  'pods',
  ...COMPUTE,
  ...COMPUTE.map((name) => REQUESTS + name),
  ...COMPUTE.map((name) => LIMITS + name),
]);

/** Resources that each container must name where a quota limits them; others may be left out. */
const MUST_BE_SAID: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, REQUESTS + name, LIMITS + name]),
);

/** A pod whose containers have ended, or should have, is an object and nothing else. */
export const ENDED_POD: Amounts = { [COUNT_NAME]: '1' };

/** The facts by which scopes choose pods. */
export interface PodScopes {
  readonly isTerminating: boolean;
  readonly isBestEffort: boolean;
  readonly priorityClass: string;
  readonly reachesOtherNamespaces: boolean;
}

/** Whether pods use what a quota calls so. */
export function isPodResource(name: string): boolean {
  if (NAMES.has(name) || name.startsWith(HUGE_PAGES)) return true;
  if (!name.startsWith(REQUESTS)) return false;
  return name.startsWith(REQUESTS + HUGE_PAGES) || !isNative(name) || isOfClass(name, REQUESTS);
}

/** Whether devices of a class are asked for by the name of the class, as if there were no claim. */
function isOfClass(name: string, prefix = ''): boolean {
  return COUNTS_CLASSES && name.startsWith(prefix + DEVICE_CLASS);
}

/** The use of a pod that has not ended. */
export function podUsage(pod: Pod): Amounts {
  const [requests, limits] = COUNTS_BY_POD
    ? [resourcesOf(pod, 'requests'), resourcesOf(pod, 'limits')]
    : sumsOfContainers(pod);
  return { ...ENDED_POD, ...computeUsage(requests, limits) };
}

const RELEASE = ownRelease();
const COUNTS_CLASSES = RELEASE.has('quotasOfDeviceClasses');
/** Whether the use of a pod is what its node keeps for it. */
const COUNTS_BY_POD = RELEASE.has('usageByPod');

function sumsOfContainers({ spec: { containers = [], initContainers = [], overhead } = {} }: Pod) {
  let requests: Amounts = {};
  let limits: Amounts = {};
  for (const { resources } of containers) {
    requests = sumOf(requests, resources?.requests ?? {});
    limits = sumOf(limits, resources?.limits ?? {});
  }
  // They run one after the other, before all others.
  for (const { resources } of initContainers) {
    requests = largerOf(requests, resources?.requests ?? {});
    limits = largerOf(limits, resources?.limits ?? {});
  }
  if (overhead !== undefined) {
    requests = sumOf(requests, overhead);
    limits = sumOf(limits, overhead);
  }
  return [requests, limits] as const;
}

/** From when on a pod does not count as running any more; undefined while nobody knows. */
export function podEndMs({ metadata, status }: Pod): number | undefined {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return undefined;
  // The time of its deletion has its grace in it already: it is given as much again.
  return Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}

/**
 * The resources among these names of which the containers must say something, and do not; '' where
 * there are none.
 */
export function unsaidResources({ spec = {} }: Pod, names: readonly string[]): string {
  const { containers = [], initContainers = [], resources: ofPod } = spec;
  const wanted = names.filter((name) => MUST_BE_SAID.has(name));
  if (wanted.length === 0 || saysForAll(ofPod)) return '';
  const said = [...containers, ...initContainers].map(({ name = '', resources }: Container) => ({
    name,
    usage: computeUsage(resources?.requests ?? {}, resources?.limits ?? {}),
  }));
  const missing = wanted.map((name) => ({
    name,
    by: said.filter(({ usage }) => usage[name] === undefined).map((one) => one.name),
  }));
  const unsaid = missing.filter(({ by }) => by.length > 0);
  if (!RELEASE.has('namedContainersInQuotas')) return unsaid.map(({ name }) => name).join(',');
  return unsaid
    .map(({ name, by }) => `${name} for: ${[...new Set(by)].sort(compareTexts).join(',')}`)
    .join('; ');
}

export function podScopes({ spec = {} }: Pod): PodScopes {
  const { activeDeadlineSeconds, priorityClassName = '' } = spec;
  return {
    isTerminating: activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0,
    isBestEffort: qosClass(spec) === 'BestEffort',
    priorityClass: priorityClassName,
    reachesOtherNamespaces: reachesOtherNamespaces(spec.affinity),
  };
}

function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const usage: Record<string, string> = { pods: '1' };
  for (const name of COMPUTE) {
    const { [name]: request } = requests;
    const { [name]: limit } = limits;
    if (request !== undefined) usage[name] = usage[REQUESTS + name] = request;
    if (limit !== undefined) usage[LIMITS + name] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (name.startsWith(HUGE_PAGES)) usage[name] = usage[REQUESTS + name] = request;
    else if (isExtendedResource(name) || isOfClass(name)) usage[REQUESTS + name] = request;
  }
  return usage;
}

type Affinity = NonNullable<NonNullable<Pod['spec']>['affinity']>;

function reachesOtherNamespaces(affinity: Affinity | undefined): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((rules) => {
    const required = rules?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = rules?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const terms = [...required, ...preferred.map(({ podAffinityTerm }) => podAffinityTerm)];
    return terms.some(
      (term) => (term?.namespaces?.length ?? 0) > 0 || term?.namespaceSelector !== undefined,
    );
  });
}
