const NON_ZERO_NUMBER = /^[+-]?[0.]*[1-9]/;

/** -1, 0 or 1: the sign of a quantity in its canonical text, whatever its unit. */
export function quantitySign(quantity: string): -1 | 0 | 1 {
  if (!NON_ZERO_NUMBER.test(quantity)) return 0;
  return quantity.startsWith('-') ? -1 : 1;
}
