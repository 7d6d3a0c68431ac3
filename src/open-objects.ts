/** Opens what the server keeps objects in. */
import type { Membership } from './cluster/membership.ts';
import type { Config } from './config/config.ts';
import { endNow } from './end-process.ts';
import { openView, type OpenedStore } from './join-cluster.ts';
import { logError, logInfo } from './observability/log/log.ts';
import { openStore } from './storage/open-store.ts';

/** The store, or the view of what several servers share. */
export function openObjects(config: Config, membership: Membership | undefined): OpenedStore {
  const options = { tell: logInfo, onFlushError };
  if (membership !== undefined) return openView(config.dataDir, membership, options);
  return { place: config, store: openStore(config, options) };
}

/** Writes that were answered may be lost by a power cut, and nothing can be done about it. */
function onFlushError({ message }: Error): never {
  logError(`the disk does not take what was written, and the server ends: ${message}`);
  endNow(2);
}
