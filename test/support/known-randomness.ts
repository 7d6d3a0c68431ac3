/** Values in the place of random ones: they are the same in every run. */
import type { Randomness } from '../../src/base/randomness.ts';

/** A uid for each number from 1 on, and always the first of what there is to choose from. */
export function knownRandomness(): Randomness {
  let uids = 0;
  return {
    uuid: () => `11111111-2222-3333-4444-${String(++uids).padStart(12, '0')}`,
    below: () => 0,
  };
}
