/**
 * Deals each flow a hand of queues. Two flows rarely have the same hand, so that one that fills all
 * queues of its own leaves the other at least one.
 */
import { createHash } from 'node:crypto';

/** Bytes of a hash that are dealt by. */
const HASH_BYTES = 8;

/** The number by which a flow is dealt its hand. */
export function flowHash(schema: string, distinguisher: string): bigint {
  const hash = createHash('sha256').update(`${schema}\0${distinguisher}`).digest();
  return hash.subarray(0, HASH_BYTES).readBigUInt64LE();
}

/**
 * Deals `handSize` different queues of `queues`, with each of the possible hands about as often as
 * any other where hashes are even.
 */
export function dealHand(hash: bigint, queues: number, handSize: number): readonly number[] {
  const hand: number[] = [];
  const remainders: number[] = [];
  let left = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const size = BigInt(queues - dealt);
    const remainder = Number(left % size);
    left /= size;
    // Those that were dealt before are not in the deck any more.
    let card = remainder;
    for (let before = dealt - 1; before >= 0; before--) {
      if (card >= remainders[before]!) card++;
    }
    remainders.push(remainder);
    hand.push(card);
  }
  return hand;
}
