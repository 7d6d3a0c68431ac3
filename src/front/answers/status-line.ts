/** The first line of an answer, as the library wants it: `404 Not Found`. */

/** An import of node:http also loads Node's HTTP client: that takes 40 ms of each start. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');
const STATUS_LINES = new Map<number, string>();

export function statusLine(code: number): string {
  let line = STATUS_LINES.get(code);
  if (line === undefined) {
    line = `${code} ${STATUS_CODES[code] ?? 'Unknown'}`;
    STATUS_LINES.set(code, line);
  }
  return line;
}
