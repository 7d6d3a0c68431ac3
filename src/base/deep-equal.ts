/**
 * Structural equality of plain values: numbers and bigints by numeric value, lists in order,
 * objects by own members. A member that is undefined is absent, and an absent list equals an empty
 * one (the wire forms of built-in types cannot tell them apart), but not where `listsMayBeEmpty`;
 * prototypes are not compared.
 */
export function deepEqual(a: unknown, b: unknown, listsMayBeEmpty = false): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) ? listsEqual(a, b, listsMayBeEmpty) : isNone(a, b, listsMayBeEmpty);
  }
  if (Array.isArray(b)) return isNone(b, a, listsMayBeEmpty);
  if (isObject(a) && isObject(b)) return membersEqual(a, b, listsMayBeEmpty);
  // Loose on purpose: an int64 is a number or a bigint, depending on its size.
  return isNumeric(a) && isNumeric(b) && (a == b || (a !== a && b !== b));
}

function isNone(list: readonly unknown[], other: unknown, listsMayBeEmpty: boolean): boolean {
  return other === undefined && list.length === 0 && !listsMayBeEmpty;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function listsEqual(
  a: readonly unknown[],
  b: readonly unknown[],
  listsMayBeEmpty: boolean,
): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!deepEqual(a[index], b[index], listsMayBeEmpty)) return false;
  }
  return true;
}

function membersEqual(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
  listsMayBeEmpty: boolean,
): boolean {
  for (const key of Object.keys(a)) {
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    if (!deepEqual(a[key], other, listsMayBeEmpty)) return false;
  }
  for (const key of Object.keys(b)) {
    if (Object.hasOwn(a, key)) continue;
    if (!deepEqual(undefined, b[key], listsMayBeEmpty)) return false;
  }
  return true;
}
