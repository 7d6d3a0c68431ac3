/** Private keys, as files hold them. */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const PROBE = Buffer.from('a text that is signed');
/** Others say themselves how they sign. */
const HASHED: ReadonlySet<string | undefined> = new Set(['rsa', 'ec']);

/**
 * The key of a PEM. Throws an Error where it is none, or its private part is that of another key
 * than its public one, which the runtime does not look at: nobody could verify what it signs.
 */
export function privateKeyOf(pem: string | Buffer): KeyObject {
  const key = createPrivateKey(pem);
  const hash = HASHED.has(key.asymmetricKeyType) ? 'sha256' : null;
  const isWhole = verify(hash, PROBE, createPublicKey(key), sign(hash, PROBE, key));
  if (!isWhole) throw new Error('what it signs does not fit its public part');
  return key;
}
