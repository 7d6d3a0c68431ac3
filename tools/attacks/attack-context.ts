/** The surroundings of an attack. */
import type { Random } from '../../test/support/random.ts';
import type { Server } from './wire.ts';

export interface AttackContext {
  readonly server: Server;
  readonly random: Random;
  /** Chooses the number that fits the size of the run. */
  readonly size: (large: number, small: number) => number;
}
