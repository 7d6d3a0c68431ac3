/** Milliseconds since 1970, to the microsecond: what threads can compare. */
export function wallClockMs(): number {
  return performance.timeOrigin + performance.now();
}
