/** Names that the server chooses. */
import type { Randomness } from '../base/randomness.ts';

/** Consonants and digits that cannot be taken for one another or spell words. */
const SUFFIX_CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const BASE_BYTES_MAX = 58;

/**
 * The prefix, cut so that a suffix fits, and five random characters
 * (src/resources/README.md#create).
 */
export function generatedName(prefix: string, random: Randomness): string {
  let name = Buffer.from(prefix).subarray(0, BASE_BYTES_MAX).toString();
  for (let count = 0; count < SUFFIX_LENGTH; count++) {
    name += SUFFIX_CHARACTERS.charAt(random.below(SUFFIX_CHARACTERS.length));
  }
  return name;
}
