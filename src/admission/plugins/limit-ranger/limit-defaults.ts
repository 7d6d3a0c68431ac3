/** Default limits and requests of containers that say nothing of a resource. */
import type { Container, LimitRangeItem, Pod } from '#messages/core.v1';
import { textMap } from '../../../base/text/text-map.ts';
import type { ResourceList } from '../../../resources/core/resource-names.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';

const ANNOTATION = ownName('cluster.io/limit-ranger');

/** Sets the defaults in the containers of a pod, and annotates it with what was set. */
export function setDefaults(pod: Pod, limits: readonly LimitRangeItem[]): void {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const given: Record<string, string> = {};
  const asked: Record<string, string> = {};
  for (const { type, default: limit, defaultRequest } of limits) {
    if (type !== 'Container') continue;
    Object.assign(given, limit);
    Object.assign(asked, defaultRequest);
  }
  const set = [
    ...containers.flatMap((one) => completed(one, 'container', asked, given)),
    ...initContainers.flatMap((one) => completed(one, 'init container', asked, given)),
  ];
  if (set.length === 0) return;
  const { annotations } = pod.metadata;
  const value = `LimitRanger plugin set: ${set.join('; ')}`;
  pod.metadata.annotations = textMap({ ...annotations, [ANNOTATION]: value });
}

/** Sets the defaults in a container, and tells them in the words of the annotation. */
function completed(
  container: Container,
  kind: string,
  asked: ResourceList,
  given: ResourceList,
): string[] {
  const resources = (container.resources ??= {});
  const texts: string[] = [];
  for (const [member, defaults, word] of [
    ['requests', asked, 'request'],
    ['limits', given, 'limit'],
  ] as const) {
    const missing = Object.keys(defaults)
      .filter((name) => resources[member]?.[name] === undefined)
      .sort();
    if (missing.length === 0) continue;
    resources[member] = textMap({ ...defaults, ...resources[member] });
    texts.push(`${missing.join(', ')} ${word} for ${kind} ${container.name ?? ''}`);
  }
  return texts;
}
