/** What attacks are given. */
import type { Random } from '../../test/support/random.ts';
import type { Server } from './wire.ts';

export interface AttackContext {
  readonly server: Server;
  readonly random: Random;
  /** Of two numbers, the one that fits the size of the run. */
  readonly size: (large: number, small: number) => number;
}
