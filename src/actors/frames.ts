/**
 * Packed frames: all messages of one turn in one exact byte range, so that a hop costs one
 * transferred ArrayBuffer however many messages it carries.
 *
 *     frame  = u32 frameBytes | u32 correlationId | u32 verb and kind | u32 headerBytes
 *              | header (msgpack) | body (raw bytes)
 *
 * Integers are little-endian. `verb and kind` holds the verb's index in its protocol shifted
 * left by 3, then a bit that says that the body is not here, and the kind in the low 2 bits.
 *
 * A long body may be given: it travels beside the frames in an ArrayBuffer of its own, which is
 * not copied, and which its reader alone has.
 */
import { Packr } from 'msgpackr';

export const FRAME_KIND = { ask: 0, tell: 1, reply: 2, error: 3 } as const;
export type FrameKind = (typeof FRAME_KIND)[keyof typeof FRAME_KIND];

const GIVEN = 4;
const FIXED_BYTES = 16;
const CAPACITY_BYTES_MIN = 4 * 1024;
/** A buffer that one large turn has enlarged is not the size for the next turn. */
const CAPACITY_BYTES_KEPT_MAX = 64 * 1024;

// Records would need structures shared by both ends; plain maps of small fixed-shape headers
// need no state and cost about the same.
const packr = new Packr({ useRecords: false, moreTypes: false });

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/** Collects the frames of a turn; `take` hands over the bytes and starts anew. */
export class FrameWriter {
  #bytes: Uint8Array = NO_BYTES;
  #view = NO_VIEW;
  /** The capacity of the next buffer. Most links are idle, and have none. */
  #capacity = CAPACITY_BYTES_MIN;
  #length = 0;
  #given: Uint8Array[] = [];

  get length(): number {
    return this.#length;
  }

  /** A frame whose body goes with its whole ArrayBuffer, which nothing may use here any more. */
  appendGiven(
    kind: FrameKind,
    correlationId: number,
    verb: number,
    header: unknown,
    body: Uint8Array,
  ): void {
    this.#given.push(body);
    this.#append(kind | GIVEN, correlationId, verb, header, []);
  }

  append(
    kind: FrameKind,
    correlationId: number,
    verb: number,
    header: unknown,
    body: readonly Uint8Array[],
  ): void {
    this.#append(kind, correlationId, verb, header, body);
  }

  #append(
    kindAndGiven: number,
    correlationId: number,
    verb: number,
    header: unknown,
    body: readonly Uint8Array[],
  ): void {
    const packed = header === undefined ? undefined : packr.pack(header);
    const headerBytes = packed?.length ?? 0;
    let frameBytes = FIXED_BYTES + headerBytes;
    for (const part of body) frameBytes += part.length;
    this.#reserve(frameBytes);
    const start = this.#length;
    this.#view.setUint32(start, frameBytes, true);
    this.#view.setUint32(start + 4, correlationId, true);
    this.#view.setUint32(start + 8, (verb << 3) | kindAndGiven, true);
    this.#view.setUint32(start + 12, headerBytes, true);
    let at = start + FIXED_BYTES;
    if (packed !== undefined) {
      this.#bytes.set(packed, at);
      at += headerBytes;
    }
    for (const part of body) {
      this.#bytes.set(part, at);
      at += part.length;
    }
    this.#length = at;
  }

  /** The bodies that were given in this turn, in the order of their frames. */
  takeGiven(): Uint8Array[] {
    const given = this.#given;
    if (given.length > 0) this.#given = [];
    return given;
  }

  /** The packed bytes, alone in their ArrayBuffer's range [0, length): ready for transfer. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    // The next turn is probably as busy as this one.
    let capacity = CAPACITY_BYTES_MIN;
    while (capacity < this.#length && capacity < CAPACITY_BYTES_KEPT_MAX) capacity *= 2;
    this.#capacity = capacity;
    this.#bytes = NO_BYTES;
    this.#view = NO_VIEW;
    this.#length = 0;
    return taken;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const capacity = Math.max(needed, this.#bytes.length * 2, this.#capacity);
    // Not zeroed: only what was written is ever read. Not pooled: the whole buffer is transferred.
    const grown = Buffer.allocUnsafeSlow(capacity);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

export type FrameSink = (
  kind: FrameKind,
  correlationId: number,
  verb: number,
  header: unknown,
  body: Uint8Array,
  isGiven: boolean,
) => void;

/** Calls `sink` for each frame in order; bodies are views of `bytes`, not copies, or given. */
export function readFrames(
  bytes: Uint8Array,
  sink: FrameSink,
  given: readonly Uint8Array[] = [],
): void {
  let givenRead = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  while (start < bytes.length) {
    const frameBytes = view.getUint32(start, true);
    const correlationId = view.getUint32(start + 4, true);
    const verbAndKind = view.getUint32(start + 8, true);
    const headerBytes = view.getUint32(start + 12, true);
    const headerStart = start + FIXED_BYTES;
    const bodyStart = headerStart + headerBytes;
    const end = start + frameBytes;
    const header =
      headerBytes === 0 ? undefined : packr.unpack(bytes.subarray(headerStart, bodyStart));
    const kind = (verbAndKind & 3) as FrameKind;
    const givenBody = (verbAndKind & GIVEN) === 0 ? undefined : given[givenRead++];
    const body = givenBody ?? bytes.subarray(bodyStart, end);
    sink(kind, correlationId, verbAndKind >>> 3, header, body, givenBody !== undefined);
    start = end;
  }
}
