/** Under which name a server tells of itself. */
import { randomUUID } from 'node:crypto';
import { SERVER_MANAGER } from './protocol/shard-protocol.ts';
import type { Store } from './storage/store.ts';

const SETTING = 'server-id';

/** Made once for a data folder: after a start it is the same server that finds what it has told. */
export function serverId(store: Store): string {
  let id = '';
  store.swapSetting(SETTING, (known = randomUUID()) => (id = known));
  return `${SERVER_MANAGER}-${id}`;
}
