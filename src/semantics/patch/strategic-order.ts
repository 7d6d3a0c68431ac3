/** The order of a merged list, from the order in the patch and that in the object. */

/** Where something stands in a list, by identity; the first place counts. */
export type Places = ReadonlyMap<unknown, number>;

interface Placed {
  readonly item: unknown;
  readonly place: number;
  readonly serverPlace: number | undefined;
}

const LAST = Number.MAX_SAFE_INTEGER;

export function placesOf(identities: readonly unknown[]): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [place, identity] of identities.entries()) {
    if (!places.has(identity)) places.set(identity, place);
  }
  return places;
}

/**
 * The items that `patchPlaces` names in that order, and the others in the order of `serverPlaces`.
 * One of the others stands before the next item of the patch if it did so in the object, and after
 * it when the object does not know both.
 */
export function inMergedOrder(
  items: readonly unknown[],
  identityOf: (item: unknown) => unknown,
  patchPlaces: Places,
  serverPlaces: Places,
  isLast?: (item: unknown) => boolean,
): unknown[] {
  const named: Placed[] = [];
  const others: Placed[] = [];
  for (const item of items) {
    const identity = identityOf(item);
    const patchPlace = patchPlaces.get(identity);
    const serverPlace = serverPlaces.get(identity);
    const place = isLast?.(item) === true ? LAST : (patchPlace ?? serverPlace ?? LAST);
    (patchPlace === undefined ? others : named).push({ item, place, serverPlace });
  }
  return interleaved(named.sort(byPlace), others.sort(byPlace));
}

function byPlace(a: Placed, b: Placed): number {
  return a.place - b.place;
}

function interleaved(named: readonly Placed[], others: readonly Placed[]): unknown[] {
  const items: unknown[] = [];
  let next = 0;
  for (const { item, serverPlace } of others) {
    while (next < named.length && !standsBefore(serverPlace, named[next]?.serverPlace)) {
      items.push(named[next++]?.item);
    }
    items.push(item);
  }
  while (next < named.length) items.push(named[next++]?.item);
  return items;
}

function standsBefore(place: number | undefined, other: number | undefined): boolean {
  return place !== undefined && other !== undefined && place < other;
}
