/** The end of the range of all keys that begin with `prefix`. */
export function prefixEnd(prefix: Uint8Array): Uint8Array {
  const last = prefix.findLastIndex((byte) => byte < 0xff);
  // To etcd a range that ends with one byte 0 has no end.
  if (last < 0) return new Uint8Array(1);
  const end = Uint8Array.from(prefix.subarray(0, last + 1));
  end[last] = (end[last] as number) + 1;
  return end;
}
