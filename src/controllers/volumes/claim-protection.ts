/** Holds claims for as long as pods use them (../README.md#volumes-in-use). */
import { CLAIM_FINALIZER } from '../../resources/core/volumes/volume-protection.ts';
import type { Ports } from '../run-controller.ts';
import { ClaimUsers } from './claim-users.ts';
import { protectFromPods, type FromPodsOptions } from './protection-from-pods.ts';

/** Works until it is told to stop. Ports: those of `protectFromPods`. */
export function protectClaims(ports: Ports, options: FromPodsOptions): Promise<void> {
  const type = {
    resource: 'persistentvolumeclaims',
    finalizer: CLAIM_FINALIZER,
    account: 'pvc-protection-controller',
    usesOf: (onRelease: (namespace: string, claim: string) => void) => new ClaimUsers(onRelease),
  };
  return protectFromPods(ports, type, options);
}
