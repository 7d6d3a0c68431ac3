/** Holds claims for as long as pods use them (../README.md#volumes-in-use). */
import { AnsweredVersions } from '../../replicas/answered-versions.ts';
import { Replica } from '../../replicas/replica.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { CLAIM_FINALIZER } from '../../resources/core/volumes/volume-protection.ts';
import { portOf } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { ClaimUsers } from './claim-users.ts';
import { Protection } from './protection.ts';

export interface ClaimProtectionOptions {
  /** Which changes were answered: see `AnsweredVersions`. */
  readonly answered: SharedArrayBuffer;
  readonly logError: (text: string) => void;
}

/**
 * Works until it is told to stop. Pods are many and change often: they are followed from the first
 * claim on that is deleted while it is there. Ports: `control`, and those of the shards of claims
 * and pods.
 */
export async function protectClaims(
  ports: Ports,
  { answered, logError }: ClaimProtectionOptions,
): Promise<void> {
  const users = new ClaimUsers((namespace, claim) => protection.again(namespace, claim));
  const pods = new Replica({
    resource: 'pods',
    port: portOf(ports, 'pods'),
    index: users,
    answered: new AnsweredVersions(answered),
  });
  let following: Promise<void> | undefined;
  const isUsed = async (claim: ApiObject): Promise<boolean> => {
    following ??= pods.start();
    await following;
    // A pod that somebody was told of counts, though its event may be on its way yet.
    await pods.whenCurrent();
    return users.isUsed(claim);
  };
  const protection = new Protection(ports, {
    resource: 'persistentvolumeclaims',
    finalizer: CLAIM_FINALIZER,
    account: 'pvc-protection-controller',
    isUsed,
    logError,
  });
  await protection.run();
  pods.close();
}
