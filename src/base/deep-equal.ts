/**
 * Structural equality of plain values: numbers and bigints by numeric value, lists in order,
 * objects by own members. A member that is undefined is absent, and an absent list equals an empty
 * one (the wire forms cannot tell them apart); prototypes are not compared.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) ? listsEqual(a, b) : b === undefined && !a.length;
  if (Array.isArray(b)) return a === undefined && !b.length;
  if (isObject(a) && isObject(b)) return membersEqual(a, b);
  // Loose on purpose: an int64 is a number or a bigint, depending on its size.
  return isNumeric(a) && isNumeric(b) && (a == b || (a !== a && b !== b));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function listsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!deepEqual(a[index], b[index])) return false;
  }
  return true;
}

function membersEqual(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key of Object.keys(a)) {
    if (!deepEqual(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false;
  }
  for (const key of Object.keys(b)) {
    if (!Object.hasOwn(a, key) && !deepEqual(undefined, b[key])) return false;
  }
  return true;
}
