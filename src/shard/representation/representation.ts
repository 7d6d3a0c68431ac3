/**
 * Writes objects for clients: one way for each served version and form
 * (../README.md#representations). Stored bytes go in, and bytes for the wire come out.
 */
import type { ConversionNeeded } from '../../types/conversion.ts';
import type { KeptRuns } from './kept-runs.ts';
import type { EventType } from '../../types/served-version.ts';

export interface ListMeta {
  readonly rv: number;
  /** '' on the last page. */
  readonly continueToken: string;
  /** 0 when it is not told. */
  readonly remaining: number;
}

export interface ListSize {
  readonly count: number;
  /** The length of all items together, of lists that are measured. */
  readonly bytes: number;
}

/** Where parts are put, one after the other; they may be views that are overwritten later. */
export interface Sink {
  add(part: Uint8Array): void;
  addText(text: string): void;
}

/** The stored bytes of a version; undefined once it has left history. */
export type WireAt = (rv: number) => Uint8Array | undefined;

/** For lists whose head says how long all items are. */
export interface Measuring {
  /** The length of an item that is kept in the form that is asked for; undefined for others. */
  keptLength(rv: number): number | undefined;
  /**
   * Makes an item that is not kept, and adds it to the sink unless it is kept from now on. Gives
   * its length; undefined when the version is gone.
   */
  make(sink: Sink, rv: number, wireAt: WireAt): number | undefined;
}

/**
 * Writes a list piece by piece. Items are named by their versions: what is known in the form that
 * is asked for is not read again.
 */
export interface ListWriter {
  readonly measuring?: Measuring;
  /** Those of lists whose items depend on nothing but their versions. */
  readonly runs?: KeptRuns | undefined;
  /** What stands between two items; absent where nothing does. */
  readonly separator?: Uint8Array;
  /** The text before the first item. */
  head(meta: ListMeta, items: ListSize): Uint8Array;
  /** False, and nothing is added, when the version is gone. */
  addItem(sink: Sink, rv: number, wireAt: WireAt, isFirst: boolean): boolean;
  tail(meta: ListMeta): Uint8Array;
}

/**
 * `wire` is always stored bytes, and `rv` the version that they are of, under which what they
 * become may be kept; 0 for what is no version of the log.
 */
export interface Representation {
  /** Equal for watches that are sent the same bytes. */
  readonly id: string;
  /**
   * Gives the conversion that an object needs before it is written; absent where none does. Writing
   * an object that is not prepared throws ConversionNeeded.
   */
  readonly needed?: Needed | undefined;
  /** A whole document of one object, in parts. */
  document(wire: Uint8Array, rv: number): Uint8Array[];
  readonly list: ListWriter;
  /** A whole event, in parts. `columns` stands in it where a Table has `columnDefinitions`. */
  event(type: EventType, wire: Uint8Array, rv: number, columns?: string): Uint8Array[];
  /** A BOOKMARK event: an object of which nothing is said but its version, and annotations. */
  bookmark(rv: number, annotations?: Annotations, columns?: string): Uint8Array[];
  /** The `columnDefinitions` that the first event of each watch has; for Tables alone. */
  readonly columns?: string;
}

/** Gives the conversion that a version needs; undefined for none, and when it is gone. */
export type Needed = (rv: number, wireAt: WireAt) => ConversionNeeded | undefined;

export type Annotations = Readonly<Record<string, string>>;
