/** Whether a text of digits is a number up to `max`, however long it is. */
export function isAtMost(digits: string, max: bigint): boolean {
  const significant = digits.replace(/^0+(?=[0-9])/, '');
  // A long text is told by its length: making a number of it takes time that grows with it.
  return significant.length <= String(max).length && BigInt(significant) <= max;
}
