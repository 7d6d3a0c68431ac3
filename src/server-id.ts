/** Under which name a server tells of itself. */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readOwn, writePrivate } from './auth/own-files.ts';
import { ownRelease } from './release/release.ts';
import { SERVER_MANAGER } from './protocol/shard-protocol.ts';
import { SERVER_ID_SETTING, type Settings } from './storage/store.ts';

/** Made once for a data folder: after a start it is the same server that finds what it has told. */
export function serverId(local: Pick<Settings, 'swap'>): string {
  let id = '';
  local.swap(SERVER_ID_SETTING, (known = randomUUID()) => (id = known));
  if (!ownRelease().has('hashedServerIds')) return `${SERVER_MANAGER}-${id}`;
  const prefix = ownRelease().has('serverIdentityLabel') ? 'apiserver' : SERVER_MANAGER;
  return `${prefix}-${base32(createHash('sha256').update(id).digest().subarray(0, 16))}`;
}

/** Settings of a server whose store is a view, which may be thrown away at any start. */
export function folderSettings(dataDir: string): Pick<Settings, 'swap'> {
  const file = join(dataDir, 'server.json');
  return {
    swap: (name, swap) => {
      const known = JSON.parse(readOwn(file) ?? '{}') as Record<string, string>;
      const value = swap(known[name]);
      if (value !== known[name]) writePrivate(file, JSON.stringify({ ...known, [name]: value }));
    },
  };
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((five) => DIGITS[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
