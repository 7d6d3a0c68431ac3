/**
 * Structural equality of plain values: numbers and bigints by numeric value, lists in order,
 * objects by own members. A member that is undefined is absent, and an absent list or map equals an
 * empty one (the wire forms of built-in types cannot tell them apart), but not where `emptyCounts`;
 * maps are objects without a prototype, and prototypes are not compared otherwise. Nested values
 * wait in a list, so that no depth exhausts the stack.
 */
export function deepEqual(a: unknown, b: unknown, emptyCounts = false): boolean {
  const pending: unknown[] = [];
  if (!maybeEqual(a, b, emptyCounts, pending)) return false;
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    const areEqual = Array.isArray(left)
      ? itemsMaybeEqual(left, right as readonly unknown[], emptyCounts, pending)
      : membersMaybeEqual(left as Members, right as Members, emptyCounts, pending);
    if (!areEqual) return false;
  }
  return true;
}

type Members = Readonly<Record<string, unknown>>;

/** False where they differ surely; two lists or two objects are pending then. */
function maybeEqual(a: unknown, b: unknown, emptyCounts: boolean, pending: unknown[]): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(b)) return isNone(a as readonly unknown[], b, emptyCounts);
    if (!Array.isArray(a)) return isNone(b, a, emptyCounts);
    if (a.length !== b.length) return false;
    pending.push(a, b);
    return true;
  }
  if (isObject(a) && isObject(b)) {
    pending.push(a, b);
    return true;
  }
  if (isObject(a)) return b === undefined && isNoMap(a, emptyCounts);
  if (isObject(b)) return a === undefined && isNoMap(b, emptyCounts);
  // Loose on purpose: an int64 is a number or a bigint, depending on its size.
  return isNumeric(a) && isNumeric(b) && (a == b || (a !== a && b !== b));
}

function isNone(list: readonly unknown[], other: unknown, emptyCounts: boolean): boolean {
  return other === undefined && list.length === 0 && !emptyCounts;
}

function isNoMap(value: Members, emptyCounts: boolean): boolean {
  if (emptyCounts || Object.getPrototypeOf(value) !== null) return false;
  for (const _key in value) return false;
  return true;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Compares lists that have equally many items. */
function itemsMaybeEqual(
  a: readonly unknown[],
  b: readonly unknown[],
  emptyCounts: boolean,
  pending: unknown[],
): boolean {
  for (let index = 0; index < a.length; index++) {
    if (!maybeEqual(a[index], b[index], emptyCounts, pending)) return false;
  }
  return true;
}

function membersMaybeEqual(
  a: Members,
  b: Members,
  emptyCounts: boolean,
  pending: unknown[],
): boolean {
  for (const key of Object.keys(a)) {
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    if (!maybeEqual(a[key], other, emptyCounts, pending)) return false;
  }
  for (const key of Object.keys(b)) {
    if (Object.hasOwn(a, key)) continue;
    if (!maybeEqual(undefined, b[key], emptyCounts, pending)) return false;
  }
  return true;
}
