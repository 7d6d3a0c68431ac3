import { RawJson } from '../codec/raw-json.ts';

/** Who asks, as authentication found out. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** What else is known, by keys in lower case; absent when there is nothing. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** `extra` as the members of objects have it: each list as its JSON. */
export function keptExtra(extra: NonNullable<User['extra']>): Record<string, RawJson> {
  const kept = Object.entries(extra).map(([key, values]) => [key, RawJson.ofValue(values)]);
  return Object.fromEntries(kept) as Record<string, RawJson>;
}

/**
 * As it goes from thread to thread: a text costs less to pass than the members, and most who get it
 * do not read it.
 */
export function userText(user: User): string {
  return JSON.stringify(user);
}

export function userOfText(text: string): User {
  return JSON.parse(text) as User;
}
