/** Bounds of the loss by a power cut; the other limits of the store are in `../limits.ts`. */

/**
 * With `--durability relaxed` commits are flushed at this interval, and wait where a flush takes
 * longer than `FLUSH_MS_MAX`: a power cut costs only writes that were answered within the two of
 * them.
 */
export const FLUSH_INTERVAL_MS = 100;
export const FLUSH_MS_MAX = 1_000;
