/** Who the server is, and in which versions it stores (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const identityLease: ControllerEntry = {
  concerns: oneOf('leases.coordination.cluster.io'),
  requiredBy: ['APIServerIdentity'],
  begins: 'beforeServing',
  steps: ['poststarthook/start-kube-apiserver-identity-lease-controller'],
  run: async (ports, context) => {
    const { holdIdentity } = await import('./server-identity.ts');
    await holdIdentity(ports, context);
  },
};

export const storageVersions: ControllerEntry = {
  concerns: oneOf('storageversions.internal.apiserver.cluster.io'),
  requiredBy: ['APIServerIdentity', 'StorageVersionAPI'],
  begins: 'beforeServing',
  steps: ['poststarthook/built-in-resources-storage-version-updater'],
  run: async (ports, context) => {
    const { tellStorageVersions } = await import('./storage-versions.ts');
    await tellStorageVersions(ports, context);
  },
};
