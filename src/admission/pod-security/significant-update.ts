/** Which updates of a pod are looked at: all others are allowed, whatever the pod is. */
import type { Container, Pod } from '#messages/core.v1';
import {
  SECCOMP_OF_CONTAINER,
  SECCOMP_OF_POD,
} from '../../resources/core/pods/seccomp-annotations.ts';

/** Whether an update changes what runs in the pod, or how it is confined. */
export function isSignificantUpdate(pod: Pod, stored: Pod): boolean {
  const isChanged = (key: string): boolean => annotation(pod, key) !== annotation(stored, key);
  const isOther = (container: Container, before: Container | undefined): boolean =>
    before === undefined ||
    container.image !== before.image ||
    isChanged(SECCOMP_OF_CONTAINER + (container.name ?? ''));
  if (isChanged(SECCOMP_OF_POD)) return true;
  for (const list of ['containers', 'initContainers'] as const) {
    const { [list]: containers = [] } = pod.spec ?? {};
    const { [list]: before = [] } = stored.spec ?? {};
    if (containers.length !== before.length) return true;
    if (containers.some((container, index) => isOther(container, before[index]))) return true;
  }
  const { ephemeralContainers = [] } = pod.spec ?? {};
  if (ephemeralContainers.length === 0) return false;
  const before = new Map(stored.spec?.ephemeralContainers?.map((one) => [one.name, one]));
  return ephemeralContainers.some((container) => isOther(container, before.get(container.name)));
}

function annotation({ metadata }: Pod, key: string): string {
  return metadata.annotations?.[key] ?? '';
}
