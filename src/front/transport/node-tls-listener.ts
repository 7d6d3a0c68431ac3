/**
 * A port whose TLS is Node's own (../README.md#https): each connection is passed on to a private
 * socket of the HTTP library, in the thread that serves it, so that HTTP is read once and who is
 * at the other end needs no message.
 */
import { serverNowMs } from '../../base/time/server-clock.ts';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import type { Server, TLSSocket } from 'node:tls';
import uws from 'uWebSockets.js';
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { LATE_TEXT, refuseConnection, SLOW_HEAD_MS_MIN } from './connections.ts';
import type { Connections } from './connections.ts';
import type { Client, ClientTable } from './client-table.ts';
import { joinSockets } from './join-sockets.ts';
import type { NodeTls } from './node-tls.ts';

export interface NodeTlsListenerOptions {
  readonly tls: NodeTls;
  readonly clients: ClientTable;
  /** The private socket: made, and nobody else may have it. */
  readonly socketFile: string;
  readonly addRoutes: (app: TemplatedApp) => void;
  readonly takeProxied?: TakeProxied | undefined;
  readonly connections: Connections;
}

/**
 * Serves a connection of the front proxy by another library: this one drops bytes beyond ASCII at
 * both ends of a header, and a user whose name has some there would be somebody else.
 */
export type TakeProxied = (socket: TLSSocket, client: Client) => void;

const OWNER_ONLY = 0o600;

export class NodeTlsListener {
  readonly #options: NodeTlsListenerOptions;
  readonly #app: TemplatedApp = uws.App();
  readonly #server: Server;
  readonly #connections = new Set<TLSSocket>();
  #inner: us_listen_socket | undefined;

  constructor(options: NodeTlsListenerOptions) {
    this.#options = options;
    options.addRoutes(this.#app);
    this.#server = createServer({ ...options.tls.serverOptions, noDelay: true });
    options.tls.serve(this.#server);
    const { connections } = options;
    if (connections.takenMax !== undefined) this.#server.maxConnections = connections.takenMax;
    this.#server.on('connection', (socket) => {
      connections.opened();
      socket.on('close', () => connections.closed());
    });
    this.#server.on('secureConnection', (socket) => this.#take(socket));
    // Who does not get through the handshake is told so by it.
    this.#server.on('tlsClientError', (_, socket) => socket.destroy());
  }

  /** With `isShared` others of this process may listen there too. Rejects where it cannot be. */
  async listen(host: string, port: number, isShared: boolean): Promise<void> {
    const { socketFile } = this.#options;
    rmSync(socketFile, { force: true });
    this.#app.listen_unix((socket) => {
      this.#inner = socket;
    }, socketFile);
    chmodSync(socketFile, OWNER_ONLY);
    this.#server.listen({ host, port, reusePort: isShared });
    await once(this.#server, 'listening');
  }

  /** Takes no new connections; those that are there are still passed on. */
  stopListening(): void {
    this.#server.close();
  }

  /** Cuts all connections. */
  close(): void {
    this.#server.close();
    if (this.#inner !== undefined) uws.us_listen_socket_close(this.#inner);
    rmSync(this.#options.socketFile, { force: true });
    for (const connection of this.#connections) connection.destroy();
    this.#app.close();
  }

  #take(socket: TLSSocket): void {
    const { tls, clients, socketFile, takeProxied, connections } = this.#options;
    if (connections.refuses()) {
      refuseConnection(socket);
      return;
    }
    const client = tls.clientOf(socket);
    const shown = client.certificate?.verified(tls.trusted, serverNowMs());
    if (takeProxied !== undefined && shown?.signedBy.frontProxy === true) {
      takeProxied(socket, client);
      return;
    }
    const { header, remove } = clients.add(client);
    this.#connections.add(socket);
    const inner = connect(socketFile);
    inner.write(header);
    const sinceMs = performance.now();
    // Before the end of one is passed on to the other.
    inner.on('end', () => {
      const isSlow = inner.bytesRead === 0 && performance.now() - sinceMs >= SLOW_HEAD_MS_MIN;
      if (!isSlow || !socket.writable) return;
      connections.headWasSlow();
      if (inner.bytesWritten > header.length) socket.write(LATE_TEXT, 'latin1');
    });
    joinSockets(socket, inner, () => {
      this.#connections.delete(socket);
      remove();
    });
  }
}
