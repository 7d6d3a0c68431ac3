/** How a kind allocates values that no two of its objects may share. */
import type { FieldError } from '../semantics/errors/field-error.ts';
import type { ObjectMeta } from '../semantics/metadata/object-meta.ts';

/** An object of any kind, as `ApiObject` is. */
interface AnyObject {
  metadata: ObjectMeta;
  [member: string]: unknown;
}

/** Keeps account of values that no two objects of a kind may share. */
export interface Allocator<T extends AnyObject = AnyObject> {
  /** Records the values of a stored object. Called for every stored object before anything else. */
  load(object: T): void;
  /**
   * Allocates the values that the valid object asks for or lacks, and sets them in the object;
   * values of `stored` are kept. When it returns errors, nothing was allocated. A dry run is not
   * counted.
   */
  allocate(object: T, stored: T | undefined, isDryRun?: boolean): FieldError[];
  /** Releases the values of `object` that `successor` does not have. */
  release(object: T, successor: T | undefined): void;
  /**
   * Makes the objects that hold values of the valid object, before `allocate`, and sets the values
   * in it. Undefined where it needs none. Throws and rejects with `StatusError` when there is
   * nothing left to give.
   */
  reserve?(object: T, stored: T | undefined, isDryRun: boolean): Promise<Reservation> | undefined;
  /**
   * Removes the objects that hold values of `object` that `successor` does not have, once the write
   * is committed. It never rejects: what is left over is found and removed later.
   */
  giveBack?(object: T, successor: T | undefined): Promise<void> | undefined;
  /** Gives figures for metrics. */
  figures?(): AllocatorFigures;
}

/** How full the ranges of an allocator are. */
export interface AllocatorFigures {
  readonly ports: RangeFigures;
  /** By the ranges as they are written. */
  readonly addresses: ReadonlyMap<string, RangeFigures & AllocationTimes>;
}

export interface RangeFigures {
  readonly used: number;
  readonly free: number;
  /** Counts of values that were asked for, and of any. */
  readonly counts: Readonly<Record<'static' | 'dynamic', ScopeCounts>>;
}

export interface ScopeCounts {
  readonly given: number;
  readonly refused: number;
}

/** How long allocations took since they were last looked at. */
interface AllocationTimes {
  readonly seconds: readonly number[];
}

/** The objects that hold the values of an object that is not written yet. */
export interface Reservation {
  /** When there are any, nothing was reserved. */
  readonly errors: readonly FieldError[];
  /** The object comes to nothing: its values are free again. */
  undo(): void;
}

/** The other types of the server, as far as an allocator needs them; they go by their shards. */
export interface OtherTypes {
  /** Feeds an index with a type from now on, and tells how far it is. */
  follow(
    resource: string,
    index: { put(object: AnyObject): void; remove(object: AnyObject): void },
  ): { readonly isCurrent: boolean; whenCurrent(): Promise<void> };
  /** Reads and writes objects of a type as the server. */
  objects(resource: string): OtherObjects;
}

export interface OtherObjects {
  get(at: { readonly namespace: string; readonly name: string }): Promise<AnyObject | undefined>;
  create(at: { readonly namespace: string; readonly name: string }, object: object): Promise<void>;
  deleteExactly(
    at: { readonly namespace: string; readonly name: string },
    uid: string,
  ): Promise<void>;
}
