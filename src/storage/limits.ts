/** When the store is flushed; its other limits are in `../limits.ts`. */

/**
 * Commits are flushed at this interval. With `--durability relaxed` they wait where a flush takes
 * longer than `FLUSH_MS_MAX`: a power cut costs only writes that were answered within the two of
 * them.
 */
export const FLUSH_INTERVAL_MS = 100;
export const FLUSH_MS_MAX = 1_000;
