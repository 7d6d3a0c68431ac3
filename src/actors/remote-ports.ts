/**
 * Ports to actors of another process, over one connection. Each is a channel: what is sent to it
 * comes out of a port there, whole and in order. Ports cannot be given over it.
 *
 * A frame is u32 length of what follows | u8 what it is | u32 channel | contents, in little-endian:
 * of `opened` a text, of `turn` u32 length and bytes of each part, of `closed` nothing. The side
 * that has connected opens channels.
 */
import type { Socket } from 'node:net';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

const FRAME = { opened: 1, turn: 2, closed: 3 } as const;
const HEAD_BYTES = 9;

/** Serves the ports of another process that it opens here. */
export interface RemotePortsOptions {
  readonly socket: Socket;
  /** Gives a port to what the other side names; absent where it opens none. */
  readonly onOpened?: (name: string, port: MessagePort) => void;
  /** The connection has ended, and all ports with it. */
  readonly onEnd: (error: Error | undefined) => void;
}

export class RemotePorts {
  readonly #options: RemotePortsOptions;
  readonly #channels = new Map<number, MessagePort>();
  #nextChannel = 1;
  #parts: Buffer[] = [];
  #length = 0;
  #hasEnded = false;

  constructor(options: RemotePortsOptions) {
    this.#options = options;
    const { socket } = options;
    let problem: Error | undefined;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', (error) => (problem = error));
    socket.on('close', () => this.#end(problem));
  }

  /** Joins a port of this process to what the other side calls `name`. */
  open(name: string, port: MessagePort): void {
    if (this.#hasEnded) {
      port.close();
      return;
    }
    const channel = this.#nextChannel++;
    this.#send(FRAME.opened, channel, [Buffer.from(name)]);
    this.#join(channel, port);
  }

  close(): void {
    this.#options.socket.destroy();
  }

  #join(channel: number, port: MessagePort): void {
    this.#channels.set(channel, port);
    port.on('message', (turn: Uint8Array | readonly Uint8Array[]) => {
      const parts = Array.isArray(turn) ? (turn as readonly Uint8Array[]) : [turn as Uint8Array];
      this.#send(FRAME.turn, channel, parts.flatMap(withLength));
    });
    port.on('close', () => {
      if (this.#channels.delete(channel)) this.#send(FRAME.closed, channel, []);
    });
  }

  #send(frame: number, channel: number, contents: readonly Uint8Array[]): void {
    if (this.#hasEnded) return;
    const { socket } = this.#options;
    const bytes = contents.reduce((sum, { length }) => sum + length, HEAD_BYTES - 4);
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    head.writeUInt32LE(bytes, 0);
    head.writeUInt8(frame, 4);
    head.writeUInt32LE(channel, 5);
    socket.cork();
    socket.write(head);
    for (const part of contents) socket.write(part);
    process.nextTick(() => socket.uncork());
  }

  #take(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    while (this.#length >= HEAD_BYTES) {
      const all = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : this.#joined();
      const end = 4 + all.readUInt32LE(0);
      if (this.#length < end) return;
      this.#parts = end === all.length ? [] : [all.subarray(end)];
      this.#length -= end;
      this.#handle(all.readUInt8(4), all.readUInt32LE(5), all.subarray(HEAD_BYTES, end));
    }
  }

  #joined(): Buffer {
    // A long frame is put together once, when all of it is there.
    const [first] = this.#parts;
    const isWhole = first !== undefined && first.length >= 4;
    if (isWhole && this.#length < 4 + first.readUInt32LE(0)) return first;
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }

  #handle(frame: number, channel: number, contents: Buffer): void {
    if (frame === FRAME.opened) {
      const { onOpened } = this.#options;
      const { port1, port2 } = new MessageChannel();
      this.#join(channel, port1);
      onOpened?.(contents.toString(), port2);
      return;
    }
    const port = this.#channels.get(channel);
    if (port === undefined) return;
    if (frame === FRAME.closed) {
      this.#channels.delete(channel);
      port.close();
      return;
    }
    const parts = partsOf(contents);
    port.postMessage(
      parts.length === 1 ? parts[0] : parts,
      parts.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  #end(problem: Error | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const ports = [...this.#channels.values()];
    this.#channels.clear();
    for (const port of ports) port.close();
    this.#options.onEnd(problem);
  }
}

function withLength(part: Uint8Array): readonly Uint8Array[] {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(part.length);
  return [length, part];
}

/** Each with an ArrayBuffer of its own, so that it can be given away. */
function partsOf(contents: Buffer): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < contents.length;) {
    const end = at + 4 + contents.readUInt32LE(at);
    parts.push(Uint8Array.from(contents.subarray(at + 4, end)));
    at = end;
  }
  return parts;
}
