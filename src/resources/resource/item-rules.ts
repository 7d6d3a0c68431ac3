/** Rules of lists and maps: how many items, each of them, and none twice. */
import type { Counter } from '#messages/resource.v1';
import { sortedKeys } from '../../codec/json/json-encode.ts';
import { ownRelease } from '../../release/release.ts';
import { duplicate, tooMany, type FieldError } from '../../semantics/errors/field-error.ts';
import { shownKey } from './device-names.ts';

export type CheckItem<Item> = (item: Item, field: string, errors: FieldError[]) => void;

/** Lists that are too long are not looked at. */
export function checkList<Item>(
  items: readonly Item[],
  most: number,
  check: CheckItem<Item>,
  field: string,
  errors: FieldError[],
): boolean {
  if (items.length > most) {
    errors.push(tooMany(field, items.length, most));
    return false;
  }
  items.forEach((item, index) => {
    check(item, `${field}[${index}]`, errors);
  });
  return true;
}

/** How the repetition of an item is told. */
export interface Repetition<Item = never> {
  /** The member that is the key, at which early releases tell of it. */
  readonly member?: string;
  /** Whether the type declares it, so that later ones tell of the whole item. */
  readonly isDeclared?: boolean;
  /** How the whole item is told: with the members that are always written. */
  readonly shown?: (item: Item) => object;
}

/** As well, no two items have the same key. */
export function checkSet<Item>(
  items: readonly Item[],
  most: number,
  check: CheckItem<Item>,
  keyOf: (item: Item) => string,
  field: string,
  errors: FieldError[],
  repetition: Repetition<Item> = {},
): void {
  if (!checkList(items, most, check, field, errors)) return;
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const key = keyOf(item);
    if (seen.has(key)) errors.push(repeated(item, key, `${field}[${index}]`, repetition));
    seen.add(key);
  });
}

function repeated<Item>(
  item: Item,
  key: string,
  field: string,
  { member, isDeclared = true, shown }: Repetition<Item>,
): FieldError {
  if (isDeclared && ownRelease().has('declaredRules')) {
    return duplicate(field, shown === undefined ? item : shown(item));
  }
  const isAtMember = member !== undefined && ownRelease().has('repeatedMembersTold');
  return duplicate(isAtMember ? `${field}.${member}` : field, key);
}

/** The key of items that are texts. */
export function itself(item: string): string {
  return item;
}

/** Keys are told of at the path of the map, values at their own. */
export function checkMap<Value>(
  map: Readonly<Record<string, Value>>,
  rules: {
    readonly most?: number;
    readonly shownLength: number;
    readonly key: CheckItem<string>;
    readonly value?: CheckItem<Value>;
  },
  field: string,
  errors: FieldError[],
): void {
  const keys = Object.keys(map).sort();
  const { most = Infinity, shownLength, key: checkKey, value: checkValue } = rules;
  if (keys.length > most) {
    errors.push(tooMany(field, keys.length, most));
    return;
  }
  for (const key of keys) {
    checkKey(key, field, errors);
    checkValue?.(map[key] as Value, `${field}[${shownKey(key, shownLength)}]`, errors);
  }
}

/** Whether a list has an item. */
export function hasSome(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/** Counters as they are told whole: in the order of their names, with all that is written. */
export function shownCounters(counters?: Readonly<Record<string, Counter>>): object {
  if (counters === undefined) return {};
  const shown = sortedKeys(counters).map((name) => [name, { value: '0', ...counters[name] }]);
  return { counters: Object.fromEntries(shown) };
}
