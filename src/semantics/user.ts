/** Who asks, as authentication found out. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** What else is known, by keys in lower case; absent when there is nothing. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
