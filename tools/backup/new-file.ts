/** A file that is there under its name when all of it is on the disk. */
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { flushNames } from '../../src/base/durable-file.ts';

/** So much is written between flushes: other writers to the disk need not wait for all at once. */
const FLUSH_BYTES = 4 * 1024 * 1024;
const FILE_MODE = 0o600;

export class NewFile {
  readonly #file: string;
  readonly #temporary: string;
  readonly #descriptor: number;
  #unflushed = 0;
  bytes = 0;

  constructor(file: string) {
    this.#file = file;
    this.#temporary = `${file}.partial`;
    rmSync(this.#temporary, { force: true });
    this.#descriptor = openSync(this.#temporary, 'wx', FILE_MODE);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
    this.bytes += bytes.length;
    this.#unflushed += bytes.length;
    if (this.#unflushed < FLUSH_BYTES) return;
    fdatasyncSync(this.#descriptor);
    this.#unflushed = 0;
  }

  /** It is whole: from now on it has its name. */
  finish(): void {
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    renameSync(this.#temporary, this.#file);
    flushNames(dirname(this.#file));
  }

  /** Nothing is left of it. */
  discard(): void {
    closeSync(this.#descriptor);
    rmSync(this.#temporary, { force: true });
  }
}
