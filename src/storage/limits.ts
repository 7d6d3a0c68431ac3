/** Bounds of what a power cut can cost; the others of the store are in `../limits.ts`. */

/**
 * With `--durability relaxed` what was committed is flushed so often, and commits wait where a
 * flush takes longer than that: what a power cut costs was answered within the two of them.
 */
export const FLUSH_INTERVAL_MS = 100;
export const FLUSH_MS_MAX = 1_000;
