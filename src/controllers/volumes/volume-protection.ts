/** Holds volumes for as long as they are bound to claims (../README.md#volumes-in-use). */
import type { PersistentVolume } from '#messages/core.v1';
import { VOLUME_FINALIZER } from '../../resources/core/volumes/volume-protection.ts';
import type { Ports } from '../run-controller.ts';
import { Protection } from './protection.ts';

/** Works until it is told to stop. Ports: `control`, and that of the shard of volumes. */
export async function protectVolumes(
  ports: Ports,
  logError: (text: string) => void,
): Promise<void> {
  const isUsed = ({ status }: PersistentVolume): boolean => status?.phase === 'Bound';
  const protection = new Protection(ports, {
    resource: 'persistentvolumes',
    finalizer: VOLUME_FINALIZER,
    account: 'pv-protection-controller',
    isUsed,
    logError,
  });
  await protection.run();
}
