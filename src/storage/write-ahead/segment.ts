/** One file of the write-ahead log of a thread: groups, one behind the other. */
import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  write,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { flushNames, makeFolderDurably } from '../../base/durable-file.ts';
import { FILE_MODE, FOLDER_MODE } from '../settle-file.ts';
import { writeGroup, type Append } from './group.ts';
import { EXTENSION_BYTES, SEGMENT_BYTES } from './limits.ts';

/** Each write is on the disk when it returns; elsewhere the flag does not promise that. */
const SYNCED = process.platform === 'linux' ? constants.O_DSYNC : 0;
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | SYNCED;
const flushFile = promisify(fdatasync);
const writeFile = promisify(write);

/** The buffer in which this thread puts groups together. */
let scratch = Buffer.alloc(256 * 1024);

export class Segment {
  readonly #path: string;
  readonly #checkRoom: (bytes: number) => void;
  #descriptor: number | undefined;
  /** Bytes that the file has. */
  #length = 0;
  #end = 0;
  #number = 0;
  /** Another one each time that the file is filled anew. */
  #use = 0n;
  /** Commits of what stands here that the store has not made yet. */
  readonly #uncommitted = new Set<Promise<unknown>>();

  /** `checkRoom` throws where the disk should not take so many bytes more. */
  constructor(path: string, checkRoom: (bytes: number) => void) {
    this.#path = path;
    this.#checkRoom = checkRoom;
    this.begin();
  }

  /** Fills the file from its start. */
  begin(): void {
    this.#end = 0;
    this.#number = 0;
    this.#use = process.hrtime.bigint();
  }

  hasRoomFor(bytes: number): boolean {
    return this.#end === 0 || this.#end + bytes <= SEGMENT_BYTES;
  }

  /**
   * Resolves when the appends, a group of so many bytes, are on the disk. Rejects where they may
   * not be: then it has none.
   */
  async write(appends: readonly Append[], bytes: number): Promise<void> {
    const descriptor = (this.#descriptor ??= this.#open());
    const end = this.#end + bytes;
    const extension = end > this.#length ? EXTENSION_BYTES : 0;
    if (extension > 0) this.#checkRoom(bytes + extension);
    if (scratch.length < bytes + extension) scratch = Buffer.alloc(2 * (bytes + extension));
    const place = { number: this.#number, use: this.#use };
    const written = writeGroup(scratch, appends, place) + extension;
    // Later groups overwrite it: a file whose length does not change is flushed faster.
    scratch.fill(0, bytes, written);
    for (let at = 0; at < written;) {
      at += (await writeFile(descriptor, scratch, at, written - at, this.#end + at)).bytesWritten;
    }
    if (SYNCED === 0) await flushFile(descriptor);
    this.#length = Math.max(this.#length, end + extension);
    this.#end = end;
    this.#number += 1;
  }

  #open(): number {
    const folder = dirname(this.#path);
    makeFolderDurably(folder, FOLDER_MODE);
    const descriptor = openSync(this.#path, FLAGS, FILE_MODE);
    // Its name is there, too, after a power cut.
    flushNames(folder);
    return descriptor;
  }

  /** Says that the commit of an append that stands here is under way. */
  expect(commit: Promise<unknown>): void {
    this.#uncommitted.add(commit);
    const done = (): void => void this.#uncommitted.delete(commit);
    commit.then(done, done);
  }

  /** Resolves when the store has made, or failed, all commits of what stands here. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#uncommitted);
  }

  /** Nothing that stands here comes back, once it returns. */
  clear(): void {
    this.begin();
    if (this.#descriptor === undefined) return;
    ftruncateSync(this.#descriptor, 0);
    fsyncSync(this.#descriptor);
    this.#length = 0;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
