/** Counts what a node keeps for a pod (README.md#what-is-counted). */
import type { Container, ContainerStatus, Pod, ResourceRequirements } from '#messages/core.v1';
import { quantitySign } from '../codec/leaves/quantity.ts';
import { DEFAULT_GATES } from '../release/own-gates.ts';
import { aggregateOf, isPodResource } from '../resources/core/pods/pod-resources.ts';
import { largerOf, sumOf, type Amounts } from './amounts.ts';

type Kind = 'limits' | 'requests';

/** Whether what a pod asks for as a whole stands for what its containers do not say. */
export function saysForAll(resources: ResourceRequirements | undefined): boolean {
  if (!DEFAULT_GATES.has('PodLevelResources') || resources === undefined) return false;
  const { requests = {}, limits = {} } = resources;
  return [...Object.keys(requests), ...Object.keys(limits)].some(isPodResource);
}

/** The limits or requests of a pod: of its containers, or of it as a whole where it says so. */
export function resourcesOf(pod: Pod, kind: Kind): Amounts {
  const { spec: { resources, overhead = {} } = {} } = pod;
  let amounts: Amounts = ofContainers(pod, kind);
  if (DEFAULT_GATES.has('PodLevelResources')) {
    const whole = Object.entries(resources?.[kind] ?? {}).filter(([name]) => isPodResource(name));
    amounts = { ...amounts, ...Object.fromEntries(whole) };
  }
  if (kind === 'requests') return sumOf(amounts, overhead);
  const limited = Object.entries(overhead).filter(
    ([name]) => Object.hasOwn(amounts, name) && quantitySign(amounts[name] ?? '0') !== 0,
  );
  return sumOf(amounts, Object.fromEntries(limited));
}

/** While a pod is resized its node keeps the most of what it asks for and what it has. */
function ofContainers(pod: Pod, kind: Kind): Amounts {
  const { spec = {}, status: { conditions = [], ...status } = {} } = pod;
  const asked = aggregateOf(spec, kind);
  if (!DEFAULT_GATES.has('InPlacePodVerticalScaling')) return asked;
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const statuses = [...containerStatuses, ...initContainerStatuses];
  const pending = conditions.find(({ type }) => type === 'PodResizePending');
  const isInfeasible = pending?.reason === 'Infeasible';
  const isResized = statuses.some((one) => one.resources ?? one.allocatedResources);
  if (!isInfeasible && !isResized) return asked;
  const sumOfGiven = (given: (status: ContainerStatus) => Amounts | undefined): Amounts => {
    const containers = (list: readonly Container[] = []): Container[] =>
      list.map((container) => {
        const found = statuses.find(({ name }) => name === container.name);
        const amounts = found && given(found);
        if (amounts !== undefined) return { ...container, resources: { [kind]: { ...amounts } } };
        return isInfeasible ? { ...container, resources: {} } : container;
      });
    const { containers: main, initContainers: init } = spec;
    return aggregateOf({ containers: containers(main), initContainers: containers(init) }, kind);
  };
  const allocated = ({ allocatedResources }: ContainerStatus): Amounts | undefined =>
    kind === 'requests' ? allocatedResources : undefined;
  const had = sumOfGiven((one) => one.resources?.[kind] ?? allocated(one));
  const given = kind === 'requests' ? largerOf(had, sumOfGiven(allocated)) : had;
  return isInfeasible ? given : largerOf(asked, given);
}
