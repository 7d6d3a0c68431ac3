/** Opens the store of a server, or the view of what several servers share. */
import { hasNewFolder } from './base/wait-for-parent.ts';
import type { Membership } from './cluster/membership.ts';
import type { Config } from './config/config.ts';
import { endNow } from './end-process.ts';
import { openView, viewPlace } from './join-cluster.ts';
import { logError, logInfo } from './observability/log/log.ts';
import { openStore, type StorePlace } from './storage/open-store.ts';
import type { Store } from './storage/store.ts';

/** Where it is, or is to be. */
export function placeOf(config: Config, membership: Membership | undefined): StorePlace {
  return membership === undefined ? config : viewPlace(config.dataDir);
}

/** Throws StoreError. */
export function openObjects(config: Config, membership: Membership | undefined): Store {
  const options = { tell: logInfo, onFlushError, isNewCopy: hasNewFolder() };
  if (membership !== undefined) return openView(config.dataDir, membership, options);
  return openStore(config, options);
}

/** Writes that were answered may be lost by a power cut, and nothing can be done about it. */
function onFlushError({ message }: Error): never {
  logError(`the disk does not take what was written, and the server ends: ${message}`);
  endNow(2);
}
