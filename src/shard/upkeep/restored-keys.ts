/**
 * Objects that a restore wrote. Their owners may come back after them: the garbage collector is to
 * look at them once more when all types are restored.
 */
import type { Shard } from '../state/shard.ts';

const restores = new WeakMap<Shard, RestoredKeys>();

export class RestoredKeys {
  readonly #keys = new Set<string>();
  #isUnderWay = false;

  add(key: string): void {
    this.#keys.add(key);
    this.#isUnderWay = true;
  }

  /** All types are restored. */
  end(): void {
    this.#isUnderWay = false;
  }

  /** Whether an order about the object may rest on owners that are not back yet. */
  isEarly(key: string): boolean {
    return this.#isUnderWay || this.#keys.delete(key);
  }
}

/** Those of a shard. */
export function restoredKeys(shard: Shard): RestoredKeys {
  const known = restores.get(shard) ?? new RestoredKeys();
  restores.set(shard, known);
  return known;
}

/** See `RestoredKeys.isEarly`. */
export function isEarlyOrder(shard: Shard, key: string): boolean {
  return restores.get(shard)?.isEarly(key) === true;
}
