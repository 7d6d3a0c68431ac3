/** Negative when the first text comes before the other one, by UTF-16 units. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
