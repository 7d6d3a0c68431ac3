/**
 * Tells fronts how many objects a type has, and of about how many bytes: they estimate by it what a
 * list costs.
 */
import type { Link } from '../../actors/link.ts';
import type { ShardCalls, ShardEvents } from '../../protocol/shard-protocol.ts';
import { wireBytes } from '../../storage/record.ts';
import { StoreError } from '../../storage/store.ts';
import type { Shard } from '../state/shard.ts';

/** So many records are looked at for the bytes of all objects. */
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

  /** Of the oldest records: to scan them keeps none of them for checked. */
  #meanBytes(): number {
    let [records, bytes] = [0, 0];
    try {
      this.#shard.log.scan(0, (_rv, record) => {
        bytes += wireBytes(record).length;
        return ++records < LOOKED_AT;
      });
    } catch (error) {
      // Who asks for what is damaged is told of it.
      if (!(error instanceof StoreError)) throw error;
    }
    return records === 0 ? 0 : bytes / records;
  }
}
