import { RawJson } from '../codec/json/raw-json.ts';

/** The user that authentication found out. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** All else that is known, by keys in lower case; absent when there is nothing. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** `extra` as the members of objects have it: each list as its JSON. */
export function keptExtra(extra: NonNullable<User['extra']>): Record<string, RawJson> {
  return mapValues(extra, (values) => RawJson.ofValue(values));
}

/** The way back, of what was decoded. */
export function extraOf(kept: Readonly<Record<string, RawJson>>): NonNullable<User['extra']> {
  return mapValues(kept, ({ text }) => JSON.parse(text) as readonly string[]);
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
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
