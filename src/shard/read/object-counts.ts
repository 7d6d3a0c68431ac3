/**
 * Tells fronts how many objects a type has, and of about how many bytes: they estimate by it what a
 * list costs.
 */
import type { Link } from '../../actors/link.ts';
import type { ShardCalls, ShardEvents } from '../../protocol/shard-protocol.ts';
import type { Shard } from '../state/shard.ts';
import { ALL_KEYS } from '../table/object-table.ts';

/** So many objects are looked at for the bytes of all. */
const LOOKED_AT = 8;

type Front = Pick<Link<ShardEvents, ShardCalls>, 'tell'>;

export class ObjectCounts {
  readonly #shard: Shard;
  readonly #fronts: readonly Front[];
  #told = 0;

  constructor(shard: Shard, fronts: readonly Front[]) {
    this.#shard = shard;
    this.#fronts = fronts;
  }

  /** Tells the number where it is another one than it was. */
  tell(): void {
    const objects = this.#shard.table.size;
    if (objects === this.#told) return;
    this.#told = objects;
    const counted = { objects, bytes: Math.round(objects * this.#meanBytes()) };
    for (const front of this.#fronts) front.tell('counted', counted);
  }

  #meanBytes(): number {
    let [objects, bytes] = [0, 0];
    this.#shard.table.scan(ALL_KEYS, ({ rv }) => {
      bytes += this.#shard.wireAt(rv).length;
      return ++objects < LOOKED_AT;
    });
    return objects === 0 ? 0 : bytes / objects;
  }
}
