/**
 * The connections between servers that share an etcd: each takes those of the others, which ask the
 * owner's shards over it as fronts of its own do, and has one to the owner itself. Both sides prove
 * that they know the key of the cluster, which lies in etcd.
 */
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import type { MessagePort } from 'node:worker_threads';
import type { Port } from '../actors/port.ts';
import { RemotePorts } from '../actors/remote-ports.ts';
import { areNeighbours, buildName, type Build } from '../journal/cluster-format.ts';

const IDENTITY = 'shardplane';
const TLS = {
  minVersion: 'TLSv1.3',
  ciphers: 'PSK+HIGH:TLS_AES_128_GCM_SHA256',
} as const;
/** Before servers have told each other what they are. */
const GREETING_MS_MAX = 5_000;

export interface PeersOptions {
  /** Of the cluster, in base64. */
  readonly key: string;
  /** Of this program: those that are no neighbours are refused. */
  readonly build: Build;
  readonly address: { readonly host: string; readonly port: number };
  /** Gives the shard of a type one more client. */
  readonly onPort: (type: string, port: MessagePort) => void;
  readonly logError: (text: string) => void;
}

export class Peers {
  readonly #options: PeersOptions;
  readonly #key: Buffer;
  readonly #server: Server;
  readonly #connections = new Set<RemotePorts>();
  #owner: { readonly address: string; readonly ports: RemotePorts } | undefined;

  constructor(options: PeersOptions) {
    const { key, logError } = options;
    this.#options = options;
    this.#key = Buffer.from(key, 'base64');
    const pskCallback = (_socket: unknown, identity: string): Buffer | null =>
      identity === IDENTITY ? this.#key : null;
    this.#server = createServer({ ...TLS, pskCallback }, (socket) => this.#serve(socket));
    this.#server.on('tlsClientError', ({ message }) => logError(`a peer was refused: ${message}`));
  }

  /** Resolves with where others reach it. */
  async listen(): Promise<string> {
    const { host, port } = this.#options.address;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const { port: bound } = this.#server.address() as AddressInfo;
    return host.includes(':') ? `[${host}]:${bound}` : `${host}:${bound}`;
  }

  /**
   * The owner is at that address, or there is none: what waits for an answer of another one will
   * have none.
   */
  follow(address: string | undefined): void {
    if (this.#owner?.address === address) return;
    this.#owner?.ports.close();
    this.#owner = undefined;
  }

  /** Joins a port to the shard of a type of that server; without the server it is closed. */
  connect(address: string, type: string, port: Port): void {
    this.follow(address);
    this.#owner ??= { address, ports: this.#dial(address) };
    this.#owner.ports.open(type, port as MessagePort);
  }

  close(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.close();
    this.#owner?.ports.close();
  }

  #dial(address: string): RemotePorts {
    const { logError, build } = this.#options;
    const at = address.lastIndexOf(':');
    const socket = connect({
      ...TLS,
      host: address.slice(0, at).replace(/^\[|\]$/g, ''),
      port: Number(address.slice(at + 1)),
      pskCallback: () => ({ psk: this.#key, identity: IDENTITY }),
      checkServerIdentity: () => undefined,
    });
    socket.write(`${JSON.stringify(build)}\n`);
    const ports: RemotePorts = new RemotePorts({
      socket,
      onEnd: (error) => {
        if (this.#owner?.ports === ports) this.#owner = undefined;
        if (error !== undefined) logError(`the connection to the owner: ${error.message}`);
      },
    });
    return ports;
  }

  #serve(socket: TLSSocket): void {
    const { onPort, logError, build } = this.#options;
    const late = setTimeout(() => socket.destroy(), GREETING_MS_MAX);
    socket.on('error', () => undefined);
    socket.on('close', () => clearTimeout(late));
    readLine(socket, (line) => {
      clearTimeout(late);
      const theirs = buildOf(line);
      if (!areNeighbours(build, theirs)) {
        logError(`a server of ${buildName(theirs)} was refused: this is ${buildName(build)}`);
        socket.destroy();
        return;
      }
      const ports: RemotePorts = new RemotePorts({
        socket,
        onOpened: onPort,
        onEnd: () => this.#connections.delete(ports),
      });
      this.#connections.add(ports);
    });
  }
}

/** What a server says of itself; one of before there were formats says its version alone. */
function buildOf(line: string): Build {
  try {
    return JSON.parse(line) as Build;
  } catch {
    return { version: line };
  }
}

/** Reads the first line, and leaves the rest in the socket. */
function readLine(socket: TLSSocket, then: (line: string) => void): void {
  const onReadable = (): void => {
    let line = '';
    for (;;) {
      const byte = socket.read(1) as Buffer | null;
      if (byte === null) {
        if (line !== '') socket.unshift(Buffer.from(line));
        return;
      }
      if (byte[0] === 0x0a) break;
      line += byte.toString('latin1');
    }
    socket.off('readable', onReadable);
    then(line);
  };
  socket.on('readable', onReadable);
}
