/** The interface of a check of a pod, and the words that several checks share. */
import type { Container, PodSpec, SecurityContext } from '#messages/core.v1';
import { compareAsUtf8 } from '../../base/text/compare-texts.ts';
import { forEachContainer } from '../../resources/core/pods/containers/containers.ts';

/** A pod, or what a template is to make. */
export interface CheckedPod {
  readonly metadata?: { readonly annotations?: Record<string, string> | undefined };
  readonly spec?: PodSpec;
}

/** Why a pod is not of a level: `reason` alone where many pods are told of. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Undefined for a pod that the check allows. */
export type PodCheck = (pod: CheckedPod) => Violation | undefined;

/** The names of the containers of which it holds, in the order of the pod. */
export function containersThat(
  { spec = {} }: CheckedPod,
  holds: (context: SecurityContext, container: Container) => boolean,
): string[] {
  const names: string[] = [];
  forEachContainer(spec, '', (container) => {
    if (holds(container.securityContext ?? {}, container)) names.push(container.name ?? '');
  });
  return names;
}

/** Each once, in order. */
export function distinctSorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort(compareAsUtf8);
}

/** `"a", "b"`: nothing in them is escaped. */
export function inQuotes(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}

/** `volume` of one, `volumes` of several. */
export function counted(noun: string, { length }: readonly unknown[]): string {
  return length === 1 ? noun : `${noun}s`;
}

/** `container "a"`, `volumes "a", "b"`. */
export function named(noun: string, names: readonly string[]): string {
  return `${counted(noun, names)} ${inQuotes(names)}`;
}

/** Who said something: `pod and containers "a", "b"`; '' for nobody. */
export function sayers(podSays: boolean, containers: readonly string[]): string {
  const all = podSays ? ['pod'] : [];
  if (containers.length > 0) all.push(named('container', containers));
  return all.join(' and ');
}
