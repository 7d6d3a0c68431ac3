/**
 * WebSocket frames on a bare connection, of either side: this server's towards a node agent, and
 * towards a client whose connection was taken from the HTTP library. No extensions.
 */
import { createHash, randomFillSync } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ByteQueue } from '../../base/byte-queue.ts';
import { SESSION_BYTES_MAX, SOCKET_MESSAGE_BYTES_MAX } from '../limits.ts';
import type { MessageHandlers, MessageSocket } from './message-socket.ts';

const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const FINAL = 0x80;
const MASKED = 0x80;
/** The bit that the opcodes of control frames have, and the bits that mean extensions. */
const CONTROL = 0x08;
const RESERVED = 0x70;
/** Each part of a message counts for at least so much: it takes more room than its bytes. */
const PART_BYTES_MIN = 256;
const PROTOCOL_ERROR = 1002;
const TOO_BIG = 1009;

interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly bytes: Buffer;
}

export class FrameSocket implements MessageSocket {
  readonly #connection: Duplex;
  readonly #handlers: MessageHandlers;
  /** Clients mask what they send, servers do not. */
  readonly #masks: boolean;
  readonly #received = new ByteQueue();
  /** The frames of a message that is not whole yet. */
  #parts: Buffer[] = [];
  #partsLength = 0;
  #isText = false;
  #closing = false;
  #closed = false;

  constructor(connection: Duplex, handlers: MessageHandlers, masks: boolean) {
    this.#connection = connection;
    this.#handlers = handlers;
    this.#masks = masks;
    connection.on('data', (chunk: Buffer) => this.#onData(chunk));
    connection.on('drain', () => handlers.onDrain());
    connection.on('end', () => this.close());
    connection.on('error', () => this.close());
    connection.on('close', () => this.#onClosed());
  }

  /** Takes the bytes that the peer has sent together with the end of the handshake. */
  begin(head: Uint8Array): void {
    if (head.length > 0) this.#onData(Buffer.from(head));
  }

  send(message: Uint8Array, isText: boolean): boolean {
    if (this.#closing) return true;
    return this.#sendFrame(isText ? OPCODES.text : OPCODES.binary, message);
  }

  batch(work: () => void): void {
    this.#connection.cork();
    work();
    this.#connection.uncork();
  }

  /** Bytes that the peer has not taken yet. */
  get waiting(): number {
    return this.#connection.writableLength;
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  end(code: number, reason: string): void {
    if (this.#closing) return;
    const body = Buffer.alloc(2 + Buffer.byteLength(reason));
    body.writeUInt16BE(code);
    body.write(reason, 2);
    this.#sendFrame(OPCODES.close, body);
    this.#closing = true;
    this.#connection.end();
  }

  close(): void {
    this.#closing = true;
    this.#connection.destroy();
    this.#onClosed();
  }

  #onClosed(): void {
    if (this.#closed) return;
    this.#closing = true;
    this.#closed = true;
    this.#handlers.onClose();
  }

  #sendFrame(opcode: number, bytes: Uint8Array): boolean {
    const { length } = bytes;
    const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    const mark = this.#masks ? MASKED : 0;
    head.writeUInt8(FINAL | opcode, 0);
    if (length < 126) {
      head.writeUInt8(mark | length, 1);
    } else if (length < 65_536) {
      head.writeUInt8(mark | 126, 1);
      head.writeUInt16BE(length, 2);
    } else {
      head.writeUInt8(mark | 127, 1);
      head.writeBigUInt64BE(BigInt(length), 2);
    }
    // A copy: the bytes may be the library's, for this call only.
    if (!this.#masks) return this.#connection.write(Buffer.concat([head, bytes]));
    const key = randomFillSync(Buffer.alloc(4));
    return this.#connection.write(Buffer.concat([head, key, masked(bytes, key)]));
  }

  #onData(chunk: Buffer): void {
    this.#received.push(chunk);
    for (let frame = this.#takeFrame(); frame !== undefined; frame = this.#takeFrame()) {
      if ((frame.opcode & CONTROL) !== 0 && (!frame.isFinal || frame.bytes.length > 125)) {
        this.#fail(PROTOCOL_ERROR, 'a control frame is too long');
        return;
      }
      this.#onFrame(frame);
    }
  }

  #takeFrame(): Frame | undefined {
    const received = this.#received;
    const start = received.peek(2);
    if (start === undefined || this.#closing) return undefined;
    const [first = 0, second = 0] = start;
    const short = second & 0x7f;
    const isMasked = (second & MASKED) !== 0;
    const keyAt = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
    const headBytes = keyAt + (isMasked ? 4 : 0);
    const head = received.peek(headBytes);
    if (head === undefined) return undefined;
    let length = short;
    if (short === 126) length = head.readUInt16BE(2);
    else if (short === 127) length = Number(head.readBigUInt64BE(2));
    if (length + this.#partsLength > SOCKET_MESSAGE_BYTES_MAX) {
      this.#fail(TOO_BIG, 'message too big');
      return undefined;
    }
    if ((first & RESERVED) !== 0) {
      this.#fail(PROTOCOL_ERROR, 'unknown extension');
      return undefined;
    }
    if (received.length < headBytes + length) return undefined;
    const key = Buffer.from(head.subarray(keyAt));
    received.take(headBytes);
    const content = received.take(length) ?? Buffer.alloc(0);
    const bytes = isMasked ? masked(content, key) : content;
    return { opcode: first & 0x0f, isFinal: (first & FINAL) !== 0, bytes };
  }

  #fail(code: number, reason: string): void {
    this.end(code, reason);
    this.close();
  }

  #onFrame({ opcode, isFinal, bytes }: Frame): void {
    switch (opcode) {
      case OPCODES.ping:
        // One that asks and takes no answers would have them all kept.
        if (this.waiting > SESSION_BYTES_MAX) this.close();
        else this.#sendFrame(OPCODES.pong, bytes);
        return;
      case OPCODES.pong:
        return;
      case OPCODES.close:
        this.#onCloseFrame(bytes);
        return;
      case OPCODES.text:
      case OPCODES.binary:
      case OPCODES.continuation:
        if (opcode !== OPCODES.continuation) this.#isText = opcode === OPCODES.text;
        this.#onPart(bytes, isFinal);
        return;
      default:
        this.#fail(PROTOCOL_ERROR, 'unknown opcode');
    }
  }

  #onPart(bytes: Buffer, isFinal: boolean): void {
    if (isFinal && this.#partsLength === 0) {
      this.#handlers.onMessage(bytes, this.#isText);
      return;
    }
    this.#parts.push(bytes);
    this.#partsLength += Math.max(bytes.length, PART_BYTES_MIN);
    if (!isFinal) return;
    const message = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partsLength = 0;
    this.#handlers.onMessage(message, this.#isText);
  }

  /** The peer ends it: it gets its own frame back. */
  #onCloseFrame(bytes: Buffer): void {
    const code = bytes.length >= 2 ? bytes.readUInt16BE(0) : undefined;
    this.#handlers.onCloseFrame?.(code, bytes.subarray(2).toString());
    if (this.#closing) return;
    this.#sendFrame(OPCODES.close, bytes);
    this.#closing = true;
    this.#connection.end();
  }
}

/** The server's answer to the key of a handshake. */
export function acceptedBy(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

function masked(bytes: Uint8Array, key: Uint8Array): Buffer {
  const result = Buffer.allocUnsafe(bytes.length);
  for (let at = 0; at < bytes.length; at++) result[at] = (bytes[at] ?? 0) ^ (key[at & 3] ?? 0);
  return result;
}
