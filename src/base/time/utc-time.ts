/** Times as RFC 3339 has them, in UTC. */
let lastSecond = -1;
let lastText = '';

/** `2021-12-07T10:11:12Z`; the text of a second is made once. */
export function utcSeconds(timeMs: number): string {
  const second = Math.floor(timeMs / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}

/** The time with microseconds; `timeMs` may have fractions. */
export function utcMicros(timeMs: number): string {
  const micros = Math.floor(timeMs * 1_000);
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return `${utcSeconds(micros / 1_000).slice(0, -1)}.${fraction}Z`;
}
