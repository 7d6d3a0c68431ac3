const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** For `JSON.stringify`: an int64 may be a bigint, which JSON knows nothing of. */
export function withoutBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value;
}
