/**
 * The members of an object that are read, as a tree of their names. `true` stands for a whole
 * value, `'keys'` for the keys of a map without its values, and `{}` for a message or a list of
 * messages of which the reader only learns whether it is there and how long it is.
 */
export type MemberSelection = true | 'keys' | { readonly [name: string]: MemberSelection };

/** The selections that a `T` can have; for a list, a selection of each of its items. */
export type Selection<T> =
  | true
  | (NonNullable<T> extends readonly (infer Item)[]
      ? MembersOf<Item>
      : NonNullable<T> extends object
        ? MembersOf<NonNullable<T>>
        : never);

type MembersOf<T> = [KnownNames<T>] extends [never]
  ? string extends keyof T
    ? 'keys'
    : object
  : { readonly [Name in KnownNames<T>]?: Selection<T[Name]> };

/** The members that are declared by name; a map has none. */
type KnownNames<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: true } &
  keyof T &
  string;

/** The type of a `T` of which only the selection was read. */
export type Selected<T, S> = S extends true
  ? T
  : T extends readonly (infer Item)[]
    ? Selected<Item, S>[]
    : T extends object
      ? S extends 'keys'
        ? Record<string, unknown>
        : {
            [
              Name in keyof T as string extends Name ? never : Name extends keyof S ? Name : never
            ]: Selected<T[Name], S[Name & keyof S]>;
          }
      : T;
