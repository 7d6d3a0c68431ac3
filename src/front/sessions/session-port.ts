/**
 * A port for sessions in protocols that uWebSockets.js cannot give a bare connection for, SPDY
 * above all: served by Node's own HTTP server, with everything else that the front serves. It is
 * slower than the other ports. Where it was not asked for it opens with the first session, and
 * clients are sent there.
 */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { REQUEST_HEADERS_BYTES_MAX } from '../../limits.ts';
import type { Header } from '../answers/header-text.ts';
import { headerLines, headText } from '../answers/header-lines.ts';
import { SWITCHING } from '../http.ts';
import type { Arrival } from '../http.ts';
import { statusLine } from '../answers/status-line.ts';
import { REQUEST_HEADERS_MAX } from '../limits.ts';
import type { Client } from '../transport/client-table.ts';
import type { NodeTls } from '../transport/node-tls.ts';
import { refuseConnection, type Connections } from '../transport/connections.ts';
import { certificateOf } from '../transport/open-port.ts';
import type { VisitorRules } from '../transport/open-port.ts';
import { acceptedBy, FrameSocket } from '../websocket/frame-socket.ts';
import type { MessageHandlers, MessageSocket } from '../websocket/message-socket.ts';
import { ConnectionBounds } from './connection-bounds.ts';
import { NodeRequest, NodeResponse, responseOn } from './node-transport.ts';
import { sessionOrigin } from './switches.ts';
import type { SessionOrigin, Switches } from './switches.ts';

/** Serves the requests. */
export type Receive = (arrival: Arrival, switches: Switches) => void;

export interface SessionPortOptions {
  readonly address: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Absent for HTTP. */
  readonly tls: NodeTls | undefined;
  readonly visitors: VisitorRules;
  readonly receive: Receive;
  readonly connections: Connections;
}

/**
 * Node's timeouts are off: the bounds are elsewhere, for connections too that Node has not
 * accepted.
 */
const SERVER_OPTIONS = {
  maxHeaderSize: REQUEST_HEADERS_BYTES_MAX,
  requestTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 0,
  /** With the connection Node would hand over the body, which is none of another protocol. */
  shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean =>
    headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0),
};
/** Names and values in turn. */
const RAW_HEADERS_MAX = 2 * REQUEST_HEADERS_MAX;

export class SessionPort {
  readonly #options: SessionPortOptions;
  readonly #connections = new Map<Socket, Client | undefined>();
  readonly #bounds: ConnectionBounds;
  #server: Server | undefined;
  #listening: Promise<SessionOrigin> | undefined;

  constructor(options: SessionPortOptions) {
    this.#options = options;
    this.#bounds = new ConnectionBounds(() => options.connections.headWasSlow());
  }

  /** Opens it, once. Rejects when it cannot be listened on. */
  open(): Promise<SessionOrigin> {
    this.#listening ??= this.#listen();
    return this.#listening;
  }

  /** Serves a connection whose TLS another port has ended. Not together with `open`. */
  take(socket: TLSSocket, client: Client): void {
    this.#server ??= this.#serving(createHttpServer(SERVER_OPTIONS));
    this.#know(socket, client);
    this.#server.emit('connection', socket);
  }

  async #listen(): Promise<SessionOrigin> {
    const { address, port, tls, connections } = this.#options;
    const server = this.#serving(
      tls === undefined
        ? createHttpServer(SERVER_OPTIONS)
        : createHttpsServer({ ...SERVER_OPTIONS, ...tls.serverOptions }),
    );
    if (tls !== undefined) tls.serve(server as HttpsServer);
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      connections.opened();
      socket.on('close', () => connections.closed());
    });
    if (connections.takenMax !== undefined) server.maxConnections = connections.takenMax;
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      if (connections.refuses()) {
        refuseConnection(socket);
        return;
      }
      this.#know(socket, tls?.clientOf(socket as TLSSocket));
    });
    server.listen(port, address);
    await once(server, 'listening');
    const { port: found } = server.address() as AddressInfo;
    return sessionOrigin(tls !== undefined, found);
  }

  #serving(server: Server): Server {
    // More than are served, so that it is seen that there are more.
    server.maxHeadersCount = REQUEST_HEADERS_MAX + 1;
    // Node would cut connections that are quiet, which watches may be.
    server.on('timeout', () => undefined);
    server.on('request', (message, response) => this.#onRequest(message, response, {}));
    server.on('upgrade', (message: IncomingMessage, connection: Duplex, head: Buffer) => {
      this.#onUpgrade(message, connection as Socket, head);
    });
    return server;
  }

  #know(socket: Socket, client: Client | undefined): void {
    this.#connections.set(socket, client);
    this.#bounds.hold(socket);
    socket.on('close', () => this.#connections.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  /** Takes no new connections. */
  stopListening(): void {
    this.#server?.close();
  }

  /** Cuts all connections. */
  close(): void {
    this.#bounds.close();
    for (const connection of this.#connections.keys()) connection.destroy();
  }

  #onRequest(message: IncomingMessage, response: ServerResponse, switches: Switches): void {
    const { tls, visitors, receive } = this.#options;
    if (!this.#bounds.began(message.socket, { message, response })) return;
    if (message.rawHeaders.length > RAW_HEADERS_MAX) {
      response.writeHead(431, { Connection: 'close' }).end();
      return;
    }
    const client = this.#connections.get(message.socket);
    const request = new NodeRequest(message);
    const certificate = tls && client && certificateOf(client, request, tls, visitors);
    const arrived = { request, response: new NodeResponse(message, response) };
    receive({ ...arrived, isSecure: tls !== undefined, certificate }, switches);
  }

  #onUpgrade(message: IncomingMessage, connection: Socket, head: Buffer): void {
    connection.setNoDelay(true);
    const response = responseOn(message, connection);
    const take = (): Socket => {
      this.#bounds.letGo(connection);
      response.detachSocket(connection);
      if (head.length > 0) connection.unshift(head);
      return connection;
    };
    this.#onRequest(message, response, {
      takeConnection: take,
      openWebSocket: (subprotocol, handlers) =>
        openedWebSocket(message, take(), subprotocol, handlers),
    });
  }
}

function openedWebSocket(
  { headers }: IncomingMessage,
  connection: Socket,
  subprotocol: string,
  handlers: MessageHandlers,
): MessageSocket {
  const lines: Header[] = [
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
    ['Sec-WebSocket-Accept', acceptedBy(headers['sec-websocket-key'] ?? '')],
  ];
  if (subprotocol !== '') lines.push(['Sec-WebSocket-Protocol', subprotocol]);
  connection.write(headText(statusLine(SWITCHING), headerLines(lines)), 'latin1');
  return new FrameSocket(connection, handlers, false);
}
