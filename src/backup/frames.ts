/**
 * The frames that a backup file is made of (README.md#the-file).
 *
 *     u32 magic | u32 bytes of the head | u32 bytes of the body | u32 checksum of both lengths,
 *     head and body | head: JSON | body: compressed
 *
 * Integers are little-endian. The body of a frame of records, once it is uncompressed, is
 * `u32, u32 version | u32 bytes | record` for each of them, the higher part of a version first.
 */
import { crc32, constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { LogEntry } from '../storage/store.ts';

const MAGIC = 0x4b424453;
export const FRAME_START_BYTES = 16;
const ENTRY_BYTES = 12;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** No head or body is longer: what says so is damaged. */
const HEAD_BYTES_MAX = 16 * 1024 * 1024;
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** A log in a backup. */
export interface LogName {
  /** Of a custom type the uid of its definition. */
  readonly log: string;
  readonly isCustom: boolean;
}

/** The first frame; its body is the JSON of `BackupSecrets`. */
export interface BeginHead {
  readonly is: 'begin';
  readonly format: number;
  /** The version of the program that has made it. */
  readonly program: string;
  /** All types are as of this resourceVersion. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly madeMs: number;
}

/** What the first frame keeps beside the objects: clients that know the server go on with it. */
export interface BackupSecrets {
  /** Of the store, by their names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Of the data folder: keys and tokens, by their names. */
  readonly files: Readonly<Record<string, string>>;
}

/** Records of one log, in the order of their versions. */
export interface RecordsHead extends LogName {
  readonly is: 'records';
  readonly first: number;
  readonly last: number;
  readonly records: number;
}

export interface LogSummary extends LogName {
  /** The version from which its history is complete. */
  readonly horizon: number;
  readonly records: number;
  /** Those that there are at the version of the backup. */
  readonly objects: number;
}

/** The last frame: the manifest. */
export interface EndHead {
  readonly is: 'end';
  readonly logs: readonly LogSummary[];
  /** Frames before this one. */
  readonly frames: number;
  /** SHA-256 of all bytes before this frame, hexadecimal. */
  readonly sha256: string;
}

export type FrameHead = BeginHead | RecordsHead | EndHead;

/** A frame as it is in the file. */
export function encodeFrame(head: FrameHead, body: Uint8Array = new Uint8Array(0)): Buffer {
  const headBytes = Buffer.from(JSON.stringify(head));
  const packed = body.length === 0 ? body : zstdCompressSync(body, LEVEL);
  const frame = Buffer.alloc(FRAME_START_BYTES + headBytes.length + packed.length);
  frame.writeUInt32LE(MAGIC, 0);
  frame.writeUInt32LE(headBytes.length, 4);
  frame.writeUInt32LE(packed.length, 8);
  headBytes.copy(frame, FRAME_START_BYTES);
  frame.set(packed, FRAME_START_BYTES + headBytes.length);
  frame.writeUInt32LE(checksumOf(frame), 12);
  return frame;
}

function checksumOf(frame: Buffer): number {
  return crc32(frame.subarray(FRAME_START_BYTES), crc32(frame.subarray(4, 12)));
}

/** The bytes of the frame that begins so; undefined where none does. */
export function frameLength(start: Buffer): number | undefined {
  if (start.length < FRAME_START_BYTES || start.readUInt32LE(0) !== MAGIC) return undefined;
  const head = start.readUInt32LE(4);
  const body = start.readUInt32LE(8);
  if (head > HEAD_BYTES_MAX || body > BODY_BYTES_MAX) return undefined;
  return FRAME_START_BYTES + head + body;
}

export interface Frame {
  readonly head: FrameHead;
  /** As it is in the file. */
  readonly packed: Buffer;
}

/** Undefined where the bytes are not those that were written. */
export function decodeFrame(bytes: Buffer): Frame | undefined {
  if (frameLength(bytes) !== bytes.length) return undefined;
  if (bytes.readUInt32LE(12) !== checksumOf(bytes)) return undefined;
  const bodyAt = FRAME_START_BYTES + bytes.readUInt32LE(4);
  const head = bytes.toString('utf8', FRAME_START_BYTES, bodyAt);
  return { head: JSON.parse(head) as FrameHead, packed: bytes.subarray(bodyAt) };
}

/** The body of a frame. */
export function bodyOf({ packed }: Frame): Buffer {
  return packed.length === 0 ? packed : zstdDecompressSync(packed);
}

/** Collects records into the body of a frame. */
export class EntryCollector {
  #body = Buffer.allocUnsafeSlow(64 * 1024);
  bytes = 0;
  records = 0;
  first = 0;
  last = 0;

  add(rv: number, record: Uint8Array): void {
    const end = this.bytes + ENTRY_BYTES + record.length;
    if (end > this.#body.length) {
      const longer = Buffer.allocUnsafeSlow(2 * end);
      this.#body.copy(longer, 0, 0, this.bytes);
      this.#body = longer;
    }
    this.#body.writeUInt32LE(Math.floor(rv / 0x1_0000_0000), this.bytes);
    this.#body.writeUInt32LE(rv % 0x1_0000_0000, this.bytes + 4);
    this.#body.writeUInt32LE(record.length, this.bytes + 8);
    this.#body.set(record, this.bytes + ENTRY_BYTES);
    if (this.bytes === 0) this.first = rv;
    this.last = rv;
    this.records++;
    this.bytes = end;
  }

  /** The body, valid until more is added; the next one begins. */
  take(): Buffer {
    const body = this.#body.subarray(0, this.bytes);
    this.bytes = 0;
    this.records = 0;
    return body;
  }
}

/** The records of a body, as views. */
export function* entriesIn(body: Buffer): Generator<LogEntry> {
  for (let at = 0; at < body.length;) {
    const rv = body.readUInt32LE(at) * 0x1_0000_0000 + body.readUInt32LE(at + 4);
    const start = at + ENTRY_BYTES;
    at = start + body.readUInt32LE(at + 8);
    yield { rv, value: body.subarray(start, at) };
  }
}
