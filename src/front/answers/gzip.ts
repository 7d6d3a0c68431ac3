/** Gzip off this thread, in turns of small pieces (zlib-turns.ts). */
import { createGzip, gunzip, gzip } from 'node:zlib';
import type { ZlibOptions } from 'node:zlib';
import { promisify } from 'node:util';
import { GZIP_PIECE_BYTES } from '../limits.ts';
import { GZIP_LEVEL } from './compression.ts';
import { ZLIB_TURNS } from './zlib-turns.ts';

/** Gives the whole body gzipped, or undefined when that fails. */
export function gzipped(body: Uint8Array, then: (packed: Uint8Array | undefined) => void): void {
  ZLIB_TURNS.begin((done) => {
    gzip(body, { level: GZIP_LEVEL }, (error, packed) => {
      done();
      then(error === null ? packed : undefined);
    });
  });
}

/** Like `gzipped`, as a promise, which rejects where packing fails. */
export function zipped(body: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gzipped(body, (packed) => {
      if (packed === undefined) reject(new Error('a document cannot be packed'));
      else resolve(packed);
    });
  });
}

const unpack: (packed: Uint8Array) => Promise<Uint8Array> = promisify(gunzip);
const unpacking = new Map<Uint8Array, Promise<Uint8Array>>();
const unpackedBodies = new WeakMap<Uint8Array, WeakRef<Uint8Array>>();

/** Unpacks a body once: all who ask for it while the result is in use get the same bytes. */
export async function unzipped(packed: Uint8Array): Promise<Uint8Array> {
  const known = unpackedBodies.get(packed)?.deref() ?? unpacking.get(packed);
  if (known !== undefined) return known;
  const made = ZLIB_TURNS.run(() => unpack(packed)).finally(() => unpacking.delete(packed));
  unpacking.set(packed, made);
  const body = await made;
  unpackedBodies.set(packed, new WeakRef(body));
  return body;
}

/** Packed bodies, by the bodies that are sent again and again. */
const packedBodies = new WeakMap<Uint8Array, Uint8Array>();

/** Like `gzipped`, for a body that is sent again and again: it is packed once. */
export function gzippedOnce(
  body: Uint8Array,
  then: (packed: Uint8Array | undefined) => void,
): void {
  const known = packedBodies.get(body);
  if (known !== undefined) return then(known);
  gzipped(body, (made) => {
    if (made !== undefined) packedBodies.set(body, made);
    then(made);
  });
}

/**
 * The chunks have room for a packed piece and what zlib held back before: no reader ends its turn.
 */
const OPTIONS: ZlibOptions & { readonly readableHighWaterMark: number } = {
  level: GZIP_LEVEL,
  chunkSize: GZIP_PIECE_BYTES,
  readableHighWaterMark: 4 * GZIP_PIECE_BYTES,
};

/** A body that is gzipped on its way, as fast as it is taken. */
export class GzipStream {
  readonly #gzip = createGzip(OPTIONS);
  #isPaused = false;
  #isClosed = false;
  #isWriting = false;
  /** The next piece, which waits until all before it is taken. */
  #nextPiece: (() => void) | undefined;
  #endTurn: (() => void) | undefined;
  #onEnd: (() => void) | undefined;

  /**
   * `send` gets the packed parts; once it says false there are no more before `resume`. `fail` runs
   * when nothing more will come.
   */
  constructor(send: (part: Uint8Array) => boolean, fail: () => void) {
    this.#gzip.on('data', (part: Uint8Array) => {
      if (send(part)) {
        this.#continue();
      } else {
        this.#isPaused = true;
        this.#gzip.pause();
      }
    });
    this.#gzip.on('error', fail);
  }

  /** Packs a part; `then` runs when it has been read, and another one may come. */
  write(part: Uint8Array, then: () => void): void {
    this.#isWriting = true;
    this.#packFrom(part, 0, () => {
      this.#isWriting = false;
      then();
      if (this.#onEnd !== undefined) this.end(this.#onEnd);
    });
  }

  #packFrom(part: Uint8Array, start: number, then: () => void): void {
    this.#nextPiece = () => {
      if (start >= part.length) then();
      else
        this.#pack(part.subarray(start, start + GZIP_PIECE_BYTES), () => {
          this.#packFrom(part, start + GZIP_PIECE_BYTES, then);
        });
    };
    this.#continue();
  }

  #continue(): void {
    if (this.#isPaused || this.#isClosed || this.#gzip.readableLength > 0) return;
    const next = this.#nextPiece;
    this.#nextPiece = undefined;
    next?.();
  }

  #pack(piece: Uint8Array, then: () => void): void {
    ZLIB_TURNS.begin((done) => {
      if (this.#isClosed) {
        done();
        return;
      }
      this.#endTurn = done;
      this.#gzip.write(piece, () => {
        this.#turnEnded();
        then();
      });
    });
  }

  #turnEnded(): void {
    const done = this.#endTurn;
    this.#endTurn = undefined;
    done?.();
  }

  resume(): void {
    this.#isPaused = false;
    this.#gzip.resume();
    this.#continue();
  }

  /** `then` runs when `send` has got everything that was written. */
  end(then: () => void): void {
    this.#onEnd = then;
    if (this.#isWriting) return;
    this.#gzip.once('end', then);
    this.#gzip.end();
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
    this.#gzip.destroy();
    this.#turnEnded();
  }
}

/** Gives several parts packed as one body, or undefined when that fails. */
export function gzippedParts(
  parts: readonly Uint8Array[],
  then: (packed: Uint8Array | undefined) => void,
): void {
  const packed: Uint8Array[] = [];
  const stream = new GzipStream(
    (part) => {
      packed.push(part);
      return true;
    },
    () => then(undefined),
  );
  const writeFrom = (index: number): void => {
    const part = parts[index];
    if (part === undefined) stream.end(() => then(Buffer.concat(packed)));
    else stream.write(part, () => writeFrom(index + 1));
  };
  writeFrom(0);
}
