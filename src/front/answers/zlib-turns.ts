/**
 * zlib works in the same few threads of the runtime in which commits are made: it takes turns of
 * small pieces, and never more of them at once than leave room for those.
 */
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { constants } from 'node:zlib';
import type { Zlib } from 'node:zlib';
import { TaskLimiter } from '../../base/turns/task-limiter.ts';
import { GZIP_TURNS_AT_ONCE } from '../limits.ts';

export const ZLIB_TURNS = new TaskLimiter(GZIP_TURNS_AT_ONCE);

type ZlibStream = Transform & Zlib;

export interface ZlibWork {
  /** Makes the packer or unpacker, with the first piece. */
  readonly make: (first: Buffer) => ZlibStream;
  /** The output of each piece is complete: nothing of it is held back for the next one. */
  readonly flushes: boolean;
}

/**
 * Packs or unpacks, in a turn for each piece that is written. What becomes of a piece waits for
 * whoever reads it, and the next piece with it: that the pieces are small is the bound. Of nothing
 * nothing becomes.
 */
export class ZlibInTurns extends Transform {
  readonly #work: ZlibWork;
  #zlib: ZlibStream | undefined;
  /** Ends the turn that it has. */
  #endTurn: (() => void) | undefined;

  constructor(work: ZlibWork) {
    // In object mode waiting chunks are read one by one, and not joined first.
    super({ readableObjectMode: true, readableHighWaterMark: 1 });
    this.#work = work;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, then: TransformCallback): void {
    const zlib = (this.#zlib ??= this.#make(piece));
    this.#takeTurn((over) => {
      if (!this.#work.flushes) zlib.write(piece, over);
      else {
        zlib.write(piece);
        zlib.flush(constants.Z_SYNC_FLUSH, over);
      }
    }, then);
  }

  override _flush(then: TransformCallback): void {
    const zlib = this.#zlib;
    if (zlib === undefined) return then();
    this.#takeTurn((over) => zlib.on('end', over).end(), then);
  }

  override _destroy(error: Error | null, then: (error: Error | null) => void): void {
    this.#zlib?.destroy();
    this.#endTurn?.();
    then(error);
  }

  #make(first: Buffer): ZlibStream {
    const zlib = this.#work.make(first);
    zlib.on('data', (part: Buffer) => this.push(part));
    zlib.on('error', (error) => this.destroy(error));
    return zlib;
  }

  #takeTurn(work: (over: () => void) => void, then: TransformCallback): void {
    ZLIB_TURNS.begin((done) => {
      if (this.destroyed) return done();
      this.#endTurn = () => {
        this.#endTurn = undefined;
        done();
      };
      work(() => {
        this.#endTurn?.();
        then();
      });
    });
  }
}
