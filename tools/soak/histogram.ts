/** Counts durations in buckets that are about 3% wide: any number of them in 8 KiB. */

const SUB_BUCKETS_BITS = 5;
const SUB_BUCKETS = 1 << SUB_BUCKETS_BITS;
/** Durations are whole microseconds; the last bucket holds all from 71 minutes on. */
const MICROSECONDS_MAX = 0xffff_ffff;

export class Histogram {
  readonly #counts = new Float64Array(bucketOf(MICROSECONDS_MAX) + 1);
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  /** The longest, in milliseconds. */
  get max(): number {
    return this.#max;
  }

  add(milliseconds: number): void {
    const microseconds = Math.min(Math.max(0, Math.round(milliseconds * 1_000)), MICROSECONDS_MAX);
    const bucket = bucketOf(microseconds);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count += 1;
    if (milliseconds > this.#max) this.#max = milliseconds;
  }

  /** The duration in milliseconds that this fraction (0.5: half) does not exceed; 0 when empty. */
  percentile(fraction: number): number {
    const rank = Math.ceil(fraction * this.#count);
    let seen = 0;
    for (let bucket = 0; bucket < this.#counts.length; bucket += 1) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= rank && seen > 0) return Math.min(upperBound(bucket) / 1_000, this.#max);
    }
    return 0;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
    this.#max = 0;
  }
}

/** Exact below 64, then 32 buckets for each power of two. */
function bucketOf(value: number): number {
  if (value < SUB_BUCKETS * 2) return value;
  const shift = 31 - Math.clz32(value) - SUB_BUCKETS_BITS;
  return shift * SUB_BUCKETS + (value >>> shift);
}

function upperBound(bucket: number): number {
  if (bucket < SUB_BUCKETS * 2) return bucket;
  const shift = Math.floor(bucket / SUB_BUCKETS) - 1;
  return (bucket - shift * SUB_BUCKETS + 1) * 2 ** shift - 1;
}
