/** Estimates how many seats a request takes (README.md#seats-of-a-request). */
import { ONE_SEAT, type Work } from './flow.ts';

/** What the release does. */
export interface EstimateRules {
  /** Lists take seats by bytes, not by objects. */
  readonly bySize: boolean;
  /** Writes take seats for the watches that see them. */
  readonly countsWatches: boolean;
  /** Consistent lists come from memory. */
  readonly readsFromCache: boolean;
}

/** The objects of a type. */
export interface StoredObjects {
  readonly objects: number;
  /** Of all of them together. */
  readonly bytes: number;
}

/** The options of a list, or of a watch that begins as one. */
export interface ListedBy {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continueToken: string;
  readonly limit: number;
  readonly hasSelector: boolean;
  /** Of one object, by its name. */
  readonly isOfOne: boolean;
  readonly isWatch: boolean;
}

const LIST_SEATS_MAX = 10;
const LIST_SEATS_BY_SIZE_MAX = 100;
const WRITE_SEATS_MAX = 10;
const OBJECTS_PER_SEAT = 100;
const BYTES_PER_SEAT = 100_000;
/** So much of a list is in memory at once that is sent from there. */
const STREAMED_BYTES_MAX = 1_000_000;
const WATCHES_PER_SEAT = 10;
/** How long a seat is taken by the watches that share it. */
const WATCHES_MS = 5;

/** `widthMax` is what the level lets one request have; 0 where it has no bound. */
export function workOfList(
  stored: StoredObjects,
  by: ListedBy,
  widthMax: number,
  rules: EstimateRules,
): Work {
  if (by.isWatch && !beginsWithList(by)) return ONE_SEAT;
  const bound = rules.bySize ? LIST_SEATS_BY_SIZE_MAX : LIST_SEATS_MAX;
  const most = widthMax === 0 ? bound : Math.min(bound, widthMax);
  const wanted = rules.bySize
    ? seatsBySize(stored, by, rules)
    : Math.ceil(objectsLookedAt(stored, by, rules) / OBJECTS_PER_SEAT);
  const seats = Math.min(most, Math.max(1, wanted));
  return seats === 1 ? ONE_SEAT : { seats, finalSeats: 0, finalMs: 0 };
}

/** A watch from no version, or from any: `sendInitialEvents` counts as no version. */
function beginsWithList({ resourceVersion }: ListedBy): boolean {
  return resourceVersion === '' || resourceVersion === '0';
}

function objectsLookedAt({ objects }: StoredObjects, by: ListedBy, rules: EstimateRules): number {
  if (by.isOfOne) return 1;
  if (isFromCache(by, rules)) return objects;
  const limit = limitOf(by, objects);
  return by.hasSelector ? objects + limit : 2 * limit;
}

function seatsBySize({ objects, bytes }: StoredObjects, by: ListedBy, rules: EstimateRules) {
  if (objects === 0) return 1;
  const limited = limitOf(by, objects);
  const isCached = isFromCache(by, rules);
  let held = limited;
  if (by.isOfOne) held = 1;
  else if (!isCached && by.hasSelector) held = Math.max(limited, objects / 2);
  const heldBytes = (held * bytes) / objects;
  return Math.ceil(
    (isCached ? Math.min(heldBytes, STREAMED_BYTES_MAX) : heldBytes) / BYTES_PER_SEAT,
  );
}

function limitOf({ limit }: ListedBy, objects: number): number {
  return limit > 0 && limit < objects ? limit : objects;
}

/** Whether the reference would read it from its memory, not from its store. */
function isFromCache(by: ListedBy, { readsFromCache }: EstimateRules): boolean {
  const { resourceVersion, resourceVersionMatch: match, continueToken, limit, isWatch } = by;
  if (isWatch) return true;
  if (continueToken !== '' || match === 'Exact') return false;
  if (!readsFromCache) return resourceVersion !== '' && (limit === 0 || resourceVersion === '0');
  return match !== '' || limit === 0 || resourceVersion === '' || resourceVersion === '0';
}

/** Of a write that so many watches may see. */
export function workOfWrite(watches: number, widthMax: number, rules: EstimateRules): Work {
  if (!rules.countsWatches || watches < WATCHES_PER_SEAT) return ONE_SEAT;
  const wanted = Math.ceil(watches / WATCHES_PER_SEAT);
  const most = widthMax === 0 ? WRITE_SEATS_MAX : Math.min(WRITE_SEATS_MAX, widthMax);
  const finalSeats = Math.min(wanted, most);
  return { seats: 1, finalSeats, finalMs: (wanted * WATCHES_MS) / finalSeats };
}

/** A part of its level that one request may have at most. */
const WIDTH_OF_LEVEL = 0.15;

/** The most seats that a level with queues lets one request have. */
export function widthMaxOf(nominal: number, handSize: number): number {
  return Math.max(1, Math.min(Math.ceil(nominal * WIDTH_OF_LEVEL), Math.floor(nominal / handSize)));
}
