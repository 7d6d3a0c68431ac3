/** Members of objects that clients name. */

/** Sets a member whatever its name: `__proto__` is one as well. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    const descriptor = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(target, key, descriptor);
    return;
  }
  if (key.charCodeAt(0) <= NINE && LARGE_INDEX.test(key)) keepSparse(target);
  target[key] = value;
}

const NINE = 0x39;
const LARGE_INDEX = /^[1-9]\d{3,9}$/;
const LARGEST_INDEX = '4294967294';

/**
 * The runtime keeps members whose names are numbers in an array or in a hash table, and turns one
 * into the other as they come and go. Names chosen for it make each one a copy of all members, of
 * which there can be 300,000. One very large name keeps it with the hash table for good.
 */
function keepSparse(target: Record<string, unknown>): void {
  if (Object.hasOwn(target, LARGEST_INDEX)) return;
  target[LARGEST_INDEX] = undefined;
  delete target[LARGEST_INDEX];
}
