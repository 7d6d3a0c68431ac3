/**
 * What versions of objects have become on their way out, for whoever asks next: binary forms, and
 * JSON where it is not what is stored. Each is made once for all watches, and a list of what was
 * listed before is copied as stored bytes are. The oldest are forgotten when there are too many
 * bytes of them.
 */
import { ENCODING_CACHE_BYTES_MAX } from '../../limits.ts';

export class EncodingCache {
  readonly #encodings = new Map<string, Uint8Array>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax = ENCODING_CACHE_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** All that is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What a version became in a form; undefined when that is not known. */
  get(form: string, rv: number): Uint8Array | undefined {
    return this.#encodings.get(form + rv);
  }

  /** Keeps the bytes, which nobody may change; `rv` 0 is no version, and nothing is kept. */
  set(form: string, rv: number, bytes: Uint8Array): void {
    const key = form + rv;
    if (rv === 0 || this.#encodings.has(key)) return;
    this.#encodings.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#encodings) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#encodings.delete(oldest);
      this.#bytes -= length;
    }
  }
}
