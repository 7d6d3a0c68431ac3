/**
 * Sets of fields that many objects have: Pods of one workload have the same fields, whatever is in
 * them. Each such set is one value, so that its text is written once, and sets that are equal are
 * seen to be so at a glance.
 */
import { LEAF, type FieldSet } from './field-set.ts';

interface Sharing {
  /** The number of places in the set. */
  readonly places: number;
  /** Its text, once it was written. */
  text: string | undefined;
}

/** Those of larger objects would keep memory for nobody else. */
const SHARED_PLACES_MAX = 1_000;
/** Objects of a type have few different sets; of more the oldest goes. */
const SHARED_SETS_MAX = 6;

const SHARED = new WeakMap<FieldSet, Sharing>();

/** What is shared of a set; undefined for one that is not shared. */
export function sharingOf(set: FieldSet): Sharing | undefined {
  return SHARED.get(set);
}

/** The sets that values of one type have had lately. */
export class SharedSets {
  readonly #sets: FieldSet[] = [];
  #next = 0;

  /**
   * The set of a place and of these below it: one that was made before where there is an equal one.
   */
  of(elements: readonly string[], children: readonly FieldSet[]): FieldSet {
    if (elements.length === 0) return LEAF;
    for (const set of this.#sets) if (isSame(set, elements, children)) return set;
    const made: FieldSet = { isMember: true, elements, children };
    const places = placesOf(children);
    if (places > SHARED_PLACES_MAX) return made;
    SHARED.set(made, { places, text: undefined });
    this.#sets[this.#next] = made;
    this.#next = (this.#next + 1) % SHARED_SETS_MAX;
    return made;
  }
}

/** Equal children are the same value where they are shared. */
function isSame(
  set: FieldSet,
  elements: readonly string[],
  children: readonly FieldSet[],
): boolean {
  const { length } = children;
  if (set.children.length !== length) return false;
  for (let at = 0; at < length; at++) if (set.children[at] !== children[at]) return false;
  if (set.elements === elements) return true;
  for (let at = 0; at < length; at++) if (set.elements[at] !== elements[at]) return false;
  return true;
}

/** Infinite where one of them is not shared: no other set could have the same. */
function placesOf(children: readonly FieldSet[]): number {
  let places = 1;
  for (const child of children) {
    if (child === LEAF) places += 1;
    else places += SHARED.get(child)?.places ?? Number.POSITIVE_INFINITY;
  }
  return places;
}
