/**
 * How long tests wait for what should happen soon, in milliseconds. It ends waits that are in vain
 * and measures nothing: a machine that is slow, or busy with other things, fails no test by it.
 */
export const PATIENCE_MS = 60_000;
