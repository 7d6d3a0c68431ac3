/** Signs with bootstrap tokens, and removes old ones (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const bootstrapSigner: ControllerEntry = {
  concerns: oneOf('secrets', 'configmaps'),
  isOffByDefault: true,
  run: async (ports, { nowMs, logError }) => {
    const { signClusterInfo } = await import('./bootstrap-signer.ts');
    await signClusterInfo(ports, { nowMs, logError });
  },
};

export const tokenCleaner: ControllerEntry = {
  concerns: oneOf('secrets'),
  isOffByDefault: true,
  run: async (ports, { nowMs, logError }) => {
    const { removeInTime } = await import('../timed-removal.ts');
    const { BOOTSTRAP_TOKENS: followed, tokenEndMs: endMs } = await import('./bootstrap-token.ts');
    const removed = { resource: 'secrets', account: 'token-cleaner', followed };
    await removeInTime(ports, { ...removed, endMs, nowMs, logError });
  },
};
