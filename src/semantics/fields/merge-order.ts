/**
 * The order of the items of two merged lists. Items in both follow the order of the right list.
 * Items of the left list alone stay before the next item that both have, and come first where the
 * order is open (README.md#apply). The right list repeats no item.
 */
export function orderOfMerge(left: readonly string[], right: readonly string[]): string[] {
  const inLeft = new Set(left);
  const inRight = new Set(right);
  const shared = right.filter((item) => inLeft.has(item));
  const merged: string[] = [];
  const taken = new Set<string>();
  let nextShared = 0;
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const ofLeft = left[l];
    const ofRight = right[r];
    if (ofLeft !== undefined && ofLeft === ofRight) {
      taken.add(ofLeft);
      merged.push(ofLeft);
      l += 1;
      r += 1;
      nextShared += 1;
    } else if (ofLeft !== undefined && !inRight.has(ofLeft)) {
      merged.push(ofLeft);
      l += 1;
    } else if (ofLeft !== undefined && ofRight !== undefined && isLater(ofLeft)) {
      // In both lists, but later on the right: it is taken when the right list reaches it.
      l += 1;
    } else if (ofRight !== undefined) {
      if (ofLeft !== undefined && taken.has(ofLeft)) l += 1;
      taken.add(ofRight);
      merged.push(ofRight);
      r += 1;
      if (ofRight === shared[nextShared]) nextShared += 1;
    } else l += 1;
  }
  return merged;

  function isLater(item: string): boolean {
    return nextShared < shared.length && item !== shared[nextShared];
  }
}
