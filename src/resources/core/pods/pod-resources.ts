/** Resources that the containers of a pod ask for together, and that it asks for as a whole. */
import type { Container, PodSpec } from '#messages/core.v1';
import { textMap } from '../../../base/text/text-map.ts';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
} from '../../../codec/leaves/quantity.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  fieldForbidden,
  invalid,
  notSupported,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import {
  checkResourceName,
  HUGE_PAGES,
  isOvercommitAllowed,
  NO_RESOURCES,
  type ResourceList,
} from '../resource-names.ts';
import { checkResources } from './containers/resources.ts';
import { isSidecar } from './containers/restart-policy.ts';
import { claimNames } from './pod-claims.ts';
import type { PodRules } from '../pod-rules.ts';

type Kind = 'limits' | 'requests';

const SUPPORTED = ['cpu', 'memory'];

/** Whether a pod may ask for it as a whole. */
export function isPodResource(name: string): boolean {
  return SUPPORTED.includes(name) || name.startsWith(HUGE_PAGES);
}

/**
 * The most that the containers ask for at any time: sidecars go on while later init containers and
 * then the containers of the pod run.
 */
export function aggregateOf({ containers = [], initContainers = [] }: PodSpec, kind: Kind) {
  const sum = textMap();
  for (const container of containers) add(sum, amountsOf(container, kind));
  const sidecars = textMap();
  const most = textMap();
  for (const container of initContainers) {
    const amounts = amountsOf(container, kind);
    if (isSidecar(container)) {
      add(sum, amounts);
      add(sidecars, amounts);
      raise(most, sidecars);
    } else {
      const together: ResourceList = Object.assign(textMap(), amounts);
      add(together, sidecars);
      raise(most, together);
    }
  }
  raise(sum, most);
  return sum;
}

function amountsOf({ resources = {} }: Container, kind: Kind): ResourceList {
  return resources[kind] ?? textMap();
}

function add(sum: ResourceList, amounts: ResourceList): void {
  for (const name of Object.keys(amounts)) {
    sum[name] = addQuantities(sum[name] ?? '0', amounts[name] ?? '0');
  }
}

function raise(most: ResourceList, amounts: ResourceList): void {
  for (const name of Object.keys(amounts)) {
    const amount = amounts[name] ?? '0';
    const before = most[name];
    if (before === undefined || compareQuantities(amount, before) > 0) most[name] = amount;
  }
}

/** Adds the problems of what a pod asks for as a whole. */
export function checkPodResources(
  spec: PodSpec,
  { gates }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { resources } = spec;
  if (resources === undefined || !gates.has('PodLevelResources')) return;
  const isNewer = ownRelease().has('pathsOfPodResources');
  const at = isNewer ? `${field}.resources` : field;
  if (isNewer && spec.os?.name === 'windows') {
    errors.push(fieldForbidden(at, 'may not be set for a windows pod'));
    return;
  }
  if (resources.claims !== undefined) {
    const verb = isNewer ? 'may not' : 'cannot';
    const detail = `claims ${verb} be set for Resources at pod-level`;
    errors.push(fieldForbidden(`${at}.claims`, detail));
  }
  checkResources(resources, at, errors, {
    claims: () => claimNames(spec),
    checkName: checkPodResourceName,
  });
  checkCovered(spec, at, errors);
}

function checkPodResourceName(name: string, field: string, errors: FieldError[]): void {
  const before = errors.length;
  checkResourceName(name, field, errors);
  if (errors.length > before || isPodResource(name)) return;
  errors.push(notSupported(field, name, SUPPORTED));
}

/** No container has more than its pod. */
function checkCovered(spec: PodSpec, field: string, errors: FieldError[]): void {
  const { requests = NO_RESOURCES, limits = NO_RESOURCES } = spec.resources ?? {};
  const isNewer = ownRelease().has('pathsOfPodResources');
  const sums = aggregateOf(spec, 'requests');
  for (const name of Object.keys(sums).sort()) {
    const amount = requests[name] ?? (isNewer ? undefined : '0');
    if (amount === undefined || compareQuantities(sums[name] ?? '0', amount) <= 0) continue;
    const sum = shown(sums[name]);
    const detail = `must be greater than or equal to aggregate container requests of ${sum}`;
    errors.push(invalid(`${field}.requests[${name}]`, shown(amount), detail));
  }
  if (isNewer) checkPages(spec, field, errors);
  spec.containers?.forEach(({ resources }, index) => {
    const own = resources?.limits ?? {};
    for (const name of Object.keys(own).sort()) {
      const most = limits[name];
      if (most === undefined || compareQuantities(own[name] ?? '0', most) <= 0) continue;
      const detail = `must be less than or equal to pod limits of ${shown(most)}`;
      const at = `${field}.containers[${index}][${name}].limits`;
      errors.push(invalid(at, shown(own[name]), detail));
    }
  });
}

/** Limits of huge pages are no promises: the pod needs all of them. */
function checkPages(spec: PodSpec, field: string, errors: FieldError[]): void {
  const { limits = NO_RESOURCES } = spec.resources ?? {};
  const sums = aggregateOf(spec, 'limits');
  for (const name of Object.keys(sums).sort()) {
    const amount = limits[name];
    if (!name.startsWith(HUGE_PAGES) || amount === undefined) continue;
    if (compareQuantities(sums[name] ?? '0', amount) <= 0) continue;
    const sum = shown(sums[name]);
    const detail = `must be greater than or equal to aggregate container limits of ${sum}`;
    errors.push(invalid(`${field}.limits[${name}]`, shown(amount), detail));
  }
}

function shown(quantity = '0'): string {
  return canonicalQuantity(quantity);
}

/** Whether that is done when a pod is made, and not as defaults are. */
export function defaultsPodResourcesLate(gates: FeatureGates): boolean {
  return gates.has('PodLevelResources') && gates.has('PodLevelResourcesFixDefaulting');
}

/** Completes what a pod asks for as a whole where it says only a part of it. */
export function applyPodResourceDefaults(spec: PodSpec, late = false): void {
  const { resources } = spec;
  const { limits, requests } = resources ?? {};
  if (resources === undefined || (isEmpty(limits) && isEmpty(requests))) return;
  const pages = aggregateOf(spec, 'limits');
  for (const name of Object.keys(pages)) {
    if (!name.startsWith(HUGE_PAGES) || requests?.[name] !== undefined) continue;
    resources.limits ??= textMap();
    resources.limits[name] ??= pages[name] ?? '0';
  }
  if (isEmpty(resources.limits) && !late) return;
  const asked: ResourceList = resources.requests ?? textMap();
  const sums = aggregateOf(spec, 'requests');
  for (const name of Object.keys(sums)) {
    if (isPodResource(name) && isOvercommitAllowed(name)) asked[name] ??= sums[name] ?? '0';
  }
  for (const [name, limit] of Object.entries(resources.limits ?? {})) {
    if (isPodResource(name)) asked[name] ??= limit;
  }
  if (!isEmpty(asked)) resources.requests = asked;
}

/** Keeps what a pod asks for as a whole where the writer does not know of it. */
export function keepPodResources(
  spec: PodSpec,
  stored: PodSpec | undefined,
  gates: FeatureGates,
): void {
  if (stored?.resources === undefined || !gates.has('PodLevelResourcesFixDefaulting')) return;
  spec.resources ??= structuredClone(stored.resources);
}

/** Completes what a pod asks for as a whole once all else of it is complete. */
export function applyLateResourceDefaults(spec: PodSpec): void {
  applyPodResourceDefaults(spec, true);
  applyPodLimitDefaults(spec);
}

/** The limits of a pod that asks for something are those of its containers where each has one. */
function applyPodLimitDefaults(spec: PodSpec): void {
  const { resources, containers = [], initContainers = [] } = spec;
  if (resources === undefined) return;
  const sums = aggregateOf(spec, 'limits');
  for (const [name, request] of Object.entries(resources.requests ?? {})) {
    const isSaid = resources.limits?.[name] !== undefined;
    if (isSaid || !isPodResource(name)) continue;
    const limited = [...containers, ...initContainers].every(
      (container) => container.resources?.limits?.[name] !== undefined,
    );
    const sum = limited ? sums[name] : undefined;
    if (sum === undefined) continue;
    resources.limits ??= textMap();
    resources.limits[name] = compareQuantities(request, sum) > 0 ? request : sum;
  }
}

function isEmpty(amounts: ResourceList | undefined): boolean {
  return amounts === undefined || Object.keys(amounts).length === 0;
}
