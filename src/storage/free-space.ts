/**
 * Refuses writes while the disk still has room. The library of the store writes beyond its own
 * memory when it reports a page that could not be written, which ends the process: it must not come
 * to that.
 */
import { statfsSync } from 'node:fs';
import { FREE_SPACE_CHECK_MS } from '../limits.ts';
import { StoreError } from './store.ts';

/** The free bytes of the file system that a folder is on. */
export type FreeBytes = (folder: string) => number;

export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export class FreeSpace {
  readonly #folder: string;
  readonly #freeBytes: FreeBytes;
  readonly #nowMs: () => number;
  #checkedMs = -Infinity;
  #free = Infinity;

  constructor(folder: string, freeBytes: FreeBytes = freeBytesOf, nowMs = Date.now) {
    this.#folder = folder;
    this.#freeBytes = freeBytes;
    this.#nowMs = nowMs;
  }

  /**
   * Throws StoreError when a write of `bytes` would leave less than `keptBytes` on the disk. The
   * disk is looked at from time to time only; writes since then are counted.
   */
  check(bytes: number, keptBytes: number): void {
    const now = this.#nowMs();
    if (now - this.#checkedMs >= FREE_SPACE_CHECK_MS) {
      this.#checkedMs = now;
      this.#free = this.#freeBytes(this.#folder);
    }
    if (this.#free - bytes < keptBytes) {
      throw new StoreError(
        `the disk of ${this.#folder} has ${mebibytes(this.#free)} MiB left, and ` +
          `${mebibytes(keptBytes)} MiB are kept free: make room on it`,
      );
    }
  }

  /** `check` for records that are then written: they are counted. */
  take(records: readonly { readonly value: Uint8Array }[], keptBytes: number): void {
    let bytes = 0;
    for (const { value } of records) bytes += value.length;
    this.check(bytes, keptBytes);
    this.#free -= bytes;
  }
}

export function mebibytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}
