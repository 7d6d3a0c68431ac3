/** A server that waits, with its program loaded, until its parent has made its data folder. */
import { readSync } from 'node:fs';

/** The variable that has it wait. */
export const WAITS = 'SHARDPLANE_WAITS';
/** The descriptor on which the parent lets it go on. */
export const GATE = 3;

/** Whether the parent makes the data folder. */
export function hasNewFolder(): boolean {
  return process.env[WAITS] !== undefined;
}

/** Returns at once in a server that does not wait; a parent that ends lets go, too. */
export function waitForParent(): void {
  if (hasNewFolder()) readSync(GATE, Buffer.alloc(1));
}
