/** Milliseconds since 1970, to the microsecond: all threads can compare them. */
export function wallClockMs(): number {
  return performance.timeOrigin + performance.now();
}
