/**
 * SPDY/3.1, as far as commands in containers need it: streams that are opened
 * with one header, data in both directions, and their ends. Header blocks are sent in zlib's stored
 * blocks, which every reader of compressed ones takes, and those that come are not looked at.
 */
import type { Duplex } from 'node:stream';
import { ByteQueue } from '../../base/byte-queue.ts';
import { SESSION_BYTES_MAX, SOCKET_MESSAGE_BYTES_MAX } from '../limits.ts';

/** Control frames: the version, then the type. */
const CONTROL = 0x80;
const VERSION = 3;
const TYPES = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const FIN = 0x01;
const FRAME_HEAD_BYTES = 8;
/** The number of a stream, without its first bit. */
const STREAM_BYTES = 4;
const STREAM = 0x7fff_ffff;
const ZLIB_HEAD = Buffer.from([0x78, 0x01]);

export interface SpdyHandlers {
  /** The other side has opened a stream. Absent where it must not. */
  onOpen?(stream: number): void;
  onData(stream: number, bytes: Buffer): void;
  /** The agent sends nothing more on the stream. */
  onEnd(stream: number): void;
  /** Nothing more comes on any stream. */
  onClose(): void;
}

export class SpdyStreams {
  readonly #connection: Duplex;
  readonly #handlers: SpdyHandlers;
  readonly #received = new ByteQueue();
  /** Headers have been sent: all of them are one stream of zlib. */
  #hasSent = false;
  /** Clients give their streams odd numbers. */
  #next = 1;

  constructor(connection: Duplex, head: Uint8Array, handlers: SpdyHandlers) {
    this.#connection = connection;
    this.#handlers = handlers;
    connection.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    connection.on('end', () => connection.destroy());
    connection.on('error', () => connection.destroy());
    connection.on('close', () => handlers.onClose());
    if (head.length > 0) this.#onChunk(Buffer.from(head));
  }

  /** Opens a stream with one header; returns its number. */
  open(name: string, value: string): number {
    const stream = this.#next;
    this.#next += 2;
    const ids = Buffer.alloc(10);
    ids.writeUInt32BE(stream, 0);
    const block = this.#packed(headerBlock(name, value));
    this.#sendControl(TYPES.synStream, Buffer.concat([ids, block]));
    return stream;
  }

  #packed(block: Buffer): Buffer {
    const packed = this.#hasSent ? stored(block) : Buffer.concat([ZLIB_HEAD, stored(block)]);
    this.#hasSent = true;
    return packed;
  }

  /** Takes a stream that the other side has opened, without a header. */
  #take(stream: number): void {
    const id = Buffer.alloc(STREAM_BYTES);
    id.writeUInt32BE(stream, 0);
    this.#sendControl(TYPES.synReply, Buffer.concat([id, this.#packed(Buffer.alloc(4))]));
    this.#handlers.onOpen?.(stream);
  }

  send(stream: number, bytes: Uint8Array): void {
    this.#sendData(stream, 0, bytes);
  }

  /** Says that nothing more comes on the stream. */
  end(stream: number): void {
    this.#sendData(stream, FIN, Buffer.alloc(0));
  }

  /** Bytes that the agent has not taken yet. */
  get waiting(): number {
    return this.#connection.writableLength;
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  close(): void {
    this.#connection.destroy();
  }

  #sendData(stream: number, flags: number, bytes: Uint8Array): void {
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.writeUInt32BE(stream, 0);
    head.writeUInt32BE(bytes.length, 4);
    head.writeUInt8(flags, 4);
    this.#connection.write(Buffer.concat([head, bytes]));
  }

  #sendControl(type: number, body: Buffer): void {
    const head = Buffer.from([CONTROL, VERSION, 0, type, 0, 0, 0, 0]);
    head.writeUIntBE(body.length, 5, 3);
    this.#connection.write(Buffer.concat([head, body]));
  }

  #onChunk(chunk: Buffer): void {
    const received = this.#received;
    received.push(chunk);
    let head = received.peek(FRAME_HEAD_BYTES);
    while (head !== undefined && !this.#connection.destroyed) {
      const length = head.readUIntBE(5, 3);
      if (length > SOCKET_MESSAGE_BYTES_MAX) return this.close();
      const frame = received.take(FRAME_HEAD_BYTES + length);
      if (frame === undefined) return;
      this.#onFrame(frame);
      head = received.peek(FRAME_HEAD_BYTES);
    }
  }

  #onFrame(frame: Buffer): void {
    const body = frame.subarray(FRAME_HEAD_BYTES);
    const flags = frame.readUInt8(4);
    const first = frame.readUInt32BE(0);
    if (first < 0x8000_0000) {
      if (body.length > 0) this.#handlers.onData(first, body);
      if ((flags & FIN) !== 0) this.#handlers.onEnd(first);
      return;
    }
    const type = first & 0xffff;
    if (type === TYPES.goAway) return this.close();
    const isShort = body.length < STREAM_BYTES;
    const isOpened = type === TYPES.synStream && this.#handlers.onOpen !== undefined;
    if (isOpened && !isShort) return this.#take(body.readUInt32BE(0) & STREAM);
    if (type === TYPES.rstStream && !isShort) this.#handlers.onEnd(body.readUInt32BE(0) & STREAM);
    else if (type === TYPES.rstStream || this.waiting > SESSION_BYTES_MAX) this.close();
    else if (type === TYPES.ping) this.#connection.write(frame);
  }
}

/** The number of headers, then name and value, each after its length. */
function headerBlock(name: string, value: string): Buffer {
  const block = Buffer.alloc(12 + name.length + value.length);
  block.writeUInt32BE(1, 0);
  block.writeUInt32BE(name.length, 4);
  block.write(name, 8);
  block.writeUInt32BE(value.length, 8 + name.length);
  block.write(value, 12 + name.length);
  return block;
}

/** An empty block: readers hand out what came before it. */
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff]);

/** A block of a deflate stream that is not compressed, and not the last one. */
function stored(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes, FLUSH]);
}
