/**
 * Keeps the bytes of lists that are asked for again, in runs: some tens of items, and what stands
 * between them. To add a run costs a look at the versions of its items and one copy, where to read
 * them costs a search in the store for each. The versions themselves say where a run ends, so that
 * an object that comes, changes or goes changes its own run and none of those behind it.
 */
import { KEPT_RUNS_BYTES_MAX, RUN_BYTES_MAX } from '../../limits.ts';
import { CacheBudget } from './cache-budget.ts';
import { EncodingCache } from './encoding-cache.ts';

/** Every so many versions one ends a run, on the average. */
const RUN_ITEMS = 16;
/** However unlucky the versions are. */
const RUN_ITEMS_MAX = 4 * RUN_ITEMS;
/** So many runs are known to have been asked for once. */
const ASKED_MAX = 16 * 1024;

const FLOAT_BYTES = 8;

/** That of this thread. Encodings have another: they take longer to make again. */
const ROOM = new EncodingCache(new CacheBudget(undefined, KEPT_RUNS_BYTES_MAX));

let instances = 0;

/** The runs of one representation. */
export class KeptRuns {
  readonly #form: string;
  readonly #cache: EncodingCache;
  #asked = new Set<number>();

  constructor(cache = ROOM) {
    // Types may have versions in common where servers share a store.
    this.#form = `runs ${(instances += 1)}`;
    this.#cache = cache;
  }

  /** The position behind the run that begins at `start`. */
  end(rvs: Float64Array, start: number): number {
    const endMax = Math.min(rvs.length, start + RUN_ITEMS_MAX);
    let at = start + 1;
    while (at < endMax && !endsRun(rvs[at - 1] ?? 0)) at += 1;
    return at;
  }

  /** The items from `start` to before `end`; undefined where they are not kept. */
  get(rvs: Float64Array, start: number, end: number): Uint8Array | undefined {
    const rv = rvs[start] ?? 0;
    const kept = this.#cache.get(this.#form, rv);
    if (kept === undefined) return undefined;
    const [count = 0] = new Float64Array(kept.buffer, kept.byteOffset, 1);
    const of = new Float64Array(kept.buffer, kept.byteOffset + FLOAT_BYTES, count);
    if (count === end - start && of.every((itsRv, at) => itsRv === rvs[start + at])) {
      return kept.subarray(FLOAT_BYTES * (1 + count));
    }
    this.#cache.drop(this.#form, rv);
    return undefined;
  }

  /** Offers the bytes of items that were just made; they are kept when it is not the first time. */
  offer(rvs: Float64Array, start: number, end: number, items: Uint8Array): void {
    if (end - start === 1 || items.length > RUN_BYTES_MAX) return;
    const versions = rvs.subarray(start, end);
    const mark = markOf(versions);
    if (!this.#asked.delete(mark)) {
      if (this.#asked.size === ASKED_MAX) this.#asked.clear();
      this.#asked.add(mark);
      return;
    }
    const headBytes = FLOAT_BYTES * (1 + versions.length);
    const bytes = headBytes + items.length;
    this.#cache.offer(this.#form, versions[0] ?? 0, bytes, () => {
      const kept = Buffer.allocUnsafeSlow(bytes);
      kept.set(new Uint8Array(Float64Array.of(versions.length, ...versions).buffer));
      kept.set(items, headBytes);
      return kept;
    });
  }
}

/** Neighbours in a list often have versions that follow each other, or are some steps apart. */
function endsRun(rv: number): boolean {
  return (Math.imul(rv % 2 ** 32, 0x9e3779b1) >>> 0) % RUN_ITEMS === 0;
}

/** Equal for the same versions, and hardly ever for others: those would be kept too early. */
function markOf(versions: Float64Array): number {
  let mark = versions.length;
  for (const rv of versions) mark = (Math.imul(mark, 31) + (rv % 2 ** 32)) | 0;
  return mark;
}
