/** Carries StorageVersionMigrations out (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const storageVersionMigrator: ControllerEntry = {
  concerns: oneOf(
    'storageversionmigrations.storagemigration.cluster.io',
    'customresourcedefinitions.apiextensions.cluster.io',
  ),
  needs: 'StorageVersionMigrator',
  steps: ['poststarthook/storage-version-migrator-controller'],
  run: async (ports, { runtimeConfig, featureGates, nowMs, logError }) => {
    const { SYSTEM_TIMERS } = await import('../../base/time/timers.ts');
    const { migrateStorage } = await import('./storage-migrations.ts');
    const timers = SYSTEM_TIMERS;
    await migrateStorage(ports, { runtimeConfig, featureGates, timers, nowMs, logError });
  },
};
