/** Protects volumes that are in use (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const pvcProtection: ControllerEntry = {
  concerns: oneOf('persistentvolumeclaims', 'pods'),
  run: async (ports, { answered, logError }) => {
    const { protectClaims } = await import('./claim-protection.ts');
    await protectClaims(ports, { answered, logError });
  },
};

export const pvProtection: ControllerEntry = {
  concerns: oneOf('persistentvolumes'),
  run: async (ports, { logError }) => {
    const { protectVolumes } = await import('./volume-protection.ts');
    await protectVolumes(ports, logError);
  },
};
