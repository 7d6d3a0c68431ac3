import type { ApiObject } from '../../resources/kind.ts';
import type { Operation } from '../../storage/record.ts';

/** One object that is written, in the version of its record. */
export interface Change {
  readonly operation: Operation;
  readonly rv: number;
  readonly key: string;
  /** The version that it supersedes; 0 for none. */
  readonly previousRv: number;
  /**
   * The object whose labels and fields are recorded: the state after, or the last one of a
   * deletion.
   */
  readonly object: ApiObject;
  /** The values of its fields, where they are recorded and the object is not read for them. */
  readonly fields?: readonly string[] | undefined;
  readonly wire: string;
  /** The form of the text, where it is not the present one. */
  readonly writtenAs?: string | undefined;
  /** Who follows the type need not know of it to be current (src/replicas/README.md#replicas). */
  readonly isQuiet?: boolean;
  /**
   * Gives back what the former state had for itself alone, once this is committed; where it takes
   * time, the answer waits for it.
   */
  readonly release?: (() => Promise<void> | undefined) | undefined;
}

/** Gives back first, where there is anything to. */
export function afterRelease(release: Change['release'], then: () => void): void {
  const released = release?.();
  if (released === undefined) then();
  else void released.then(then);
}
