/**
 * Finds for a place of a kind a valid object that has it: one of the catalogue, or one of them with
 * a part of another, or with the least that the place needs.
 */
import type { TestObject } from '../../../test/support/kinds.ts';
import { valueAt, wayTo, withValue, type Way } from './documents.ts';
import { leastValue, placeText, type Shape } from './shapes.ts';

/** Objects inside of documents by the names of their shapes, the smallest first. */
export type Parts = ReadonlyMap<string, readonly TestObject[]>;

export interface ObjectWithPlace {
  readonly document: TestObject;
  /** To the place, at which there is nothing when no valid object has it. */
  readonly way: Way;
  readonly isValid: boolean;
}

/** Tries for one place, and for one inside of a place that no valid object was found with. */
const TRIES_MAX = 24;
const TRIES_INSIDE_MAX = 4;
/** Members of the metadata. */
const CLEARED: ReadonlySet<string> = new Set(['deletionTimestamp', 'deletionGracePeriodSeconds']);
/** A bound on parts of other objects, and on objects that a part is put into. */
const PARTS_MAX = 3;

export class ValidObjects {
  readonly #shape: Shape;
  readonly #candidates: readonly TestObject[];
  readonly #parts: Parts;
  readonly #accepts: (document: TestObject) => Promise<boolean>;
  #valid: TestObject[] = [];
  readonly #verdicts = new Map<string, boolean>();
  /** Places that no valid object was found with. */
  readonly #missed = new Set<string>();

  constructor(
    shape: Shape,
    candidates: readonly TestObject[],
    parts: Parts,
    accepts: (document: TestObject) => Promise<boolean>,
  ) {
    this.#shape = shape;
    this.#candidates = candidates.toSorted(bySize);
    this.#parts = parts;
    this.#accepts = accepts;
  }

  /** Undefined when there is not even an object that could have it. */
  async having(path: readonly string[]): Promise<ObjectWithPlace | undefined> {
    const known = withPlace(this.#valid, path) ?? this.#withoutPlace(path);
    if (known !== undefined) return known;
    const isInside = path.some((_, at) => this.#missed.has(placeText(path.slice(0, at))));
    const triesMax = isInside ? TRIES_INSIDE_MAX : TRIES_MAX;
    let tries = 0;
    for (const document of this.#proposals(path)) {
      const way = wayTo(document, path);
      if (way === undefined) continue;
      if (await this.#isValid(document)) return { document, way, isValid: true };
      tries += 1;
      if (tries >= triesMax) break;
    }
    this.#missed.add(placeText(path));
    const last = path.at(-1) ?? '';
    if (last === '[]' || last === '{}') return undefined;
    const parent = withPlace([...this.#valid, ...this.#candidates], path.slice(0, -1));
    return parent && { ...parent, way: [...parent.way, last], isValid: false };
  }

  /** A place that the server clears is left out: a stored object never has it. */
  #withoutPlace(path: readonly string[]): ObjectWithPlace | undefined {
    const [first, last = ''] = path;
    if (first !== 'metadata' || !CLEARED.has(last)) return undefined;
    const parent = withPlace(this.#valid, [first]);
    return parent && { ...parent, way: [first, last] };
  }

  async #isValid(document: TestObject): Promise<boolean> {
    const text = JSON.stringify(document);
    const known = this.#verdicts.get(text);
    if (known !== undefined) return known;
    const isValid = await this.#accepts(document);
    this.#verdicts.set(text, isValid);
    if (isValid) this.#valid = [...this.#valid, document].toSorted(bySize);
    return isValid;
  }

  *#proposals(path: readonly string[]): Generator<TestObject> {
    for (const document of this.#candidates) {
      if (wayTo(document, path) !== undefined) yield document;
    }
    for (let at = path.length - 1; at >= 0; at -= 1) {
      const shape = shapeAt(this.#shape, path.slice(0, at));
      if (shape?.of !== 'object') continue;
      const rest = path.slice(at);
      const [member = ''] = rest;
      const parts = (this.#parts.get(shape.name) ?? [])
        .filter((part) => wayTo(part, rest) !== undefined)
        .slice(0, PARTS_MAX);
      const least = leastAlong(shape, rest) as TestObject;
      for (const { document, way } of this.#hosts(path.slice(0, at))) {
        const there = Object(valueAt(document, way));
        const values = [
          ...parts.map((part) => part[member]),
          ...this.#partsFor(shape, rest),
          least[member],
        ];
        for (const part of parts) {
          yield withValue(document, way, part);
          yield withValue(document, way, { ...part, ...there });
        }
        for (const value of values) yield withValue(document, [...way, member], value);
        yield withValue(document, way, least);
        // It may exclude another member.
        for (const other of Object.keys(there).filter((name) => name !== member)) {
          const { [other]: _gone, ...others } = there;
          yield withValue(document, way, { ...others, [member]: values[0] });
        }
      }
    }
  }

  /** Objects of other kinds that may stand in the member. */
  #partsFor(shape: Shape, [member = '', ...rest]: readonly string[]): TestObject[] {
    const inner = behind(shape, member);
    if (inner?.of !== 'object') return [];
    const parts = this.#parts.get(inner.name) ?? [];
    return parts.filter((part) => wayTo(part, rest) !== undefined).slice(0, PARTS_MAX);
  }

  #hosts(path: readonly string[]): ObjectWithPlace[] {
    const hosts = this.#valid.length > 0 ? this.#valid : this.#candidates;
    const found = hosts.map((document) => withPlace([document], path));
    return found.filter((host) => host !== undefined).slice(0, 2);
  }
}

function withPlace(
  documents: readonly TestObject[],
  path: readonly string[],
): ObjectWithPlace | undefined {
  for (const document of documents) {
    const way = wayTo(document, path);
    if (way !== undefined) return { document, way, isValid: true };
  }
  return undefined;
}

function bySize(one: TestObject, other: TestObject): number {
  return JSON.stringify(one).length - JSON.stringify(other).length;
}

function shapeAt(shape: Shape, path: readonly string[]): Shape | undefined {
  return path.reduce<Shape | undefined>((at, part) => behind(at, part), shape);
}

function behind(shape: Shape | undefined, part: string): Shape | undefined {
  if (shape?.of === 'list') return part === '[]' ? shape.item : undefined;
  if (shape?.of === 'map') return part === '{}' ? shape.value : undefined;
  if (shape?.of !== 'object') return undefined;
  return shape.members().find(({ name }) => name === part)?.shape;
}

/** The least value that has the place. */
function leastAlong(shape: Shape, path: readonly string[]): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return leastValue(shape);
  const next = behind(shape, part);
  if (next === undefined) return undefined;
  const value = leastAlong(next, rest);
  if (shape.of === 'list') return [value];
  return shape.of === 'map' ? { a: value } : { ...Object(leastValue(shape)), [part]: value };
}

/** Adds all objects inside of the document. */
export function collectParts(
  shape: Shape,
  document: TestObject,
  parts: Map<string, TestObject[]>,
): void {
  if (typeof document !== 'object' || document === null) return;
  if (shape.of === 'leaf') return;
  if (shape.of === 'object') {
    const known = parts.get(shape.name) ?? [];
    parts.set(shape.name, [...known, document]);
    for (const { name, shape: member } of shape.members()) {
      if (Object.hasOwn(document, name)) collectParts(member, document[name], parts);
    }
    return;
  }
  const inner = shape.of === 'list' ? shape.item : shape.value;
  for (const value of Object.values(document)) collectParts(inner, value, parts);
}

/** Each once, the smallest first. */
export function sortedParts(parts: ReadonlyMap<string, readonly TestObject[]>): Parts {
  return new Map(
    [...parts].map(([name, documents]) => {
      const once = new Map(documents.map((document) => [JSON.stringify(document), document]));
      return [name, [...once.values()].toSorted(bySize)] as const;
    }),
  );
}
