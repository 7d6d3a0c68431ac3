/** Times of metadata: RFC 3339, UTC, whole seconds. */
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
