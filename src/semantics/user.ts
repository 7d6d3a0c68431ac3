import { RawJson } from '../codec/json/raw-json.ts';

/** The user that authentication has established. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Further attributes, by keys in lower case; absent when there are none. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** `extra` as the members of objects have it: each list as its JSON. */
export function keptExtra(extra: NonNullable<User['extra']>): Record<string, RawJson> {
  return mapValues(extra, (values) => RawJson.ofValue(values));
}

/** Reads `extra` from the members of a decoded object. */
export function extraOf(kept: Readonly<Record<string, RawJson>>): NonNullable<User['extra']> {
  return mapValues(kept, ({ text }) => JSON.parse(text) as readonly string[]);
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
}

/**
 * The user as text, for messages between threads: a text costs less to pass than an object, and
 * most receivers do not read it.
 */
export function userText(user: User): string {
  return JSON.stringify(user);
}

export function userOfText(text: string): User {
  return JSON.parse(text) as User;
}
