/** Holds objects of a type for as long as pods use them (../README.md#volumes-in-use). */
import { AnsweredVersions } from '../../replicas/answered-versions.ts';
import type { TypeIndex } from '../../replicas/follow-type.ts';
import { Replica } from '../../replicas/replica.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { portOf } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { Protection, type ProtectionOptions } from './protection.ts';

/** Knows which pods use which volumes. */
interface PodUses extends TypeIndex {
  isUsed(object: ApiObject): boolean;
}

export interface FromPodsOptions {
  /** Which changes were answered: see `AnsweredVersions`. */
  readonly answered: SharedArrayBuffer;
  readonly logError: (text: string) => void;
}

interface ProtectedType extends Omit<ProtectionOptions, 'isUsed' | 'logError'> {
  /** Makes the index; `onRelease` is to be called with what a pod does not use any more. */
  readonly usesOf: (onRelease: (namespace: string, name: string) => void) => PodUses;
}

/**
 * Works until it is told to stop. Pods are many and change often: they are followed from the first
 * object on that is deleted while it is there. Ports: `control`, and those of the shards of the
 * type and of pods.
 */
export async function protectFromPods(
  ports: Ports,
  { usesOf, ...type }: ProtectedType,
  { answered, logError }: FromPodsOptions,
): Promise<void> {
  const uses = usesOf((namespace, name) => protection.again(namespace, name));
  const pods = new Replica({
    resource: 'pods',
    port: portOf(ports, 'pods'),
    index: uses,
    answered: new AnsweredVersions(answered),
  });
  let following: Promise<void> | undefined;
  const isUsed = async (object: ApiObject): Promise<boolean> => {
    following ??= pods.start();
    await following;
    // A pod that somebody was told of counts, though its event may be on its way yet.
    await pods.whenCurrent();
    return uses.isUsed(object);
  };
  const protection = new Protection(ports, { ...type, isUsed, logError });
  await protection.run();
  pods.close();
}
