/** One clock for all processes of a benchmark. */

/** Both count the same monotonic seconds: `hrtime` from a start that processes share. */
function offset(): number {
  let least = Number.POSITIVE_INFINITY;
  // Whatever happens between the two readings makes the difference larger.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const own = performance.now();
    least = Math.min(least, Number(process.hrtime.bigint()) / 1e6 - own);
  }
  return least;
}

const OFFSET_MS = offset();

/** Milliseconds that can be compared with those of another process on this machine. */
export function sharedNow(): number {
  return performance.now() + OFFSET_MS;
}
