import { createPrivateKey } from 'node:crypto';

/** In front of the private part of a key on the curve P-256. */
const PRIVATE_PART = Buffer.from('0201010420', 'hex');
const PRIVATE_BYTES = 32;

/**
 * A key on P-256 (PEM) with another bit in its private part: that no longer fits its public one.
 */
export function withDamagedPrivatePart(pem: string): string {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  const last = der.indexOf(PRIVATE_PART) + PRIVATE_PART.length + PRIVATE_BYTES - 1;
  der.writeUInt8(der.readUInt8(last) ^ 2, last);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
