/** Decisions as text: the first is the highest bit of the first byte, and all are in base64. */

export function decisionText(decided: readonly boolean[]): string {
  const bytes = Buffer.alloc(Math.ceil(decided.length / 8));
  decided.forEach((isAllowed, at) => {
    if (isAllowed) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7));
  });
  return bytes.toString('base64');
}

export function decisionBits(text: string, count: number): boolean[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from(
    { length: count },
    (_, at) => ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0,
  );
}
