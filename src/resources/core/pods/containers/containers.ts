/** All containers of a pod, of whatever list. */
import type { Container, PodSpec } from '#messages/core.v1';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Calls `visit` with each container and its path below `field`, the path of the pod's spec. */
export function forEachContainer(
  spec: PodSpec,
  field: string,
  visit: (container: Container, field: string) => void,
): void {
  for (const list of LISTS) {
    spec[list]?.forEach((container, index) => visit(container, `${field}.${list}[${index}]`));
  }
}
