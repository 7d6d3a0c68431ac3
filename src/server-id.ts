/** Under which name a server tells of itself. */
import { randomUUID } from 'node:crypto';
import { SERVER_MANAGER } from './protocol/shard-protocol.ts';
import type { Settings } from './storage/store.ts';

const SETTING = 'server-id';

/** Made once for a data folder: after a start it is the same server that finds what it has told. */
export function serverId(local: Settings): string {
  let id = '';
  local.swap(SETTING, (known = randomUUID()) => (id = known));
  return `${SERVER_MANAGER}-${id}`;
}
